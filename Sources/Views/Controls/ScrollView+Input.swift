package import FramePacing
import Geometry
package import Rendering
import ScrollPhysics

/// What wheels, keys, fingers and pointers do to content.
extension ScrollView {
  /// Points that a notch's worth of a trackpad's movement stands for: libinput's unit on Wayland.
  private static var continuousUnit: Double { 10 }

  /// Answers an event, or declines.
  final func take(_ event: InputEvent) -> Bool {
    if let isUsed = takeWhileScrolling(event) { return isUsed }
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
      catchRun(at: event.time)
      return false
    case .pointerMoved(let point): indicator.notePointer(at: point, time: event.time)
    case .pointerLeft: indicator.notePointer(at: nil, time: event.time)
    case .cancelled: letGoOfKey(at: event.time)
    case .touch(let touch): return feel(touch, at: event.time)
    case .pan(let pan): return follow(pan, at: event.time)
    default: break
    }
    return false
  }

  /// A hand holds the content, or did for as long as until a time: it is seen to where it comes to rest.
  final func noteHand(until release: FrameInstant? = nil) {
    hands.wasHolding = true
    hands.release = release
  }

  /// Whether a hand holds the content that may leave it without a word, or moved it a moment ago: what it does next comes in
  /// step with the frames, and whether those are late is counted.
  final var isInMovingHand: Bool {
    guard scroll.phase(at: lastInstant) == .tracking else { return false }
    return scroll.releaseInstant != nil || indicator.hasFlashed(within: .milliseconds(100))
  }

  /// A press, or a key that leads nowhere, catches content that runs on.
  package final func catchRun(at time: FrameInstant) {
    if scroll.phase(at: time) == .decelerating { act(.stop, at: shownInstant(time)) }
  }

  /// When a hand catches content: not before the frame that it sees, or it would spring back by as far.
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }

  /// Evaluates what is held at a frame's target time.
  final func advanceHands() {
    // Read once: most frames have no hand in them.
    let (holdsKey, wasHolding) = hands.inFrame
    if holdsKey { advanceHeldKey(to: lastInstant) }
    if wasHolding || isPagingEnabled || telling.hasDelegate { settleAfterHand() }
  }

  /// When content comes to follow a key that is held.
  final var heldKeyDue: FrameInstant? { hands.held.flatMap { $0.state.isRunning ? nil : $0.state.due } }

  /// A key that is held moves the content on from when it is due, whatever frame or event finds it so.
  private func advanceHeldKey(to instant: FrameInstant) {
    guard let due = heldKeyDue else { return }
    if let event = hands.held?.state.advance(to: instant, row: lineDistance) { act(event, at: due) }
  }

  // MARK: Wheels

  private func turn(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = hands.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let notches = notches(of: wheel)
    guard notches != 0 else { return kind == .continuous }
    let unit = kind == .continuous ? ScrollView.continuousUnit : notchDistance
    act(.wheel(distance: notches * unit, kind: kind), at: time)
    if kind == .continuous, scroll.phase(at: time) == .tracking { noteHand(until: scroll.releaseInstant) }
    return true
  }

  /// How many notches a wheel moves the content on along its axis: content that moves to the side follows either wheel.
  private func notches(of wheel: WheelInput) -> Double {
    scrollAxis == .vertical || wheel.deltaX == 0 ? -wheel.deltaY : wheel.deltaX
  }

  // MARK: Keys

  private func press(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool, at time: FrameInstant) -> Bool {
    if isRepeat, hands.held?.key == key { return true }
    guard let event = scrollEvent(for: key, modifiers) else {
      if !isRepeat { catchRun(at: time) }
      return false
    }
    hands.held = nil
    if case .advance(let distance) = event, key.isHeldToScroll, !isRepeat {
      hands.held = (key, HeldKey(isForward: distance > 0, at: time))
    }
    act(event, at: time)
    return true
  }

  private func letGoOfKey(at time: FrameInstant) {
    advanceHeldKey(to: time)
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
      noteHand()
    case .ended:
      hands.release = time
      act(.release, at: time)
    case .cancelled:
      hands.release = time
      act(.stop, at: time)
    case .moved: break
    }
    return true
  }

  /// Content follows fingers along its axis.
  private func follow(_ pan: PanInput, at time: FrameInstant) -> Bool {
    guard pan.phase == .began || hands.isPanned else { return false }
    hands.isPanned = pan.phase == .began || pan.phase == .moved
    switch pan.phase {
    case .began:
      let (along, across) = (pan.translation[scrollAxis], pan.translation[scrollAxis.cross])
      hands.isPanned = scroll.range.length > 0 && along.magnitude >= across.magnitude
      guard hands.isPanned else { return false }
      letGoOfKey(at: time)
      act(.hold, at: shownInstant(time))
      noteHand()
    case .moved: act(.drag(by: -pan.translation[scrollAxis]), at: time)
    case .ended:
      hands.release = time
      act(.release, at: time)
    case .cancelled:
      hands.release = time
      act(.stop, at: time)
    }
    return true
  }

  /// A hand let go: the delegate, or pages, say where the content comes to rest.
  private func settleAfterHand() {
    guard isPagingEnabled || telling.hasDelegate else {
      hands.wasHolding = false
      return
    }
    let phase = scroll.phase(at: lastInstant)
    let wasHolding = hands.wasHolding
    hands.wasHolding = phase == .tracking
    if hands.wasHolding {
      hands.release = scroll.releaseInstant
      return
    }
    guard wasHolding else { return }
    tellOfHand()
    guard phase != .animating else { return }
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
    hands.autoscroll = AutoscrollGrip(origin: place, mark: mark, window: window)
    addSubview(mark)
    window.grabber = self
    act(.stop)
    return true
  }

  /// Takes an event while a pointer says how fast content goes.
  ///
  /// - Returns: whether it was used; nothing where it means what it always does, as while no pointer does.
  package final func takeWhileScrolling(_ event: InputEvent) -> Bool? {
    guard let grip = hands.autoscroll else { return nil }
    switch event.kind {
    case .pointerMoved(let point):
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
    case .wheel, .touch, .pan, .pinch, .cancelled:
      endAutoscroll(at: event.time)
      return event.kind == .cancelled ? nil : false
    default: return false
    }
  }

  private func endAutoscroll(at time: FrameInstant) {
    guard let grip = hands.autoscroll else { return }
    hands.autoscroll = nil
    grip.mark.removeFromSuperview()
    if let window = grip.window, window.grabber === self { window.grabber = nil }
    if scroll.phase(at: time) == .animating { act(.stop, at: time) }
  }
}
