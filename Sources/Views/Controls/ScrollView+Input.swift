package import FramePacing
import Geometry
package import Rendering
import ScrollPhysics

/// What wheels, keys, fingers and pointers do to content.
extension ScrollView {
  /// Points that a notch's worth of a trackpad's movement stands for: libinput's unit on Wayland.
  private static var pointsPerContinuousNotch: Double { 10 }

  /// Answers an event, or declines.
  final func handleScrollInput(_ event: InputEvent) -> Bool {
    if let isUsed = handleDuringAutoscroll(event) { return isUsed }
    switch event.kind {
    case .wheel(let wheel):
      releaseKey(at: event.time)
      // With Control held a wheel means something else to whoever is above.
      return wheel.modifiers.contains(.control) ? false : handleWheel(wheel, at: event.time)
    case .keyDown(let key, let modifiers, let isRepeat): return handleKeyDown(key, modifiers, isRepeat, at: event.time)
    case .keyUp(let key, _):
      guard interaction.heldKey?.key == key else { return false }
      releaseKey(at: event.time)
      return true
    case .pointerDown(let point, .middle, _, _): return beginAutoscroll(at: convertFromWindow(point))
    case .pointerDown(_, .primary, _, _):
      releaseKey(at: event.time)
      stopDeceleration(at: event.time)
      return false
    case .pointerMoved(let point): indicator.updatePointer(at: point, time: event.time)
    case .pointerLeft: indicator.updatePointer(at: nil, time: event.time)
    case .cancelled: releaseKey(at: event.time)
    case .touch(let touch): return handleTouch(touch, at: event.time)
    case .pan(let pan): return handlePan(pan, at: event.time)
    default: break
    }
    return false
  }

  /// A hand holds the content, or did for as long as until a time: it is seen to where it comes to rest.
  final func beginTracking(until release: FrameInstant? = nil) {
    interaction.wasTracking = true
    interaction.releaseInstant = release
  }

  /// Whether a hand holds the content that may leave it without a word, or moved it a moment ago: what it does next comes in
  /// step with the frames, and whether those are late is counted.
  final var isActivelyTracked: Bool {
    guard scroll.phase(at: lastInstant) == .tracking else { return false }
    return scroll.releaseInstant != nil || indicator.hasFlashed(within: .milliseconds(100))
  }

  /// A press, or a key that leads nowhere, catches content that runs on.
  package final func stopDeceleration(at time: FrameInstant) {
    if scroll.phase(at: time) == .decelerating { applyScrollEvent(.stop, at: shownInstant(time)) }
  }

  /// When a hand catches content: not before the frame that it sees, or it would spring back by as far.
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }

  /// Evaluates what is held at a frame's target time.
  final func advanceInteraction() {
    // Read once: most frames have no hand in them.
    let (holdsKey, wasHolding) = interaction.pendingChecks
    if holdsKey { advanceHeldKey(to: lastInstant) }
    if wasHolding || isPagingEnabled || notificationState.hasDelegate { settleAfterDrag() }
  }

  /// When content comes to follow a key that is held.
  final var heldKeyStart: FrameInstant? { interaction.heldKey.flatMap { $0.state.isRunning ? nil : $0.state.due } }

  /// A key that is held moves the content on from when it is due, whatever frame or event finds it so.
  private func advanceHeldKey(to instant: FrameInstant) {
    guard let due = heldKeyStart else { return }
    if let event = interaction.heldKey?.state.advance(to: instant, row: lineDistance) {
      applyScrollEvent(event, at: due)
    }
  }

  // MARK: Wheels

  private func handleWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = interaction.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let notches = notches(of: wheel)
    guard notches != 0 else { return kind == .continuous }
    let unit = kind == .continuous ? ScrollView.pointsPerContinuousNotch : notchDistance
    applyScrollEvent(.wheel(distance: notches * unit, kind: kind), at: time)
    if kind == .continuous, scroll.phase(at: time) == .tracking { beginTracking(until: scroll.releaseInstant) }
    return true
  }

  /// How many notches a wheel moves the content on along its axis: content that moves to the side follows either wheel.
  private func notches(of wheel: WheelInput) -> Double {
    scrollAxis == .vertical || wheel.deltaX == 0 ? -wheel.deltaY : wheel.deltaX
  }

  // MARK: Keys

  private func handleKeyDown(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool, at time: FrameInstant) -> Bool {
    if isRepeat, interaction.heldKey?.key == key { return true }
    guard let event = scrollEvent(for: key, modifiers) else {
      if !isRepeat { stopDeceleration(at: time) }
      return false
    }
    interaction.heldKey = nil
    if case .advance(let distance) = event, key.scrollsWhileHeld, !isRepeat {
      interaction.heldKey = (key, HeldKey(isForward: distance > 0, at: time))
    }
    applyScrollEvent(event, at: time)
    return true
  }

  private func releaseKey(at time: FrameInstant) {
    advanceHeldKey(to: time)
    guard let held = interaction.heldKey else { return }
    interaction.heldKey = nil
    if held.state.isRunning, scroll.phase(at: time) == .animating { applyScrollEvent(.glide(velocity: 0), at: time) }
  }

  // MARK: Fingers

  /// A finger stops what moves, and lets go of it.
  private func handleTouch(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    switch touch.phase {
    case .began:
      releaseKey(at: time)
      let phase = scroll.phase(at: time)
      guard phase.runsFree || phase == .animating else { return false }
      applyScrollEvent(.hold, at: shownInstant(time))
      beginTracking()
    case .ended:
      interaction.releaseInstant = time
      applyScrollEvent(.release, at: time)
    case .cancelled:
      interaction.releaseInstant = time
      applyScrollEvent(.stop, at: time)
    case .moved: break
    }
    return true
  }

  /// Content follows fingers along its axis.
  private func handlePan(_ pan: PanInput, at time: FrameInstant) -> Bool {
    guard pan.phase == .began || interaction.isPanning else { return false }
    interaction.isPanning = pan.phase == .began || pan.phase == .moved
    switch pan.phase {
    case .began:
      let (along, across) = (pan.translation[scrollAxis], pan.translation[scrollAxis.cross])
      interaction.isPanning = scroll.range.length > 0 && along.magnitude >= across.magnitude
      guard interaction.isPanning else { return false }
      releaseKey(at: time)
      applyScrollEvent(.hold, at: shownInstant(time))
      beginTracking()
    case .moved: applyScrollEvent(.drag(by: -pan.translation[scrollAxis]), at: time)
    case .ended:
      interaction.releaseInstant = time
      applyScrollEvent(.release, at: time)
    case .cancelled:
      interaction.releaseInstant = time
      applyScrollEvent(.stop, at: time)
    }
    return true
  }

  /// A hand let go: the delegate, or pages, say where the content comes to rest.
  private func settleAfterDrag() {
    guard isPagingEnabled || notificationState.hasDelegate else {
      interaction.wasTracking = false
      return
    }
    let phase = scroll.phase(at: lastInstant)
    let wasHolding = interaction.wasTracking
    interaction.wasTracking = phase == .tracking
    if interaction.wasTracking {
      interaction.releaseInstant = scroll.releaseInstant
      return
    }
    guard wasHolding else { return }
    notifyOfDrag()
    guard phase != .animating else { return }
    let instant = interaction.releaseInstant ?? lastInstant
    let velocity = scroll.velocity(at: instant)
    let proposed = scroll.projectedOffset
    var target = proposed
    if isPagingEnabled {
      target = PageRule.offset(from: scroll.offset(at: instant), velocity: velocity, in: scroll.range)
    }
    scrollDelegate?.scrollViewWillEndDragging(self, withVelocity: velocity, targetContentOffset: &target)
    guard target.isFinite else { return didRejectInvalidNumber() }
    if target != proposed { applyScrollEvent(.settle(at: target), at: instant) }
  }

  // MARK: Autoscroll

  private func beginAutoscroll(at place: Point) -> Bool {
    guard scroll.range.length > 0, let window, bounds.contains(place) else { return false }
    let mark = AutoscrollIndicator(at: place, axis: scrollAxis)
    interaction.autoscroll = AutoscrollSession(origin: place, indicator: mark, window: window)
    addSubview(mark)
    window.grabber = self
    applyScrollEvent(.stop)
    return true
  }

  /// Takes an event while a pointer says how fast content goes.
  ///
  /// - Returns: whether it was used; nothing where it means what it always does, as while no pointer does.
  package final func handleDuringAutoscroll(_ event: InputEvent) -> Bool? {
    guard let grip = interaction.autoscroll else { return nil }
    switch event.kind {
    case .pointerMoved(let point):
      let velocity = Autoscroll.velocity(at: convertFromWindow(point)[scrollAxis] - grip.origin[scrollAxis])
      if velocity != 0 { interaction.autoscroll?.isClick = false }
      if velocity != 0 || scroll.phase(at: event.time) == .animating {
        applyScrollEvent(.glide(velocity: velocity), at: event.time)
      }
      return true
    case .pointerUp(_, .middle, _):
      // Let go where it was pressed it goes on until the next press.
      if interaction.autoscroll?.isClick == false { endAutoscroll(at: event.time) }
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
    guard let grip = interaction.autoscroll else { return }
    interaction.autoscroll = nil
    grip.indicator.removeFromSuperview()
    if let window = grip.window, window.grabber === self { window.grabber = nil }
    if scroll.phase(at: time) == .animating { applyScrollEvent(.stop, at: time) }
  }
}
