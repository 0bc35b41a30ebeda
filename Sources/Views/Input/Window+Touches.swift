import FramePacing
import Geometry
import Rendering

/// Fingers on the screen: what they mean, and to which view.
///
/// A tap is a click, and a long press a click with the other button. A view that ``View/followsTouches`` has a finger as
/// its pointer from the touch on.
extension Window {
  /// Whether the one finger on the screen draws content along: its moves do no more than that.
  var isPanningWithOneFinger: Bool {
    touchRouting.pointerTouch == nil && touchRouting.recognizer.isPanningWithOneFinger
  }

  /// Takes a touch.
  func handleTouch(_ touch: TouchInput, at time: FrameInstant) {
    if let follower = touchRouting.pointerTouch,
      touch.phase != .began || !TouchRecognizer.isLost(follower.lastEventInstant, at: time)
    {
      // The other fingers wait until this one has left.
      if follower.finger == touch.finger { sendAsPointer(touch, follower.view, at: time) }
      return
    }
    if touch.phase == .began {
      cancelPointerTouch(at: time)
      for gesture in touchRouting.recognizer.cancelLostTouches(at: time) { performGesture(gesture, at: time) }
    }
    if touch.phase == .began, !touchRouting.recognizer.isTouched, let view = root.hitTest(touch.location),
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

  /// Time goes by: a finger that stays where it is comes to mean something.
  func advanceTouches(to instant: FrameInstant) {
    guard touchRouting.recognizer.isAwaitingLongPress else { return }
    for gesture in touchRouting.recognizer.advance(to: instant) { performGesture(gesture, at: instant) }
  }

  /// No finger means anything any more.
  func cancelTouches(at time: FrameInstant) {
    cancelPointerTouch(at: time)
    for gesture in touchRouting.recognizer.cancelGestures() { performGesture(gesture, at: time) }
  }

  /// A view leaves the tree: fingers do nothing to it any more, or to views within.
  func cancelTouches(in view: View, at time: FrameInstant) {
    func sendEvent(_ kind: InputEvent.Kind, _ other: View?) { _ = other?.handle(InputEvent(time: time, kind: kind)) }
    if let follower = touchRouting.pointerTouch?.view, isAncestor(view, of: follower) {
      touchRouting.pointerTouch?.view = nil
      sendEvent(.cancelled, follower)
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
    guard let follower = touchRouting.pointerTouch else { return }
    touchRouting.pointerTouch = nil
    offerEvent(InputEvent(time: time, kind: .cancelled), to: follower.view)
    offerEvent(InputEvent(time: time, kind: .pointerLeft), to: follower.view)
  }

  private func sendAsPointer(_ touch: TouchInput, _ view: View?, at time: FrameInstant) {
    let place = touch.location
    touchRouting.pointerTouch?.lastEventInstant = time
    func sendEvent(_ kind: InputEvent.Kind) { offerEvent(InputEvent(time: time, kind: kind), to: view) }
    switch touch.phase {
    case .began:
      sendEvent(.pointerMoved(place))
      sendEvent(.pointerDown(place, button: .primary, clicks: 1, modifiers: []))
    case .moved: sendEvent(.pointerMoved(place))
    case .cancelled: cancelPointerTouch(at: time)
    case .ended:
      touchRouting.pointerTouch = nil
      sendEvent(.pointerUp(place, button: .primary, modifiers: []))
      sendEvent(.pointerLeft)
    }
  }

  private func performGesture(_ gesture: TouchGesture, at time: FrameInstant) {
    switch gesture {
    case .touched(let place):
      let touch = TouchInput(finger: 0, phase: .began, location: place)
      touchRouting.stoppedView = offerEvent(InputEvent(time: time, kind: .touch(touch)), to: root.hitTest(place))
    case .lifted: releaseStoppedView(at: time)
    case .tap(let place, let count):
      // What only stopped content that ran means nothing else.
      if touchRouting.stoppedView == nil { sendClick(place, .primary, clicks: count, at: time) }
      touchRouting.stoppedView = nil
    case .longPress(let place):
      if touchRouting.stoppedView == nil { sendClick(place, .secondary, clicks: 1, at: time) }
    case .pan(let pan):
      let event = InputEvent(time: time, kind: .pan(pan))
      if pan.phase == .began {
        touchRouting.panTarget = offerEvent(event, to: root.hitTest(pan.start))
        if touchRouting.panTarget !== touchRouting.stoppedView { releaseStoppedView(at: time) }
        touchRouting.stoppedView = nil
      } else if let view = touchRouting.panTarget {
        if pan.phase.isEnd { touchRouting.panTarget = nil }
        _ = view.handle(event)
      }
    case .pinch(let pinch):
      let event = InputEvent(time: time, kind: .pinch(pinch))
      if pinch.phase == .began {
        touchRouting.pinchTarget = offerEvent(event, to: root.hitTest(pinch.location))
      } else if let view = touchRouting.pinchTarget {
        if pinch.phase.isEnd { touchRouting.pinchTarget = nil }
        _ = view.handle(event)
      }
    }
  }

  /// The finger that stopped content is there no more.
  private func releaseStoppedView(at time: FrameInstant) {
    let touch = TouchInput(finger: 0, phase: .ended, location: .zero)
    _ = touchRouting.stoppedView?.handle(InputEvent(time: time, kind: .touch(touch)))
  }

  /// A finger clicks as a pointer would that is there for this alone.
  private func sendClick(_ place: Point, _ button: PointerButton, clicks: Int, at time: FrameInstant) {
    let target = root.hitTest(place)
    dispatch(
      InputEvent(time: time, kind: .pointerDown(place, button: button, clicks: clicks, modifiers: [])))
    dispatch(InputEvent(time: time, kind: .pointerUp(place, button: button, modifiers: [])))
    offerEvent(InputEvent(time: time, kind: .pointerLeft), to: target)
  }
}

extension TouchInput.Phase {
  /// Whether nothing follows.
  fileprivate var isEnd: Bool { self == .ended || self == .cancelled }
}
