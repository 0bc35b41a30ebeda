package import FramePacing
import Geometry
import Rendering
import ScrollPhysics

/// What wheels, keys, fingers and pointers do to content.
extension ScrollView {
  /// Points that a notch's worth of a trackpad's movement stands for: libinput's unit on Wayland.
  private static var continuousUnit: Double { 10 }

  /// Answers an event, or declines.
  final func take(_ event: InputEvent) -> Bool {
    if hands.autoscroll != nil, let isUsed = takeWhileScrolling(event) { return isUsed }
    switch event.kind {
    case .wheel(let wheel):
      letGoOfKey(at: event.time)
      // With Control held a wheel means something else to whoever is above.
      return wheel.modifiers.contains(.control) ? false : turn(wheel, at: event.time)
    case .keyDown(let key, let modifiers, let isRepeat): return press(key, modifiers, isRepeat, at: event.time)
    case .keyUp(let key, _):
      guard hands.held?.key == key else { return false }
      letGoOfKey(at: event.time)
      return true
    case .pointerDown(let point, .middle, _, _): return beginAutoscroll(at: convertFromWindow(point))
    case .pointerDown(_, .primary, _, _):
      letGoOfKey(at: event.time)
      // A press catches content that runs on.
      if scroll.phase(at: event.time) == .decelerating { act(.stop, at: shownInstant(event.time)) }
      return false
    case .pointerMoved(let point): indicator.notePointer(at: point, time: event.time)
    case .pointerLeft: indicator.notePointer(at: nil, time: event.time)
    case .touch(let touch): return feel(touch, at: event.time)
    case .pan(let pan): return follow(pan, at: event.time)
    default: break
    }
    return false
  }

  /// When a hand catches content: not before the frame that it sees, or it would spring back by as far.
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }

  /// Evaluates what is held at a frame's target time.
  final func advanceHands() {
    if let event = hands.held?.state.advance(to: lastInstant, row: lineDistance) { act(event, at: lastInstant) }
    settleAfterHand()
  }

  /// Whether a key is held that content does not follow yet.
  final var awaitsHeldKey: Bool { hands.held.map { !$0.state.isRunning } ?? false }

  // MARK: Wheels

  private func turn(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = hands.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let notches = notches(of: wheel)
    guard notches != 0 else { return kind == .continuous }
    let unit = kind == .continuous ? ScrollView.continuousUnit : notchDistance
    act(.wheel(distance: notches * unit, kind: kind), at: time)
    return true
  }

  /// How many notches a wheel moves the content on along its axis: content that moves to the side follows either wheel.
  private func notches(of wheel: WheelInput) -> Double {
    scrollAxis == .vertical || wheel.deltaX == 0 ? -wheel.deltaY : wheel.deltaX
  }

  // MARK: Keys

  private func press(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool, at time: FrameInstant) -> Bool {
    if isRepeat, hands.held?.key == key { return true }
    guard let event = scrollEvent(for: key, modifiers) else { return false }
    hands.held = nil
    if case .advance(let distance) = event, !isRepeat {
      hands.held = (key, HeldKey(isForward: distance > 0, at: time))
    }
    act(event, at: time)
    return true
  }

  private func letGoOfKey(at time: FrameInstant) {
    guard let held = hands.held else { return }
    hands.held = nil
    if held.state.isRunning, scroll.phase(at: time) == .animating { act(.glide(velocity: 0), at: time) }
  }

  // MARK: Fingers

  /// A finger stops what moves, and lets go of it.
  private func feel(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    switch touch.phase {
    case .began:
      letGoOfKey(at: time)
      let phase = scroll.phase(at: time)
      guard phase.runsFree || phase == .animating else { return false }
      act(.hold, at: shownInstant(time))
    case .ended: act(.release, at: time)
    case .cancelled: act(.stop, at: time)
    case .moved: break
    }
    return true
  }

  /// Content follows fingers along its axis.
  private func follow(_ pan: PanInput, at time: FrameInstant) -> Bool {
    switch pan.phase {
    case .began:
      let (along, across) = (pan.translation[scrollAxis], pan.translation[scrollAxis.cross])
      guard scroll.range.length > 0, along.magnitude >= across.magnitude else { return false }
      letGoOfKey(at: time)
      act(.hold, at: shownInstant(time))
    case .moved: act(.drag(by: -pan.translation[scrollAxis]), at: time)
    case .ended:
      hands.release = time
      act(.release, at: time)
    case .cancelled: act(.stop, at: time)
    }
    return true
  }

  /// A hand let go: the delegate, or pages, say where the content comes to rest.
  private func settleAfterHand() {
    guard isPagingEnabled || telling.hasDelegate else { return }
    let phase = scroll.phase(at: lastInstant)
    let wasHolding = hands.wasHolding
    hands.wasHolding = phase == .tracking
    if hands.wasHolding {
      hands.release = scroll.releaseInstant
      return
    }
    guard wasHolding, phase != .animating else { return }
    let instant = hands.release ?? lastInstant
    let velocity = scroll.velocity(at: instant)
    let proposed = scroll.projectedOffset
    var target = proposed
    if isPagingEnabled {
      target = PageRule.offset(from: scroll.offset(at: instant), velocity: velocity, in: scroll.range)
    }
    scrollDelegate?.scrollViewWillEndDragging(self, withVelocity: velocity, targetContentOffset: &target)
    guard target.isFinite else { return numberWasRefused() }
    if target != proposed { act(.settle(at: target), at: instant) }
  }

  // MARK: Autoscroll

  private func beginAutoscroll(at place: Point) -> Bool {
    guard scroll.range.length > 0, let window, bounds.contains(place) else { return false }
    let mark = AutoscrollMark(at: place, axis: scrollAxis)
    hands.autoscroll = AutoscrollGrip(origin: place, mark: mark)
    addSubview(mark)
    window.grabber = self
    act(.stop)
    return true
  }

  /// Takes an event while a pointer says how fast content goes.
  ///
  /// - Returns: whether it was used; nothing where it means what it always does.
  private func takeWhileScrolling(_ event: InputEvent) -> Bool? {
    switch event.kind {
    case .pointerMoved(let point):
      guard let grip = hands.autoscroll else { return nil }
      let velocity = Autoscroll.velocity(at: convertFromWindow(point)[scrollAxis] - grip.origin[scrollAxis])
      if velocity != 0 { hands.autoscroll?.isClick = false }
      if velocity != 0 || scroll.phase(at: event.time) == .animating { act(.glide(velocity: velocity), at: event.time) }
      return true
    case .pointerUp(_, .middle, _):
      // Let go where it was pressed it goes on until the next press.
      if hands.autoscroll?.isClick == false { endAutoscroll(at: event.time) }
      return true
    case .pointerUp, .pointerLeft: return true
    case .pointerDown:
      endAutoscroll(at: event.time)
      return true
    case .keyDown(let key, _, _):
      endAutoscroll(at: event.time)
      return key == .escape ? true : nil
    case .wheel, .touch, .pan, .pinch, .hidden:
      endAutoscroll(at: event.time)
      return false
    default: return false
    }
  }

  private func endAutoscroll(at time: FrameInstant) {
    guard let grip = hands.autoscroll else { return }
    hands.autoscroll = nil
    grip.mark.removeFromSuperview()
    if let window, window.grabber === self { window.grabber = nil }
    if scroll.phase(at: time) == .animating { act(.stop, at: time) }
  }
}
