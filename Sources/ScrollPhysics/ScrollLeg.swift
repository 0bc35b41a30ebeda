internal import FramePacing

/// A stretch of a scroll's way in time: one motion from an instant until it stops or the next leg begins.
struct ScrollLeg: Sendable {
  let phase: ScrollPhase
  let motion: ScrollMotion
  let range: ScrollRange
  private(set) var start: FrameInstant
  /// When it ends; nothing while a hand holds it that will say so.
  private(set) var end: FrameInstant?
  /// Where it ends; for what a hand holds beyond an end, that end.
  let restOffset: Double
  /// Whether what runs into an end bounces there.
  let isElastic: Bool
  /// Whether it ends where it was sent to, not where its motion alone would.
  private let isSent: Bool
  /// How far before the first and behind the last end it may be, in points: as far as it began beyond, or in a hand and
  /// bouncing a viewport.
  private let room: (low: Double, high: Double)
  /// Between which offsets it moves.
  private var bounds: ClosedRange<Double> { (range.minimum - room.low)...(range.maximum + room.high) }

  /// A leg that moves by itself until it stops, at a hard end if it runs into one.
  init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, in range: ScrollRange, from start: FrameInstant,
    isElastic: Bool = false, room: (low: Double, high: Double)? = nil
  ) {
    let stop = motion.stop(in: range)
    self.init(
      phase, motion, range, start, ScrollLimits.instant(stop.seconds, after: start), stop.offset, isElastic: isElastic,
      room: room)
  }

  /// A leg in a hand: still until the hand moves on, at the latest until `end`; it may be beyond an end.
  init(heldAt offset: Double, in range: ScrollRange, from start: FrameInstant, until end: FrameInstant?) {
    let held = range.clampBeyond(offset)
    self.init(.tracking, .still(held), range, start, end, range.clamp(held))
  }

  /// Rest.
  init(restingAt offset: Double, in range: ScrollRange, from start: FrameInstant) {
    self.init(.idle, .still(range.clamp(offset)), range, start, start, range.clamp(offset))
  }

  /// A leg that moves by itself to a place, where it is when its motion is over or before that.
  init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, in range: ScrollRange, from start: FrameInstant,
    endingAt restOffset: Double, after seconds: Double, room: (low: Double, high: Double)? = nil
  ) {
    self.init(
      phase, motion, range, start, ScrollLimits.instant(seconds, after: start), restOffset, isSent: true, room: room)
  }

  private init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, _ range: ScrollRange, _ start: FrameInstant,
    _ end: FrameInstant?, _ restOffset: Double, isElastic: Bool = false, isSent: Bool = false,
    room: (low: Double, high: Double)? = nil
  ) {
    self.phase = phase
    self.motion = motion
    self.range = range
    self.start = start
    self.end = end
    self.restOffset = restOffset
    self.isElastic = isElastic
    self.isSent = isSent
    if phase == .bouncing || phase == .tracking {
      self.room = (range.viewportLength, range.viewportLength)
    } else {
      let beginning = range.clampBeyond(motion.position(at: 0))
      let wanted = room ?? (max(0, range.minimum - beginning), max(0, beginning - range.maximum))
      self.room = (min(wanted.low, range.viewportLength), min(wanted.high, range.viewportLength))
    }
  }

  /// The same way, begun later.
  func delayed(by duration: FrameDuration) -> ScrollLeg {
    var leg = self
    leg.start = start + duration
    leg.end = end.map { $0 + duration }
    return leg
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

  /// The first instant, not before another, at which it stands at an offset.
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

  /// The bounce at the end of the content that this leg runs into; nothing where it rests before or the end is hard.
  func bounce(_ tuning: ScrollTuning) -> ScrollLeg? {
    guard isElastic, let end, restOffset == range.minimum || restOffset == range.maximum else { return nil }
    let velocity = motion.velocity(at: motion.stop(in: range).seconds)
    guard velocity.magnitude >= ScrollLimits.leastBounceSpeed else { return nil }
    return ScrollLeg(bouncingFrom: restOffset, velocity, in: range, from: end, tuning)
  }

  /// The way back from where content is beyond an end, or shoots out beyond it, to that end.
  init(
    bouncingFrom offset: Double, _ velocity: Double, in range: ScrollRange, from start: FrameInstant,
    _ tuning: ScrollTuning
  ) {
    let spring = SpringSimulation(
      start: range.clampBeyond(offset), velocity: velocity.bounded(by: max(0, tuning.maximumBounceSpeed)),
      target: range.clamp(offset), parameters: tuning.bounce)
    self.init(.bouncing, .spring(spring), in: range, from: start)
  }

  /// The same leg with every position moved, between other ends, seen from an instant within it.
  func adapted(to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant) -> ScrollLeg {
    if case .still(let held) = motion, phase == .tracking {
      // As far beyond the end as it was held.
      let edge = self.range.clamp(held)
      return ScrollLeg(heldAt: range.clamp(edge + points) + (held - edge), in: range, from: start, until: end)
    }
    let moved = motion.translated(by: points)
    switch moved {
    case .still(let offset):
      return ScrollLeg(phase, .still(range.clamp(offset)), range, start, end, range.clamp(offset))
    case .decelerating, .uniform, .gliding:
      // What ran against an end rests there: it does not set off again when the end moves away.
      if hasEnded(by: instant) { return ScrollLeg(restingAt: restOffset + points, in: range, from: end ?? start) }
      // What was sent to a place still goes there.
      if isSent {
        let place = range.clamp(restOffset + points)
        return ScrollLeg(
          phase, moved, in: range, from: start, endingAt: place, after: moved.stop(in: range).seconds, room: room)
      }
      return ScrollLeg(phase, moved, in: range, from: start, isElastic: isElastic, room: room)
    case .spring(let spring):
      let target = range.clamp(spring.target)
      guard target != spring.target, !hasEnded(by: instant) else {
        return ScrollLeg(phase, moved, in: range, from: start, room: room)
      }
      let pulled = spring.retargeted(to: target, after: seconds(at: instant))
      return ScrollLeg(phase, .spring(pulled), in: range, from: max(start, instant), room: room)
    }
  }
}
