import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// The gesture recognizers of a window, once one of its views that has any is touched.
///
/// ``GestureArbiter`` decides; this class asks delegates, calls handlers, and holds events back from the views.
final class GestureController: FrameParticipant {
  /// What happens to the events of a touch.
  private enum Disposition {
    /// They are held back, except that fingers are followed until they leave.
    case undecided
    /// The views receive them.
    case released
    /// The views do not receive them.
    case claimed
  }

  /// The contact of the pointer.
  private static let pointerID = Int64.min
  /// The factor of a wheel notch with Control pressed.
  private static let notchScale = 1.1

  private weak var window: Window?
  private var arbiter = GestureArbiter()
  private var recognizers: [Int: GestureRecognizer] = [:]
  private var nextID = 0
  private var disposition = Disposition.released
  private var heldEvents: [InputEvent] = []
  private weak var touchedView: View?
  private var isPointer = false
  private weak var trackpadRecognizer: PinchGestureRecognizer?

  init(_ window: Window) { self.window = window }

  /// Whether a touch or a pressed pointer may be a gesture.
  private var isTracking: Bool { arbiter.hasContacts || arbiter.isUndecided }

  /// Whether events are held back from the views.
  var holdsEvents: Bool { !heldEvents.isEmpty }

  /// Returns the recognizers that receive touches at a point, innermost first.
  static func recognizers(from view: View?) -> [GestureRecognizer] {
    var found: [GestureRecognizer] = []
    var next = view
    while let current = next {
      if let effects = current.effects { found += effects.recognizers.filter(\.isEnabled) }
      next = current.superview
    }
    return found
  }

  // MARK: - Events

  /// Handles an event of a gesture.
  ///
  /// - Returns: Whether the views do not receive the event, or receive it later.
  func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let location, .primary, _, _):
      return handleContact(.began, GestureController.pointerID, location, event)
    case .pointerMoved(let location): return handleContact(.moved, GestureController.pointerID, location, event)
    case .pointerUp(let location, .primary, _):
      return handleContact(.ended, GestureController.pointerID, location, event)
    case .touch(let touch): return handleContact(touch.phase, touch.finger, touch.location, event)
    case .pinch(let pinch): return handlePinch(pinch)
    case .wheel(let wheel) where wheel.modifiers.contains(.control): return handleWheel(wheel)
    default: return false
    }
  }

  private func handleContact(
    _ phase: TouchInput.Phase, _ finger: Int64, _ location: Point, _ event: InputEvent
  ) -> Bool {
    guard let window, location.x.isFinite, location.y.isFinite else { return false }
    if phase == .began, !arbiter.hasContacts { beginTouch(at: location, finger, window) }
    guard isTracking else { return disposition == .claimed && endsClaim(phase, finger) }
    // The pointer is no gesture while a finger is down, and the other way around.
    guard isPointer == (finger == GestureController.pointerID) else { return false }
    apply(arbiter.handle(TouchInput(finger: finger, phase: phase, location: location), at: event.time), at: event.time)
    defer { if arbiter.deadline != nil { window.setNeedsFrame() } }
    switch disposition {
    case .claimed: return true
    case .released: return false
    case .undecided:
      guard finger == GestureController.pointerID || phase == .ended else { return false }
      heldEvents.append(event)
      return true
    }
  }

  /// Whether an event belongs to a claimed touch, whose last one ends the claim.
  private func endsClaim(_ phase: TouchInput.Phase, _ finger: Int64) -> Bool {
    guard phase == .moved || phase == .ended, isPointer == (finger == GestureController.pointerID) else {
      disposition = .released
      return false
    }
    if phase == .ended { disposition = .released }
    // The pointer moves without a button again.
    return phase == .ended
  }

  private func beginTouch(at location: Point, _ finger: Int64, _ window: Window) {
    let view = window.rootView.hitTest(location)
    let isPointer = finger == GestureController.pointerID
    let found = GestureController.recognizers(from: view).filter { recognizer in
      // Such a view follows the press itself. There is one pointer.
      (view?.treatsTouchAsPointer != true || isPointer && recognizer.view === view)
        && (!isPointer || recognizer.kind.minimumContacts == 1)
    }
    guard !found.isEmpty || arbiter.isUndecided else {
      disposition = .released
      return
    }
    (touchedView, self.isPointer) = (view, isPointer)
    if !arbiter.isUndecided {
      disposition = .undecided
      recognizers.removeAll()
    }
    var ids: [ObjectIdentifier: Int] = [:]
    for (id, recognizer) in recognizers { ids[ObjectIdentifier(recognizer)] = id }
    for recognizer in found where ids[ObjectIdentifier(recognizer)] == nil {
      ids[ObjectIdentifier(recognizer)] = nextID
      recognizers[nextID] = recognizer
      recognizer.changeState(to: .possible)
      nextID += 1
    }
    arbiter.beginTouch(
      found.compactMap { recognizer in
        guard let id = ids[ObjectIdentifier(recognizer)] else { return nil }
        return GestureArbiter.Participant(
          id: id, kind: recognizer.kind,
          requiredFailures: Set(
            recognizer.requiredFailures.compactMap { $0.recognizer.flatMap { ids[ObjectIdentifier($0)] } }),
          simultaneous: Set(
            found.filter { other in
              other !== recognizer
                && recognizer.delegate?.gestureRecognizer(recognizer, shouldRecognizeSimultaneouslyWith: other) == true
            }.compactMap { ids[ObjectIdentifier($0)] }))
      })
  }

  // MARK: - Decisions

  private func apply(_ changes: [GestureArbiter.Change], at time: FrameInstant) {
    var changes = changes
    repeat {
      for change in changes { apply(change, at: time) }
      guard let question = arbiter.pendingQuestion else { break }
      changes = arbiter.answer(isPermitted(question))
    } while true
    if disposition == .undecided, !arbiter.isUndecided { releaseEvents() }
    if !isTracking { recognizers.removeAll() }
  }

  private func isPermitted(_ id: Int) -> Bool {
    guard let recognizer = recognizers[id], recognizer.isEnabled, recognizer.view != nil else { return false }
    if let machine = arbiter.machine(of: id) { recognizer.machine = machine }
    if case .pan = recognizer.kind, isScrollInside(recognizer) { return false }
    return recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) != false
  }

  /// Whether the finger moves along the axis of a scroll view that is inside of a recognizer's view.
  private func isScrollInside(_ recognizer: GestureRecognizer) -> Bool {
    guard !isPointer else { return false }
    let movement = recognizer.machine.translation
    let axis: Axis = movement.x.magnitude > movement.y.magnitude ? .horizontal : .vertical
    var view = touchedView
    while let current = view, current !== recognizer.view {
      if let scrollView = current as? ScrollView, scrollView.canScroll, scrollView.scrollAxis == axis { return true }
      view = current.superview
    }
    return false
  }

  private func apply(_ change: GestureArbiter.Change, at time: FrameInstant) {
    guard let recognizer = recognizers[change.id] else { return }
    if let machine = arbiter.machine(of: change.id) { recognizer.machine = machine }
    if change.state == .began || change.state == .ended, recognizer.cancelsTouchesInView, disposition != .claimed {
      disposition = .claimed
      heldEvents.removeAll()
      if !isPointer { window?.cancelTouches(at: time) }
    }
    recognizer.changeState(to: change.state)
  }

  /// Sends the events to the views that were held back.
  private func releaseEvents() {
    disposition = .released
    let events = heldEvents
    heldEvents.removeAll()
    for event in events { window?.routeEvent(event) }
  }

  // MARK: - Cancellation

  /// Cancels the gesture of a recognizer.
  func cancelGestures(of recognizer: GestureRecognizer) { cancelGestures { $0 === recognizer } }

  /// Cancels the gestures of a view that leaves the tree and of its descendants.
  func cancelGestures(in view: View) {
    guard let window else { return }
    cancelGestures { window.isAncestor(view, of: $0.view) }
  }

  private func cancelGestures(_ isIncluded: (GestureRecognizer) -> Bool) {
    if let trackpadRecognizer, isIncluded(trackpadRecognizer) { endTrackpadPinch(.cancelled) }
    guard isTracking else { return }
    let known = recognizers
    apply(arbiter.cancel { known[$0].map(isIncluded) == true }, at: window?.lastEventInstant ?? .zero)
  }

  /// Makes recognizers fail that have not begun, because a view uses the touch.
  func failUndecided() {
    guard isTracking, !arbiter.isInProgress else { return }
    heldEvents.removeAll()
    disposition = .released
    apply(arbiter.cancel(), at: window?.lastEventInstant ?? .zero)
  }

  /// Cancels all gestures and discards the events that were held back.
  func cancelAll(at time: FrameInstant) {
    heldEvents.removeAll()
    disposition = .released
    apply(arbiter.cancel(), at: time)
    endTrackpadPinch(.cancelled)
  }

  // MARK: - Trackpads and wheels

  private func handlePinch(_ pinch: PinchInput) -> Bool {
    if pinch.phase == .began {
      endTrackpadPinch(.cancelled)
      guard beginTrackpadPinch(at: pinch.location) else { return false }
    }
    guard let recognizer = trackpadRecognizer else { return false }
    recognizer.trackpadScale = pinch.scale
    switch pinch.phase {
    case .began: recognizer.changeState(to: .began)
    case .moved: recognizer.changeState(to: .changed)
    case .ended: endTrackpadPinch(.ended)
    case .cancelled: endTrackpadPinch(.cancelled)
    }
    return true
  }

  private func handleWheel(_ wheel: WheelInput) -> Bool {
    guard trackpadRecognizer == nil, wheel.deltaY != 0, wheel.deltaY.isFinite,
      beginTrackpadPinch(at: wheel.location)
    else { return false }
    trackpadRecognizer?.changeState(to: .began)
    trackpadRecognizer?.trackpadScale = 1 + (GestureController.notchScale - 1) * max(-5, min(10, wheel.deltaY))
    trackpadRecognizer?.changeState(to: .changed)
    endTrackpadPinch(.ended)
    return true
  }

  private func beginTrackpadPinch(at location: Point) -> Bool {
    let found = GestureController.recognizers(from: window?.rootView.hitTest(location))
    let recognizer = found.lazy.compactMap { $0 as? PinchGestureRecognizer }.first { recognizer in
      recognizer.externalLocation = location
      recognizer.trackpadScale = 1
      return recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) != false
    }
    trackpadRecognizer = recognizer
    return recognizer != nil
  }

  private func endTrackpadPinch(_ state: GestureRecognizer.State) {
    guard let recognizer = trackpadRecognizer else { return }
    trackpadRecognizer = nil
    recognizer.changeState(to: state)
    (recognizer.trackpadScale, recognizer.externalLocation) = (nil, nil)
  }

  // MARK: - Frames

  /// The time at which a gesture is recognized or fails without input.
  var nextFrame: FrameInstant? { arbiter.deadline }

  func update(at target: FrameInstant) {
    guard let deadline = arbiter.deadline, deadline <= target else { return }
    apply(arbiter.advance(to: target), at: target)
  }
}
