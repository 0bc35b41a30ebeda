package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
package import VitrineScrollPhysics

/// The content whose offset a ``ScrollInputController`` controls.
package protocol ScrollInputHost: AnyObject {
  /// The axis along which the content scrolls.
  var inputAxis: Axis { get }
  /// The scroll state of the content.
  var inputScroll: ScrollState { get }
  /// Whether there is content that input applies to.
  var acceptsInput: Bool { get }
  /// Whether the content is longer than its viewport.
  var canScroll: Bool { get }
  /// The distance of a wheel notch, in points.
  var notchDistance: Double { get }
  /// The distance of an arrow key, in points.
  var lineDistance: Double { get }
  /// The direction in which offsets grow on the screen: 1, or -1 if the content begins at the end of the axis.
  var inputDirection: Double { get }
  /// Whether content scrolls on while an arrow key is held.
  ///
  /// If false, each repetition of the key scrolls by its distance.
  var scrollsWhileKeyIsHeld: Bool { get }

  /// Returns the event that a key causes, or nil if it does not scroll.
  func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent?
  /// Applies an event to the scroll state.
  func applyInput(_ event: ScrollEvent, at instant: FrameInstant)
  /// Called when a drag begins, and for input that does not report its end, such as a trackpad's, also when it goes on.
  ///
  /// - Parameters:
  ///   - instant: The time of the input.
  ///   - release: The time at which the drag is assumed to end, or nil if its end is reported.
  func dragDidContinue(at instant: FrameInstant, until release: FrameInstant?)
  /// Called before a drag ends.
  func dragWillEnd(at instant: FrameInstant)
  /// Returns the time at which a touch catches content: not before the last frame, or the content would jump back.
  func shownInstant(_ time: FrameInstant) -> FrameInstant
}

/// The owner of the user's input to content that scrolls along one axis: wheels, trackpads, keys and fingers.
///
/// A scroll view has one controller for its content. A collection view has another one for its sections that scroll
/// across. The controller decides what an event means, and passes scroll events to its host, whose ``ScrollState``
/// moves the content.
///
/// Nested content takes only what is clearly along its own axis, and leaves the rest to the content around it: a
/// trackpad movement belongs to the axis on which it began, a wheel with one axis scrolls across while Shift is held.
///
/// Invariants:
/// - A drag that was begun is ended by the same controller, also if the content is gone by then.
/// - At most one key is held. Wheels, fingers and presses release it.
package final class ScrollInputController {
  /// The owner of the content, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any ScrollInputHost)!
  private let isNested: Bool

  private var classifier = WheelClassifier()
  private var latch = AxisLatch()
  /// The pressed key.
  @exclusivity(unchecked) private var heldKey: (key: Key, state: HeldKey)?
  /// Whether the content follows a finger or a pressed pointer, or is held by it.
  @exclusivity(unchecked) package private(set) var isDragging = false
  /// Whether a pan along another axis is in progress, which is not followed.
  private var ignoresPan = false

  /// The trackpad distance that corresponds to one wheel notch, in points: libinput's unit on Wayland.
  private static let pointsPerContinuousNotch = 10.0

  /// Creates a controller.
  ///
  /// - Parameter isNested: Whether the content is inside other content that scrolls along the other axis.
  package init(isNested: Bool) { self.isNested = isNested }

  /// Handles an event, or declines it.
  ///
  /// A cancellation is declined, because every view must receive it.
  package func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel):
      releaseKey(at: event.time)
      // With Control pressed the wheel is left to ancestors, for example to zoom.
      return wheel.modifiers.contains(.control) ? false : handleWheel(wheel, at: event.time)
    case .keyDown(let key, let modifiers, let isRepeat): return handleKeyDown(key, modifiers, isRepeat, at: event.time)
    case .keyUp(let key, _):
      guard heldKey?.key == key else { return false }
      releaseKey(at: event.time)
      return true
    case .touch(let touch): return handleTouch(touch, at: event.time)
    case .pan(let pan): return handlePan(pan, at: event.time)
    case .cancelled:
      releaseKey(at: event.time)
      endDrag(.stop, at: event.time)
      return false
    default: return false
    }
  }

  // MARK: - Wheels

  private func handleWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    guard let notches = isNested ? nestedNotches(of: wheel, kind, at: time) : notches(of: wheel), host.acceptsInput
    else { return false }
    guard notches != 0 else { return kind == .continuous }
    let unit = kind == .continuous ? ScrollInputController.pointsPerContinuousNotch : host.notchDistance
    host.applyInput(.wheel(distance: notches * unit * host.inputDirection, kind: kind), at: time)
    if kind == .continuous {
      let scroll = host.inputScroll
      if scroll.phase(at: time) == .tracking { host.dragDidContinue(at: time, until: scroll.releaseInstant) }
    }
    return true
  }

  /// Returns the distance in notches along the axis.
  ///
  /// Content that scrolls horizontally follows either wheel axis.
  private func notches(of wheel: WheelInput) -> Double {
    host.inputAxis == .vertical || wheel.deltaX == 0 ? -wheel.deltaY : wheel.deltaX
  }

  /// Returns the distance in notches along the axis of nested content, or nil if the movement is along the other axis.
  private func nestedNotches(of wheel: WheelInput, _ kind: WheelKind, at time: FrameInstant) -> Double? {
    let isVertical = host.inputAxis == .vertical
    let isShiftScroll = wheel.modifiers.contains(.shift) && wheel.deltaX == 0
    let along = isShiftScroll || isVertical ? -wheel.deltaY : wheel.deltaX
    let across = isShiftScroll ? 0 : isVertical ? wheel.deltaX : wheel.deltaY
    let isAlong =
      kind == .continuous
      ? latch.latchesCrossAxis(mainDelta: across, crossDelta: along, at: time) : along.magnitude > across.magnitude
    return isAlong && along.isFinite ? along : nil
  }

  // MARK: - Keys

  /// Whether a key is held that scrolls the content on.
  package var holdsKey: Bool { heldKey != nil }

  /// Returns whether a key is held that scrolls the content on.
  package func holds(_ key: Key) -> Bool { heldKey?.key == key }

  /// Forgets the held key, because the content that it scrolls is gone.
  package func discardKey() { heldKey = nil }

  /// The time at which content starts to scroll continuously for a pressed key, or nil.
  package var heldKeyStart: FrameInstant? { heldKey.flatMap { $0.state.isRunning ? nil : $0.state.due } }

  private func handleKeyDown(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool, at time: FrameInstant) -> Bool {
    if isRepeat, heldKey?.key == key { return true }
    guard let event = host.scrollEvent(for: key, modifiers) else { return false }
    heldKey = nil
    if case .advance(let distance) = event, key.isArrow, !isRepeat, host.scrollsWhileKeyIsHeld {
      heldKey = (key, HeldKey(isForward: distance > 0, at: time))
    }
    host.applyInput(event, at: time)
    return true
  }

  /// Starts continuous scrolling for a pressed key when it is due.
  package func advanceHeldKey(to instant: FrameInstant) {
    guard heldKey != nil, let due = heldKeyStart else { return }
    if let event = heldKey?.state.advance(to: instant, row: host.lineDistance) { host.applyInput(event, at: due) }
  }

  /// Ends continuous scrolling for a pressed key.
  package func releaseKey(at time: FrameInstant) {
    guard heldKey != nil else { return }
    advanceHeldKey(to: time)
    guard let held = heldKey else { return }
    heldKey = nil
    if held.state.isRunning, host.inputScroll.phase(at: time) == .animating {
      host.applyInput(.glide(velocity: 0), at: time)
    }
  }

  // MARK: - Fingers

  /// Handles a touch that stops moving content, or its end.
  private func handleTouch(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    guard touch.phase == .began else {
      guard isDragging else { return false }
      switch touch.phase {
      case .ended: endDrag(.release, at: time)
      case .cancelled: endDrag(.stop, at: time)
      case .began, .moved: break
      }
      return true
    }
    releaseKey(at: time)
    let phase = host.inputScroll.phase(at: time)
    guard phase.isCoasting || phase == .animating else { return false }
    beginDrag(at: time)
    return true
  }

  /// Moves the content with fingers along its axis.
  private func handlePan(_ pan: PanInput, at time: FrameInstant) -> Bool {
    guard pan.phase == .began else {
      guard isDragging, !ignoresPan else { return false }
      switch pan.phase {
      case .moved: drag(by: pan.translation, at: time)
      case .ended: endDrag(.release, at: time)
      case .began, .cancelled: endDrag(.stop, at: time)
      }
      return true
    }
    let axis = host.inputAxis
    let (along, across) = (pan.translation[axis].magnitude, pan.translation[axis.cross].magnitude)
    ignoresPan = !(isNested ? along > across : along >= across) || !host.canScroll
    guard !ignoresPan else {
      // The touch stopped it, but the pan is along the other axis.
      if isNested { endDrag(.release, at: time) }
      return false
    }
    releaseKey(at: time)
    beginDrag(at: time)
    return true
  }

  // MARK: - Drags

  /// Holds the content where it is.
  package func beginDrag(at time: FrameInstant) {
    isDragging = true
    host.applyInput(.hold, at: host.shownInstant(time))
    host.dragDidContinue(at: time, until: nil)
  }

  /// Moves held content with a finger or the pointer.
  ///
  /// - Parameter translation: The movement in points on the screen.
  package func drag(by translation: Point, at time: FrameInstant) {
    host.applyInput(.drag(by: -translation[host.inputAxis] * host.inputDirection), at: time)
  }

  /// Ends a drag, if one is in progress.
  ///
  /// - Parameter event: Whether the content is released or stopped.
  package func endDrag(_ event: ScrollEvent, at time: FrameInstant) {
    guard isDragging else { return }
    isDragging = false
    host.dragWillEnd(at: time)
    host.applyInput(event, at: time)
  }
}

extension Key {
  /// Whether it is an arrow key.
  fileprivate var isArrow: Bool { self == .up || self == .down || self == .left || self == .right }
}
