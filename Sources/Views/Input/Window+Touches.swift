import FramePacing
import Geometry
import Rendering

/// Fingers on the screen: what they mean, and to which view.
///
/// A tap is a click, and a long press a click with the other button. A view that ``View/followsTouches`` has a finger as
/// its pointer from the touch on.
extension Window {
  /// Whether the one finger on the screen draws content along: its moves do no more than that.
  var isPanning: Bool { touches.follower == nil && touches.recognizer.isPanningByOne }

  /// Takes a touch.
  func handle(_ touch: TouchInput, at time: FrameInstant) {
    if let follower = touches.follower, touch.phase != .began || !TouchRecognizer.isLost(follower.heard, at: time) {
      // The other fingers wait until this one has left.
      if follower.finger == touch.finger { follow(touch, follower.view, at: time) }
      return
    }
    if touch.phase == .began {
      cancelFollower(at: time)
      for gesture in touches.recognizer.cancelLost(at: time) { carryOut(gesture, at: time) }
    }
    if touch.phase == .began, !touches.recognizer.isTouched, let view = root.hitTest(touch.location),
      view.followsTouches
    {
      touches.follower = TouchRouting.Follower(finger: touch.finger, view: view, heard: time)
      return follow(touch, view, at: time)
    }
    if touch.phase == .began, !touches.isWatched {
      touches.isWatched = true
      addParticipant(TouchWatch(self))
    }
    for gesture in touches.recognizer.handle(touch, at: time) { carryOut(gesture, at: time) }
    if touches.recognizer.awaitsTime { setNeedsFrame() }
  }

  /// Time goes by: a finger that stays where it is comes to mean something.
  func advanceTouches(to instant: FrameInstant) {
    guard touches.recognizer.awaitsTime else { return }
    for gesture in touches.recognizer.advance(to: instant) { carryOut(gesture, at: instant) }
  }

  /// No finger means anything any more.
  func cancelTouches(at time: FrameInstant) {
    cancelFollower(at: time)
    for gesture in touches.recognizer.cancel() { carryOut(gesture, at: time) }
  }

  /// A view leaves the tree: fingers do nothing to it any more, or to views within.
  func leaveTouches(_ view: View, at time: FrameInstant) {
    func tell(_ kind: InputEvent.Kind, _ other: View?) { _ = other?.handle(InputEvent(time: time, kind: kind)) }
    if let follower = touches.follower?.view, holds(view, follower) {
      touches.follower?.view = nil
      tell(.cancelled, follower)
    }
    if let holder = touches.holder, holds(view, holder) {
      touches.holder = nil
      tell(.touch(TouchInput(finger: 0, phase: .cancelled, location: .zero)), holder)
    }
    if let panned = touches.panned, holds(view, panned) {
      touches.panned = nil
      tell(.pan(PanInput(phase: .cancelled, start: .zero, location: .zero, translation: .zero)), panned)
    }
    if let pinched = touches.pinched, holds(view, pinched) {
      touches.pinched = nil
      tell(.pinch(PinchInput(phase: .cancelled, location: .zero, scale: 1)), pinched)
    }
  }

  private func cancelFollower(at time: FrameInstant) {
    guard let follower = touches.follower else { return }
    touches.follower = nil
    offer(InputEvent(time: time, kind: .cancelled), to: follower.view)
    offer(InputEvent(time: time, kind: .pointerLeft), to: follower.view)
  }

  private func follow(_ touch: TouchInput, _ view: View?, at time: FrameInstant) {
    let place = touch.location
    touches.follower?.heard = time
    func tell(_ kind: InputEvent.Kind) { offer(InputEvent(time: time, kind: kind), to: view) }
    switch touch.phase {
    case .began:
      tell(.pointerMoved(place))
      tell(.pointerDown(place, button: .primary, clicks: 1, modifiers: []))
    case .moved: tell(.pointerMoved(place))
    case .cancelled: cancelFollower(at: time)
    case .ended:
      touches.follower = nil
      tell(.pointerUp(place, button: .primary, modifiers: []))
      tell(.pointerLeft)
    }
  }

  private func carryOut(_ gesture: TouchGesture, at time: FrameInstant) {
    switch gesture {
    case .touched(let place):
      let touch = TouchInput(finger: 0, phase: .began, location: place)
      touches.holder = offer(InputEvent(time: time, kind: .touch(touch)), to: root.hitTest(place))
    case .lifted: letGo(at: time)
    case .tap(let place, let count):
      // What only stopped content that ran means nothing else.
      if touches.holder == nil { click(place, .primary, clicks: count, at: time) }
      touches.holder = nil
    case .longPress(let place):
      if touches.holder == nil { click(place, .secondary, clicks: 1, at: time) }
    case .pan(let pan):
      let event = InputEvent(time: time, kind: .pan(pan))
      if pan.phase == .began {
        touches.panned = offer(event, to: root.hitTest(pan.start))
        if touches.panned !== touches.holder { letGo(at: time) }
        touches.holder = nil
      } else if let view = touches.panned {
        if pan.phase.isEnd { touches.panned = nil }
        _ = view.handle(event)
      }
    case .pinch(let pinch):
      let event = InputEvent(time: time, kind: .pinch(pinch))
      if pinch.phase == .began {
        touches.pinched = offer(event, to: root.hitTest(pinch.location))
      } else if let view = touches.pinched {
        if pinch.phase.isEnd { touches.pinched = nil }
        _ = view.handle(event)
      }
    }
  }

  /// The finger that stopped content is there no more.
  private func letGo(at time: FrameInstant) {
    let touch = TouchInput(finger: 0, phase: .ended, location: .zero)
    _ = touches.holder?.handle(InputEvent(time: time, kind: .touch(touch)))
  }

  /// A finger clicks as a pointer would that is there for this alone.
  private func click(_ place: Point, _ button: PointerButton, clicks: Int, at time: FrameInstant) {
    let target = root.hitTest(place)
    dispatch(
      InputEvent(time: time, kind: .pointerDown(place, button: button, clicks: clicks, modifiers: [])))
    dispatch(InputEvent(time: time, kind: .pointerUp(place, button: button, modifiers: [])))
    offer(InputEvent(time: time, kind: .pointerLeft), to: target)
  }
}

extension TouchInput.Phase {
  /// Whether nothing follows.
  fileprivate var isEnd: Bool { self == .ended || self == .cancelled }
}
