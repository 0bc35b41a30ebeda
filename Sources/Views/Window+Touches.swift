import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// Recognition of touch gestures and their routing to views.
///
/// A tap is sent as a click, and a long press as a secondary click. A view with ``View/treatsTouchAsPointer`` receives
/// a finger as its pointer from the touch onward.
extension Window {
  /// Whether a single finger is panning, so that its moves only scroll content.
  var isPanningWithOneFinger: Bool {
    touchRouting.pointerTouch == nil && touchRouting.recognizer.isPanningWithOneFinger
  }

  /// Processes a touch.
  func handleTouch(_ touch: TouchInput, at time: FrameInstant) {
    if let pointerTouch = touchRouting.pointerTouch,
      touch.phase != .began || !TouchRecognizer.isLost(pointerTouch.lastEventInstant, at: time)
    {
      // Other fingers are ignored until this one has left.
      if pointerTouch.finger == touch.finger { sendAsPointer(touch, pointerTouch.view, at: time) }
      return
    }
    if touch.phase == .began {
      cancelPointerTouch(at: time)
      for gesture in touchRouting.recognizer.cancelLostTouches(at: time) { performGesture(gesture, at: time) }
    }
    if touch.phase == .began, !touchRouting.recognizer.isTouched, let view = rootView.hitTest(touch.location),
      view.treatsTouchAsPointer
    {
      touchRouting.pointerTouch = TouchRoutingState.PointerTouch(
        finger: touch.finger, view: view, lastEventInstant: time)
      return sendAsPointer(touch, view, at: time)
    }
    if touch.phase == .began, !touchRouting.hasLongPressTimer {
      touchRouting.hasLongPressTimer = true
      addParticipant(LongPressTimer(self))
    }
    for gesture in touchRouting.recognizer.handle(touch, at: time) { performGesture(gesture, at: time) }
    if touchRouting.recognizer.isAwaitingLongPress { setNeedsFrame() }
  }

  /// Advances the time, so that long presses are recognized.
  func advanceTouches(to instant: FrameInstant) {
    // A finger whose end is held back has left.
    guard touchRouting.recognizer.isAwaitingLongPress, gestures?.holdsEvents != true else { return }
    for gesture in touchRouting.recognizer.advance(to: instant) { performGesture(gesture, at: instant) }
  }

  /// Cancels all touches.
  func cancelTouches(at time: FrameInstant) {
    cancelPointerTouch(at: time)
    for gesture in touchRouting.recognizer.cancelGestures() { performGesture(gesture, at: time) }
  }

  /// Cancels the touches of a view that leaves the tree and of its descendants.
  func cancelTouches(in view: View, at time: FrameInstant) {
    func sendEvent(_ kind: InputEvent.Kind, _ other: View?) { _ = other?.handle(InputEvent(time: time, kind: kind)) }
    if let pointerTouch = touchRouting.pointerTouch?.view, isAncestor(view, of: pointerTouch) {
      touchRouting.pointerTouch?.view = nil
      sendEvent(.cancelled, pointerTouch)
    }
    if let holder = touchRouting.stoppedView, isAncestor(view, of: holder) {
      touchRouting.stoppedView = nil
      sendEvent(.touch(TouchInput(finger: 0, phase: .cancelled, location: .zero)), holder)
    }
    if let panned = touchRouting.panTarget, isAncestor(view, of: panned) {
      touchRouting.panTarget = nil
      sendEvent(.pan(PanInput(phase: .cancelled, start: .zero, location: .zero, translation: .zero)), panned)
    }
    if let pinched = touchRouting.pinchTarget, isAncestor(view, of: pinched) {
      touchRouting.pinchTarget = nil
      sendEvent(.pinch(PinchInput(phase: .cancelled, location: .zero, scale: 1)), pinched)
    }
  }

  private func cancelPointerTouch(at time: FrameInstant) {
    guard let pointerTouch = touchRouting.pointerTouch else { return }
    touchRouting.pointerTouch = nil
    offerEvent(InputEvent(time: time, kind: .cancelled), to: pointerTouch.view)
    offerEvent(InputEvent(time: time, kind: .pointerLeft), to: pointerTouch.view)
  }

  private func sendAsPointer(_ touch: TouchInput, _ view: View?, at time: FrameInstant) {
    let location = touch.location
    touchRouting.pointerTouch?.lastEventInstant = time
    func sendEvent(_ kind: InputEvent.Kind) { offerEvent(InputEvent(time: time, kind: kind), to: view) }
    switch touch.phase {
    case .began:
      sendEvent(.pointerMoved(location))
      sendEvent(.pointerDown(location, button: .primary, clicks: 1, modifiers: []))
    case .moved: sendEvent(.pointerMoved(location))
    case .cancelled: cancelPointerTouch(at: time)
    case .ended:
      touchRouting.pointerTouch = nil
      sendEvent(.pointerUp(location, button: .primary, modifiers: []))
      sendEvent(.pointerLeft)
    }
  }

  private func performGesture(_ gesture: TouchGesture, at time: FrameInstant) {
    switch gesture {
    case .touched(let location):
      let touch = TouchInput(finger: 0, phase: .began, location: location)
      touchRouting.stoppedView = offerEvent(InputEvent(time: time, kind: .touch(touch)), to: rootView.hitTest(location))
    case .lifted: releaseStoppedView(at: time)
    case .tap(let location, let count):
      // A tap that stopped moving content has no other effect.
      if touchRouting.stoppedView == nil { sendClick(location, .primary, clicks: count, at: time) }
      touchRouting.stoppedView = nil
    case .longPress(let location):
      if touchRouting.stoppedView == nil {
        gestures?.failUndecided()
        sendClick(location, .secondary, clicks: 1, at: time)
      }
    case .pan(let pan):
      let event = InputEvent(time: time, kind: .pan(pan))
      if pan.phase == .began {
        touchRouting.panTarget = offerEvent(event, to: rootView.hitTest(pan.start))
        if touchRouting.panTarget != nil { gestures?.failUndecided() }
        if touchRouting.panTarget !== touchRouting.stoppedView { releaseStoppedView(at: time) }
        touchRouting.stoppedView = nil
      } else if let view = touchRouting.panTarget {
        if pan.phase.isEnd { touchRouting.panTarget = nil }
        _ = view.handle(event)
      }
    case .pinch(let pinch):
      let event = InputEvent(time: time, kind: .pinch(pinch))
      if pinch.phase == .began {
        touchRouting.pinchTarget = offerEvent(event, to: rootView.hitTest(pinch.location))
      } else if let view = touchRouting.pinchTarget {
        if pinch.phase.isEnd { touchRouting.pinchTarget = nil }
        _ = view.handle(event)
      }
    }
  }

  /// Notifies the stopped view that the finger has left.
  private func releaseStoppedView(at time: FrameInstant) {
    let touch = TouchInput(finger: 0, phase: .ended, location: .zero)
    _ = touchRouting.stoppedView?.handle(InputEvent(time: time, kind: .touch(touch)))
  }

  /// Sends a click at a location, followed by the pointer leaving.
  private func sendClick(_ location: Point, _ button: PointerButton, clicks: Int, at time: FrameInstant) {
    let target = rootView.hitTest(location)
    dispatchClick(InputEvent(time: time, kind: .pointerDown(location, button: button, clicks: clicks, modifiers: [])))
    dispatchClick(InputEvent(time: time, kind: .pointerUp(location, button: button, modifiers: [])))
    offerEvent(InputEvent(time: time, kind: .pointerLeft), to: target)
  }
}

extension TouchInput.Phase {
  /// Whether the phase ends the touch.
  fileprivate var isEnd: Bool { self == .ended || self == .cancelled }
}

/// The assignment of touches to views.
struct TouchRoutingState {
  /// The gesture recognizer.
  var recognizer = TouchRecognizer()
  /// The view whose moving content a finger stopped.
  weak var stoppedView: View?
  /// The target of the current pan.
  weak var panTarget: View?
  /// The target of the current pinch.
  weak var pinchTarget: View?
  /// The finger that acts as the pointer of a view.
  var pointerTouch: PointerTouch?
  /// Whether the participant that times long presses has been added.
  var hasLongPressTimer = false

  /// A finger that acts as the pointer of the view that it touched.
  struct PointerTouch {
    /// The identifier of the finger.
    var finger: Int64
    /// The view.
    weak var view: View?
    /// The time of the finger's last event.
    var lastEventInstant: FrameInstant
  }
}
