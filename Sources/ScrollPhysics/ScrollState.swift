public import VitrineFramePacing

/// The scroll position along one axis as a closed-form function of time.
///
/// A value that events mutate. Between two events its properties at any instant follow without further calls, whatever
/// the frame rate. Offsets are in points; at rest they lie within ``range``. The user can drag content beyond an edge
/// by less than a viewport, and content that coasts after a drag bounces there; all other motion stops at the edges. No
/// event, whatever its values, produces a non-finite offset or velocity.
public struct ScrollState: Sendable {
  /// The allowed offsets.
  public private(set) var range: ScrollRange
  /// The parameters of the motion; a change applies to later events.
  public var tuning: ScrollTuning

  var trajectory: ScrollTrajectory
  /// Whether the last drag was one of the scroll bar's thumb.
  private var isThumbDragged = false
  private var lastEvent = FrameInstant.distantPast
  private var trackpad = ContinuousTracker()
  private var finger = FingerTracker()
  private var cadence = WheelCadence()
  /// The flick that was interrupted by the current drag; a second flick adds to it.
  private var caughtFlick: (velocity: Double, instant: FrameInstant)?

  /// Creates a state at rest.
  public init(range: ScrollRange = .zero, offset: Double = 0, tuning: ScrollTuning = .standard) {
    self.range = range
    self.tuning = tuning
    trajectory = ScrollTrajectory(ScrollSegment(restingAt: offset, in: range, from: .distantPast))
  }

  /// Returns the offset at an instant; instants before the last event count as that event's.
  ///
  /// - Complexity: O(1), without allocation.
  public func offset(at instant: FrameInstant) -> Double {
    let instant = ScrollLimits.bounded(instant)
    return trajectory.segment(at: instant).offset(at: instant)
  }

  /// Returns the velocity at an instant, in points per second; 0 during a drag.
  ///
  /// - Complexity: O(1), without allocation.
  public func velocity(at instant: FrameInstant) -> Double {
    let instant = ScrollLimits.bounded(instant)
    return trajectory.segment(at: instant).velocity(at: instant)
  }

  /// Returns the phase at an instant.
  ///
  /// - Complexity: O(1).
  public func phase(at instant: FrameInstant) -> ScrollPhase {
    let instant = ScrollLimits.bounded(instant)
    return trajectory.segment(at: instant).phase(at: instant)
  }

  /// Returns whether the offset will change after an instant without another event, so that frames are needed.
  ///
  /// - Complexity: O(1).
  public func isMoving(at instant: FrameInstant) -> Bool {
    guard let rest = trajectory.restInstant else { return false }
    return rest > instant
      && !(trajectory.restOffset == offset(at: instant) && trajectory.segment(at: instant).phase == .tracking)
  }

  /// Returns whether late frames at an instant count as hitches.
  ///
  /// - Complexity: O(1).
  public func isTracked(at instant: FrameInstant) -> Bool { phase(at: instant) != .idle }

  /// Returns whether the thumb of the scroll bar is being dragged at an instant.
  ///
  /// - Complexity: O(1).
  public func isThumbHeld(at instant: FrameInstant) -> Bool {
    isThumbDragged && trajectory.restInstant == nil && phase(at: instant) == .tracking
  }

  /// The offset at which the content will come to rest without further events.
  ///
  /// - Complexity: O(1).
  public var projectedOffset: Double { trajectory.restOffset }

  /// Returns the target of an animated scroll by wheel, key or program after an instant, or nil if there is none.
  ///
  /// - Complexity: O(1).
  public func pullTarget(after instant: FrameInstant) -> Double? {
    let instant = ScrollLimits.bounded(instant)
    let segment = trajectory.segment(at: instant)
    guard case .spring(let spring) = segment.motion, segment.phase(at: instant) == .animating else { return nil }
    return spring.target
  }

  /// The instant at which the content comes to rest without further events, or nil while the thumb or a finger holds
  /// it.
  ///
  /// - Complexity: O(1).
  public var restInstant: FrameInstant? { trajectory.restInstant }

  /// The instant at which the fingers are assumed to have left the trackpad.
  ///
  /// It is nil if no drag is in progress, and during drags that end with an explicit event.
  public var releaseInstant: FrameInstant? { trajectory.current.phase == .tracking ? trajectory.current.end : nil }

  /// Returns the first instant, no earlier than another, at which the offset has a value, or nil if there is none.
  ///
  /// - Complexity: O(1).
  public func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    trajectory.instant(reaching: offset, after: ScrollLimits.bounded(instant))
  }

  // MARK: - Events

  /// Delays the motion after an instant by a duration in which the content was not visible.
  ///
  /// The motion continues from its position at that instant. Drags and content at rest are unaffected.
  ///
  /// - Complexity: O(1), without allocation.
  public mutating func delay(by duration: FrameDuration, after instant: FrameInstant) {
    guard duration > .zero, isMoving(at: instant) else { return }
    trajectory.delay(by: duration)
    // Events from the meantime apply to the position that was visible.
    lastEvent = max(lastEvent, instant + duration)
  }

  /// Applies an event and returns its effects.
  ///
  /// A timestamp before that of the last event counts as that one.
  ///
  /// - Complexity: O(1), without allocation.
  @discardableResult
  public mutating func handle(_ event: ScrollEvent, at time: FrameInstant) -> ScrollEffects {
    let instant = max(lastEvent, ScrollLimits.bounded(time))
    lastEvent = instant
    trajectory.discardEnded(by: instant)
    let before = (offset: offset(at: instant), projected: trajectory.restOffset)
    let adjustment = apply(event, at: instant)
    var effects: ScrollEffects = []
    let distance = (offset(at: instant) - before.offset - adjustment).magnitude
    if distance > 0 { effects.insert(.moved) }
    if distance > 0, distance >= range.viewportLength { effects.insert(.teleported) }
    if trajectory.restOffset != before.projected + adjustment { effects.insert(.projectionChanged) }
    return effects
  }

  /// Applies an event and returns the offset adjustment that it contains.
  private mutating func apply(_ event: ScrollEvent, at instant: FrameInstant) -> Double {
    endBurst(event)
    switch event {
    case .thumbDrag: isThumbDragged = true
    case .rangeChanged, .offsetAdjusted, .retarget: break
    default: isThumbDragged = false
    }
    switch event {
    case .wheel(let distance, .continuous):
      applyTrackpadDelta(distance.bounded(by: ScrollLimits.position), at: instant)
    case .wheel(let distance, .notch), .wheel(let distance, .highResolution):
      moveTarget(by: distance, with: cadence.spring(at: instant), at: instant)
    case .advance(let distance):
      moveTarget(by: distance, with: tuning.keyboard, at: instant)
    case .page(let pages):
      let page = tuning.pageFraction.bounded(by: 1) * range.viewportLength
      moveTarget(by: pages.bounded(by: ScrollLimits.position) * page, with: tuning.keyboard, at: instant)
    case .scrollTo(let target, animated: true) where !tuning.reducesMotion:
      ease(to: range.clamp(target), at: instant)
    case .scrollTo(let offset, animated: _), .jump(let offset):
      trajectory = ScrollTrajectory(ScrollSegment(restingAt: offset, in: range, from: instant))
    case .flick(let velocity, let accumulating): flick(velocity, accumulating, at: instant)
    case .steady(let velocity):
      let motion = UniformSimulation(start: offset(at: instant), velocity: velocity)
      run(.uniform(motion), velocity: motion.initialVelocity, at: instant)
    case .glide(let velocity): glide(velocity.bounded(by: ScrollLimits.velocity), at: instant)
    case .hold: stopContent(at: instant)
    case .drag(let distance): drag(by: distance.bounded(by: ScrollLimits.position), at: instant)
    case .release: release(at: instant)
    case .settle(let target): animateContent(to: range.clamp(target), from: instant)
    case .retarget(let target, let shown): retarget(to: range.clamp(target), shown: shown, at: instant)
    case .thumbDrag(let offset):
      trajectory = ScrollTrajectory(
        ScrollSegment(trackingAt: range.clamp(offset), in: range, from: instant, until: nil))
    case .thumbRelease:
      if trajectory.restInstant == nil { comeToRest(at: instant) }
    case .stop: comeToRest(at: instant)
    case .rangeChanged(let range, let points):
      return adapt(to: range, translatedBy: points, at: instant)
    case .offsetAdjusted(let points):
      return adapt(to: range, translatedBy: points, at: instant)
    }
    return 0
  }

  /// Discards the trackpad burst and the caught flick, unless the event continues them or is not a user event.
  private mutating func endBurst(_ event: ScrollEvent) {
    switch event {
    case .rangeChanged, .offsetAdjusted, .wheel(_, .continuous), .settle, .retarget: break
    case .hold, .drag, .release: trackpad.reset()
    default:
      trackpad.reset()
      caughtFlick = nil
    }
  }

  /// Stops the content, or lets it return from beyond an edge.
  mutating func comeToRest(at instant: FrameInstant) {
    let offset = offset(at: instant)
    trajectory =
      range.contains(offset)
      ? ScrollTrajectory(ScrollSegment(restingAt: offset, in: range, from: instant))
      : ScrollTrajectory(ScrollSegment(bouncingFrom: offset, 0, in: range, from: instant, tuning))
  }

  private mutating func adapt(
    to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant
  ) -> Double {
    let points = points.bounded(by: ScrollLimits.position)
    guard range != self.range || points != 0 else { return 0 }
    self.range = range
    trajectory.adapt(to: range, translatedBy: points, at: instant, tuning)
    return points
  }

  /// Applies a programmatic flick, which stops at an edge.
  private mutating func flick(_ velocity: Double, _ isAccumulating: Bool, at instant: FrameInstant) {
    let velocity = velocity.bounded(by: ScrollLimits.velocity)
    let left = isAccumulating && phase(at: instant) == .decelerating ? self.velocity(at: instant) : 0
    let sum = tuning.accumulated(velocity, onto: left)
    let offset = offset(at: instant)
    trajectory =
      range.contains(offset)
      ? ScrollTrajectory(
        ScrollSegment(flickVelocity: sum, from: offset, in: range, at: instant, tuning, isElastic: false))
      : ScrollTrajectory(releasedAt: offset, velocity: sum, in: range, at: instant, tuning)
  }

  // MARK: - Drags

  /// Moves the content with the fingers on a trackpad, and plans the motion after the last delta.
  private mutating func applyTrackpadDelta(_ distance: Double, at instant: FrameInstant) {
    let segment = trajectory.segment(at: instant)
    if segment.phase(at: instant) != .tracking {
      trackpad.reset()
      caughtFlick = segment.phase(at: instant) == .decelerating ? (segment.velocity(at: instant), instant) : nil
    }
    trackpad.add(distance, at: instant)
    let offset = draggedOffset(segment.offset(at: instant), by: distance, band: tuning.trackpadBand)
    let release = instant + trackpad.timeout
    let held = ScrollSegment(trackingAt: offset, in: range, from: instant, until: release)
    guard range.contains(offset) else {
      trajectory = ScrollTrajectory(
        held, then: ScrollSegment(bouncingFrom: offset, 0, in: range, from: release, tuning))
      return
    }
    let velocity = releaseVelocity(trackpad.releaseVelocity(above: max(0, tuning.minimumReleaseSpeed)), at: release)
    guard velocity != 0 else {
      trajectory = ScrollTrajectory(held)
      return
    }
    let run = ScrollSegment(flickVelocity: velocity, from: offset, in: range, at: release, tuning)
    trajectory = ScrollTrajectory(held, then: run, run.bounce(tuning))
  }

  /// Stops the content under a finger, unless a drag is in progress.
  private mutating func stopContent(at instant: FrameInstant) {
    guard trajectory.restInstant != nil else { return }
    let segment = trajectory.segment(at: instant)
    caughtFlick = segment.phase(at: instant) == .decelerating ? (segment.velocity(at: instant), instant) : nil
    finger = FingerTracker()
    finger.add(0, at: instant)
    trajectory = ScrollTrajectory(
      ScrollSegment(trackingAt: segment.offset(at: instant), in: range, from: instant, until: nil))
  }

  private mutating func drag(by distance: Double, at instant: FrameInstant) {
    if trajectory.restInstant != nil { stopContent(at: instant) }
    // A delta of 0 means that the finger pauses; it is not a slow sample.
    guard distance != 0 else { return }
    finger.add(distance, at: instant)
    let offset = draggedOffset(offset(at: instant), by: distance, band: tuning.touchBand)
    trajectory = ScrollTrajectory(ScrollSegment(trackingAt: offset, in: range, from: instant, until: nil))
  }

  private mutating func release(at instant: FrameInstant) {
    guard trajectory.restInstant == nil else { return }
    let velocity = finger.velocity(at: instant)
    let isSlow = velocity.magnitude <= max(0, tuning.minimumReleaseSpeed)
    let offset = offset(at: instant)
    guard !isSlow || !range.contains(offset) else { return rest(at: offset, from: instant) }
    trajectory = ScrollTrajectory(
      releasedAt: offset, velocity: isSlow ? 0 : releaseVelocity(velocity, at: instant), in: range, at: instant, tuning)
  }

  mutating func rest(at offset: Double, from instant: FrameInstant) {
    trajectory = ScrollTrajectory(ScrollSegment(restingAt: offset, in: range, from: instant))
  }

  /// Returns the velocity after a drag, including what remains of the flick that the drag interrupted.
  private func releaseVelocity(_ velocity: Double, at release: FrameInstant) -> Double {
    guard velocity != 0, let caughtFlick else { return velocity }
    let left = caughtFlick.velocity * Exponential.exp(-tuning.rate.decay * (release - caughtFlick.instant).seconds)
    return tuning.accumulated(velocity, onto: left)
  }

  /// Returns an offset after a drag by a distance, with growing resistance beyond an edge.
  private func draggedOffset(_ offset: Double, by distance: Double, band: Double) -> Double {
    guard tuning.isElastic(in: range) else { return range.clamp(offset + distance) }
    let band = RubberBand(viewportLength: range.viewportLength, coefficient: band)
    let edge = range.clamp(offset)
    let pull = edge + band.pulled(shown: offset - edge) + distance
    let next = range.clamp(pull)
    return next + band.shown(pulled: (pull - next).bounded(by: ScrollLimits.longestPull * range.viewportLength))
  }
}
