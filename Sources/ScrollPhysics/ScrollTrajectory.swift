internal import VitrineFramePacing

/// The future motion of a scroll position without further events: one segment and up to two that follow.
///
/// The later segments are known in advance: the deceleration after the fingers are assumed to have left the trackpad,
/// and the bounce at an edge. They start without a timer or an event.
struct ScrollTrajectory: Sendable {
  private(set) var current: ScrollSegment
  private(set) var second: ScrollSegment?
  private(set) var third: ScrollSegment?

  /// Creates a trajectory of a segment and those that follow it.
  init(_ current: ScrollSegment, then second: ScrollSegment? = nil, _ third: ScrollSegment? = nil) {
    self.current = current
    self.second = second
    self.third = second == nil ? nil : third
  }

  /// Returns the segment in effect at an instant.
  func segment(at instant: FrameInstant) -> ScrollSegment {
    guard let second, current.hasEnded(by: instant) else { return current }
    guard let third, second.hasEnded(by: instant) else { return second }
    return third
  }

  /// Discards the segments that have ended.
  mutating func discardEnded(by instant: FrameInstant) {
    while let next = second, current.hasEnded(by: instant) {
      current = next
      second = third
      third = nil
    }
  }

  /// Delays all segments.
  mutating func delay(by duration: FrameDuration) {
    current = current.delayed(by: duration)
    second = second?.delayed(by: duration)
    third = third?.delayed(by: duration)
  }

  private var last: ScrollSegment { third ?? second ?? current }

  /// The offset at the end of the trajectory.
  var restOffset: Double { last.restOffset }

  /// The instant at which the trajectory ends, or nil during a drag.
  var restInstant: FrameInstant? { last.end }

  func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    guard let second else { return current.instant(reaching: offset, after: instant) }
    if !current.hasEnded(by: instant), let first = current.instant(reaching: offset, after: instant) { return first }
    guard let third else { return second.instant(reaching: offset, after: instant) }
    if !second.hasEnded(by: instant), let next = second.instant(reaching: offset, after: instant) { return next }
    return third.instant(reaching: offset, after: instant)
  }

  /// Translates all segments and applies a new range, as seen from an instant within the first segment.
  mutating func adapt(
    to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant, _ tuning: ScrollTuning
  ) {
    let before = self
    current = current.adapted(to: range, translatedBy: points, at: instant)
    guard let second else {
      // Motion that would have come to rest inside may now hit an edge.
      if !before.current.hasEnded(by: instant) { self.second = current.bounce(tuning) }
      return
    }
    switch current.phase {
    case .bouncing:
      // The content returns fast enough to continue into the range.
      self = ScrollTrajectory(
        releasedAt: current.offset(at: instant), velocity: current.velocity(at: instant), in: range, at: instant, tuning
      )
    case .tracking where second.phase == .bouncing:
      let offset = current.offset(at: current.start)
      self.second =
        range.contains(offset)
        ? nil : ScrollSegment(bouncingFrom: offset, 0, in: range, from: current.end ?? instant, tuning)
    case .tracking:
      let next = second.adapted(to: range, translatedBy: points, at: instant)
      self.second = next
      third = next.bounce(tuning)
    default:
      self.second = current.bounce(tuning)
    }
  }

  /// Creates the trajectory after a drag: a deceleration, preceded by the return from beyond an edge if necessary.
  init(
    releasedAt offset: Double, velocity: Double, in range: ScrollRange, at instant: FrameInstant,
    _ tuning: ScrollTuning
  ) {
    let edge = range.clamp(offset)
    guard offset != edge else {
      let run = ScrollSegment(flickVelocity: velocity, from: offset, in: range, at: instant, tuning)
      self.init(run, then: run.bounce(tuning))
      return
    }
    // Critically damped: the content reaches the edge where a + bt = 0, with the velocity b e^(-ωt).
    let beyond = range.clampBeyond(offset) - edge
    let slope = velocity + tuning.bounce.frequency * beyond
    guard slope * beyond < 0 else {
      self.init(ScrollSegment(bouncingFrom: offset, velocity, in: range, from: instant, tuning))
      return
    }
    let seconds = -beyond / slope
    let spring = SpringSimulation(start: edge + beyond, velocity: velocity, target: edge, parameters: tuning.bounce)
    let back = ScrollSegment(
      .bouncing, .spring(spring), in: range, from: instant, endingAt: edge, after: seconds)
    let run = ScrollSegment(
      flickVelocity: slope * Exponential.exp(-tuning.bounce.frequency * seconds), from: edge, in: range,
      at: back.end ?? instant, tuning)
    self.init(back, then: run, run.bounce(tuning))
  }
}

extension ScrollSegment {
  /// Creates the deceleration of a flick that starts within the range and bounces at an edge.
  init(
    flickVelocity velocity: Double, from offset: Double, in range: ScrollRange, at instant: FrameInstant,
    _ tuning: ScrollTuning, isElastic: Bool = true
  ) {
    let motion = DecelerationSimulation(
      start: offset, velocity: velocity, rate: tuning.rate, restDistance: tuning.restDistance)
    self.init(
      .decelerating, .decelerating(motion), in: range, from: instant,
      isElastic: isElastic && tuning.isElastic(in: range))
  }
}

extension ScrollTuning {
  /// Returns whether content can move beyond the edges of a range; false if there is nothing to scroll.
  func isElastic(in range: ScrollRange) -> Bool {
    bounces && !reducesMotion && (range.length > 0 || alwaysBounces)
  }
}
