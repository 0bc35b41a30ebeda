internal import VitrineFramePacing

/// A part of a scroll trajectory: one motion from an instant until it stops or the next segment begins.
struct ScrollSegment: Sendable {
  let phase: ScrollPhase
  let motion: ScrollMotion
  let range: ScrollRange
  private(set) var start: FrameInstant
  /// The instant at which the segment ends, or nil during a drag that ends with an explicit event.
  private(set) var end: FrameInstant?
  /// The offset at the end of the segment; for a drag beyond an edge, that edge.
  let restOffset: Double
  /// Whether motion that hits an edge bounces.
  let isElastic: Bool
  /// Whether the segment ends at a given target rather than where its motion alone would end.
  private let hasTarget: Bool
  /// The distances in points by which the offset may exceed the range: those at the start, or a viewport during drags
  /// and bounces.
  private let overscroll: (low: Double, high: Double)
  /// The offsets to which the motion is clamped.
  private var bounds: ClosedRange<Double> { (range.minimum - overscroll.low)...(range.maximum + overscroll.high) }

  /// Creates a segment of motion that continues until it stops or hits an edge.
  init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, in range: ScrollRange, from start: FrameInstant,
    isElastic: Bool = false, overscroll: (low: Double, high: Double)? = nil
  ) {
    let stop = motion.stop(in: range)
    self.init(
      phase, motion, range, start, ScrollLimits.instant(stop.seconds, after: start), stop.offset, isElastic: isElastic,
      overscroll: overscroll)
  }

  /// Creates a segment of a drag: a constant offset, possibly beyond an edge, until the next event or `end`.
  init(trackingAt offset: Double, in range: ScrollRange, from start: FrameInstant, until end: FrameInstant?) {
    let held = range.clampBeyond(offset)
    self.init(.tracking, .still(held), range, start, end, range.clamp(held))
  }

  /// Creates a segment at rest.
  init(restingAt offset: Double, in range: ScrollRange, from start: FrameInstant) {
    self.init(.idle, .still(range.clamp(offset)), range, start, start, range.clamp(offset))
  }

  /// Creates a segment of motion that ends at a target after a number of seconds.
  init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, in range: ScrollRange, from start: FrameInstant,
    endingAt restOffset: Double, after seconds: Double, overscroll: (low: Double, high: Double)? = nil
  ) {
    self.init(
      phase, motion, range, start, ScrollLimits.instant(seconds, after: start), restOffset, hasTarget: true,
      overscroll: overscroll)
  }

  private init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, _ range: ScrollRange, _ start: FrameInstant,
    _ end: FrameInstant?, _ restOffset: Double, isElastic: Bool = false, hasTarget: Bool = false,
    overscroll: (low: Double, high: Double)? = nil
  ) {
    self.phase = phase
    self.motion = motion
    self.range = range
    self.start = start
    self.end = end
    self.restOffset = restOffset
    self.isElastic = isElastic
    self.hasTarget = hasTarget
    if phase == .bouncing || phase == .tracking {
      self.overscroll = (range.viewportLength, range.viewportLength)
    } else {
      let beginning = range.clampBeyond(motion.position(at: 0))
      let wanted = overscroll ?? (max(0, range.minimum - beginning), max(0, beginning - range.maximum))
      self.overscroll = (min(wanted.low, range.viewportLength), min(wanted.high, range.viewportLength))
    }
  }

  /// Returns the segment with a later start and end.
  func delayed(by duration: FrameDuration) -> ScrollSegment {
    var segment = self
    segment.start = start + duration
    segment.end = end.map { $0 + duration }
    return segment
  }

  func hasEnded(by instant: FrameInstant) -> Bool { end.map { instant >= $0 } ?? false }

  func seconds(at instant: FrameInstant) -> Double { max(0, (instant - start).seconds) }

  func offset(at instant: FrameInstant) -> Double {
    if hasEnded(by: instant) { return restOffset }
    return min(bounds.upperBound, max(bounds.lowerBound, motion.position(at: seconds(at: instant))))
  }

  func velocity(at instant: FrameInstant) -> Double {
    guard !hasEnded(by: instant), bounds.contains(motion.position(at: seconds(at: instant))) else { return 0 }
    return motion.velocity(at: seconds(at: instant))
  }

  func phase(at instant: FrameInstant) -> ScrollPhase { hasEnded(by: instant) ? .idle : phase }

  /// Returns the first instant, no earlier than another, at which the segment is at an offset.
  func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    let begin = max(instant, start)
    if self.offset(at: begin) == offset { return begin }
    guard !hasEnded(by: begin), bounds.contains(offset) else { return nil }
    if let seconds = motion.time(reaching: offset, after: seconds(at: begin)) {
      let reached = ScrollLimits.instant(seconds, after: begin)
      if !hasEnded(by: reached) { return reached }
    }
    return offset == restOffset ? end : nil
  }

  /// Returns the bounce at the edge that the segment hits, or nil if it stops before or the edges are not elastic.
  func bounce(_ tuning: ScrollTuning) -> ScrollSegment? {
    guard isElastic, let end, restOffset == range.minimum || restOffset == range.maximum else { return nil }
    let velocity = motion.velocity(at: motion.stop(in: range).seconds)
    guard velocity.magnitude >= ScrollLimits.minimumBounceSpeed else { return nil }
    return ScrollSegment(bouncingFrom: restOffset, velocity, in: range, from: end, tuning)
  }

  /// Creates the spring motion back to an edge from an offset at or beyond it.
  init(
    bouncingFrom offset: Double, _ velocity: Double, in range: ScrollRange, from start: FrameInstant,
    _ tuning: ScrollTuning
  ) {
    let spring = SpringSimulation(
      start: range.clampBeyond(offset), velocity: velocity.bounded(by: max(0, tuning.maximumBounceSpeed)),
      target: range.clamp(offset), parameters: tuning.bounce)
    self.init(.bouncing, .spring(spring), in: range, from: start)
  }

  /// Returns the segment translated and with another range, as seen from an instant within it.
  func adapted(to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant) -> ScrollSegment {
    if case .still(let held) = motion, phase == .tracking {
      // The distance beyond the edge stays the same.
      let edge = self.range.clamp(held)
      return ScrollSegment(trackingAt: range.clamp(edge + points) + (held - edge), in: range, from: start, until: end)
    }
    let moved = motion.translated(by: points)
    switch moved {
    case .still(let offset):
      return ScrollSegment(phase, .still(range.clamp(offset)), range, start, end, range.clamp(offset))
    case .decelerating, .uniform, .gliding:
      // Content stopped by an edge stays at rest when the edge moves away.
      if hasEnded(by: instant) { return ScrollSegment(restingAt: restOffset + points, in: range, from: end ?? start) }
      // A segment with a target still ends at that target.
      if hasTarget {
        let place = range.clamp(restOffset + points)
        return ScrollSegment(
          phase, moved, in: range, from: start, endingAt: place, after: moved.stop(in: range).seconds,
          overscroll: overscroll)
      }
      return ScrollSegment(phase, moved, in: range, from: start, isElastic: isElastic, overscroll: overscroll)
    case .spring(let spring):
      let target = range.clamp(spring.target)
      guard target != spring.target, !hasEnded(by: instant) else {
        return ScrollSegment(phase, moved, in: range, from: start, overscroll: overscroll)
      }
      let pulled = spring.retargeted(to: target, after: seconds(at: instant))
      return ScrollSegment(phase, .spring(pulled), in: range, from: max(start, instant), overscroll: overscroll)
    }
  }
}

// MARK: - Motion

/// The motion of a scroll segment, stored without an existential container.
enum ScrollMotion: Hashable, Sendable {
  case still(Double)
  case decelerating(DecelerationSimulation)
  case spring(SpringSimulation)
  case uniform(UniformSimulation)
  case gliding(GlideSimulation)

  func position(at seconds: Double) -> Double {
    switch self {
    case .still(let offset): offset
    case .decelerating(let simulation): simulation.position(at: seconds)
    case .spring(let simulation): simulation.position(at: seconds)
    case .uniform(let simulation): simulation.position(at: seconds)
    case .gliding(let simulation): simulation.position(at: seconds)
    }
  }

  func velocity(at seconds: Double) -> Double {
    switch self {
    case .still: 0
    case .decelerating(let simulation): simulation.velocity(at: seconds)
    case .spring(let simulation): simulation.velocity(at: seconds)
    case .uniform(let simulation): simulation.velocity(at: seconds)
    case .gliding(let simulation): simulation.velocity(at: seconds)
    }
  }

  /// The seconds after which the motion ends; 0 for content at rest.
  var duration: Double {
    switch self {
    case .still: 0
    case .decelerating(let simulation): simulation.duration
    case .spring(let simulation): simulation.duration
    case .uniform(let simulation): simulation.duration
    case .gliding(let simulation): simulation.duration
    }
  }

  /// Returns the seconds from a time within the motion until it next reaches a position.
  func time(reaching position: Double, after seconds: Double) -> Double? {
    switch self {
    case .still(let offset):
      return offset == position ? 0 : nil
    case .decelerating(let simulation):
      return simulation.time(reaching: position).flatMap { $0 >= seconds ? $0 - seconds : nil }
    case .uniform(let simulation):
      return simulation.time(reaching: position).flatMap { $0 >= seconds ? $0 - seconds : nil }
    case .gliding(let simulation):
      return simulation.time(reaching: position).flatMap { $0 >= seconds ? $0 - seconds : nil }
    case .spring(let simulation):
      return simulation.retargeted(to: simulation.target, after: seconds).time(reaching: position)
    }
  }

  func translated(by points: Double) -> ScrollMotion {
    switch self {
    case .still(let offset): .still((offset + points).bounded(by: ScrollLimits.position))
    case .decelerating(let simulation): .decelerating(simulation.translated(by: points))
    case .spring(let simulation): .spring(simulation.translated(by: points))
    case .uniform(let simulation): .uniform(simulation.translated(by: points))
    case .gliding(let simulation): .gliding(simulation.translated(by: points))
    }
  }

  /// Returns when and where the motion stops in a range: at an edge that it hits, else where it ends.
  func stop(in range: ScrollRange) -> (seconds: Double, offset: Double) {
    switch self {
    case .still(let offset):
      return (0, range.clamp(offset))
    case .spring(let simulation):
      return (simulation.duration, range.clamp(simulation.target))
    case .decelerating, .uniform, .gliding:
      let isBackward = if case .gliding(let simulation) = self { simulation.velocity < 0 } else { velocity(at: 0) < 0 }
      let end = isBackward ? range.minimum : range.maximum
      let isBeyond = isBackward ? position(at: 0) <= end : position(at: 0) >= end
      if isBeyond { return (0, end) }
      guard let hit = time(reaching: end, after: 0) else {
        return (duration, range.clamp(position(at: duration)))
      }
      return (hit, end)
    }
  }
}
