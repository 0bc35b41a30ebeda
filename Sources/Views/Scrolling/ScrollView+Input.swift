package import FramePacing
import Geometry
package import Rendering
import ScrollPhysics

/// Scrolling by wheels, keys, fingers and pointers.
extension ScrollView {
  /// The distance in points for a notch's worth of trackpad movement: libinput's unit on Wayland.
  private static var pointsPerContinuousNotch: Double { 10 }

  /// Handles an event, or declines it.
  final func handleScrollInput(_ event: InputEvent) -> Bool {
    if let isHandled = handleDuringAutoscroll(event) { return isHandled }
    switch event.kind {
    case .wheel(let wheel):
      releaseKey(at: event.time)
      // With Control pressed the wheel is left to ancestors, for example to zoom.
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
    case .pointerMoved(let point): scrollIndicator.updatePointer(at: point, time: event.time)
    case .pointerLeft: scrollIndicator.updatePointer(at: nil, time: event.time)
    case .cancelled: releaseKey(at: event.time)
    case .touch(let touch): return handleTouch(touch, at: event.time)
    case .pan(let pan): return handlePan(pan, at: event.time)
    default: break
    }
    return false
  }

  /// Records the start or continuation of a drag, which is observed until the content comes to rest.
  final func beginTracking(until release: FrameInstant? = nil) {
    interaction.wasTracking = true
    interaction.releaseInstant = release
  }

  /// Whether a drag is in progress whose end may not be reported, or that moved the content a moment ago.
  ///
  /// Its next input arrives in step with the frames, whose lateness is then counted.
  final var isActivelyTracked: Bool {
    guard scroll.phase(at: lastInstant) == .tracking else { return false }
    return scroll.releaseInstant != nil || scrollIndicator.hasFlashed(within: .milliseconds(100))
  }

  /// Stops decelerating content after a press or a key without effect.
  package final func stopDeceleration(at time: FrameInstant) {
    if scroll.phase(at: time) == .decelerating { applyScrollEvent(.stop, at: shownInstant(time)) }
  }

  /// Returns the time at which a drag catches content: not before the last frame, or the content would jump back.
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }

  /// Updates pressed keys and drags for a frame's target time.
  final func advanceInteraction() {
    // Read once, because most frames have no interaction.
    let (hasPressedKey, wasTracking) = interaction.pendingChecks
    if hasPressedKey { advanceHeldKey(to: lastInstant) }
    if wasTracking || isPagingEnabled || notificationState.hasDelegate { settleAfterDrag() }
  }

  /// The time at which content starts to scroll continuously for a pressed key, or nil.
  final var heldKeyStart: FrameInstant? { interaction.heldKey.flatMap { $0.state.isRunning ? nil : $0.state.due } }

  /// Starts continuous scrolling for a pressed key when it is due.
  private func advanceHeldKey(to instant: FrameInstant) {
    guard let due = heldKeyStart else { return }
    if let event = interaction.heldKey?.state.advance(to: instant, row: lineDistance) {
      applyScrollEvent(event, at: due)
    }
  }

  // MARK: - Wheels

  private func handleWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = interaction.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let notches = notches(of: wheel)
    guard notches != 0 else { return kind == .continuous }
    let unit = kind == .continuous ? ScrollView.pointsPerContinuousNotch : notchDistance
    applyScrollEvent(.wheel(distance: notches * unit, kind: kind), at: time)
    if kind == .continuous, scroll.phase(at: time) == .tracking { beginTracking(until: scroll.releaseInstant) }
    return true
  }

  /// Returns the distance in notches along the scroll axis; content that scrolls horizontally follows either wheel
  /// axis.
  private func notches(of wheel: WheelInput) -> Double {
    scrollAxis == .vertical || wheel.deltaX == 0 ? -wheel.deltaY : wheel.deltaX
  }

  // MARK: - Keys

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

  // MARK: - Fingers

  /// Handles a touch that stops moving content, or its end.
  private func handleTouch(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    switch touch.phase {
    case .began:
      releaseKey(at: time)
      let phase = scroll.phase(at: time)
      guard phase.isCoasting || phase == .animating else { return false }
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

  /// Moves the content with fingers along its axis.
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

  /// Determines the target offset at the end of a drag, from the delegate or the page size.
  private func settleAfterDrag() {
    guard isPagingEnabled || notificationState.hasDelegate else {
      interaction.wasTracking = false
      return
    }
    let phase = scroll.phase(at: lastInstant)
    let wasTracking = interaction.wasTracking
    interaction.wasTracking = phase == .tracking
    if interaction.wasTracking {
      interaction.releaseInstant = scroll.releaseInstant
      return
    }
    guard wasTracking else { return }
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

  // MARK: - Autoscroll

  private func beginAutoscroll(at location: Point) -> Bool {
    guard scroll.range.length > 0, let window, bounds.contains(location) else { return false }
    let indicator = AutoscrollIndicator(at: location, axis: scrollAxis)
    interaction.autoscroll = AutoscrollSession(origin: location, indicator: indicator, window: window)
    addSubview(indicator)
    window.grabber = self
    applyScrollEvent(.stop)
    return true
  }

  /// Handles an event during an autoscroll.
  ///
  /// - Returns: Whether the event was handled, or nil if it has its usual meaning because no autoscroll is in progress
  ///   or it ends one.
  package final func handleDuringAutoscroll(_ event: InputEvent) -> Bool? {
    guard let session = interaction.autoscroll else { return nil }
    switch event.kind {
    case .pointerMoved(let point):
      let velocity = Autoscroll.velocity(at: convertFromWindow(point)[scrollAxis] - session.origin[scrollAxis])
      if velocity != 0 { interaction.autoscroll?.isClick = false }
      if velocity != 0 || scroll.phase(at: event.time) == .animating {
        applyScrollEvent(.glide(velocity: velocity), at: event.time)
      }
      return true
    case .pointerUp(_, .middle, _):
      // Released where it was pressed, the autoscroll continues until the next press.
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
    guard let session = interaction.autoscroll else { return }
    interaction.autoscroll = nil
    session.indicator.removeFromSuperview()
    if let window = session.window, window.grabber === self { window.grabber = nil }
    if scroll.phase(at: time) == .animating { applyScrollEvent(.stop, at: time) }
  }
}

extension ScrollView {
  /// Returns the event that a key causes, or nil if it does not scroll.
  final func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    switch key {
    case .down where scrollAxis == .vertical, .right where scrollAxis == .horizontal:
      return .advance(by: lineDistance)
    case .up where scrollAxis == .vertical, .left where scrollAxis == .horizontal:
      return .advance(by: -lineDistance)
    case .pageDown: return pageEvent(by: 1)
    case .pageUp: return pageEvent(by: -1)
    case .space: return pageEvent(by: modifiers.contains(.shift) ? -1 : 1)
    case .home: return .scrollTo(scroll.range.minimum, animated: true)
    case .end: return .scrollTo(scroll.range.maximum, animated: true)
    default: return nil
    }
  }

  /// Returns the event that scrolls by pages, continuing from the target of a page scroll in progress.
  final func pageEvent(by pages: Double) -> ScrollEvent {
    let from = scroll.pullTarget(after: lastInstant).flatMap { ($0 - contentOffset) * pages > 0 ? $0 : nil }
    return .advance(by: pageDistance(pages, from: from ?? contentOffset))
  }

  /// Scrolls by pages, as after a press next to the thumb.
  final func scrollByPages(_ pages: Double) { applyScrollEvent(pageEvent(by: pages)) }
}

extension Key {
  /// Whether content scrolls continuously while the key is pressed.
  var scrollsWhileHeld: Bool { self == .up || self == .down || self == .left || self == .right }
}

// MARK: - Interaction state

/// The state of the user's interaction with a scroll view.
struct ScrollInteraction {
  /// The classifier that distinguishes wheels from trackpads.
  var classifier = WheelClassifier()
  /// The pressed key.
  var heldKey: (key: Key, state: HeldKey)?
  /// The autoscroll in progress.
  var autoscroll: AutoscrollSession?
  /// Whether the content follows a pan.
  var isPanning = false
  /// Whether a drag was in progress since the content last came to rest.
  var wasTracking = false
  /// The time at which the drag is assumed to end, or ended.
  var releaseInstant: FrameInstant?

  /// The checks that a frame must perform: for a pressed key, and for a drag.
  var pendingChecks: (hasPressedKey: Bool, wasTracking: Bool) { (heldKey != nil, wasTracking) }
}
