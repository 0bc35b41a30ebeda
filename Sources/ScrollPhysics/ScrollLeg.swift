internal import FramePacing

/// A stretch of a scroll's way in time: one motion between hard ends, from an instant until it stops or the next leg.
struct ScrollLeg: Hashable, Sendable {
  let phase: ScrollPhase
  let motion: ScrollMotion
  let range: ScrollRange
  let start: FrameInstant
  /// When it ends; nothing while a hand holds it that will say so.
  let end: FrameInstant?
  /// Where it ends.
  let restOffset: Double

  /// A leg that moves by itself until it stops.
  init(_ phase: ScrollPhase, _ motion: ScrollMotion, in range: ScrollRange, from start: FrameInstant) {
    let stop = motion.stop(in: range)
    self.init(phase, motion, range, start, ScrollLimits.instant(stop.seconds, after: start), stop.offset)
  }

  /// A leg in a hand: still until the hand moves on, at the latest until `end`.
  init(heldAt offset: Double, in range: ScrollRange, from start: FrameInstant, until end: FrameInstant?) {
    self.init(.tracking, .still(range.clamp(offset)), range, start, end, range.clamp(offset))
  }

  /// Rest.
  init(restingAt offset: Double, in range: ScrollRange, from start: FrameInstant) {
    self.init(.idle, .still(range.clamp(offset)), range, start, start, range.clamp(offset))
  }

  private init(
    _ phase: ScrollPhase, _ motion: ScrollMotion, _ range: ScrollRange, _ start: FrameInstant,
    _ end: FrameInstant?, _ restOffset: Double
  ) {
    self.phase = phase
    self.motion = motion
    self.range = range
    self.start = start
    self.end = end
    self.restOffset = restOffset
  }

  func hasEnded(by instant: FrameInstant) -> Bool { end.map { instant >= $0 } ?? false }

  func seconds(at instant: FrameInstant) -> Double { max(0, (instant - start).seconds) }

  func offset(at instant: FrameInstant) -> Double {
    hasEnded(by: instant) ? restOffset : range.clamp(motion.position(at: seconds(at: instant)))
  }

  func velocity(at instant: FrameInstant) -> Double {
    guard !hasEnded(by: instant), range.contains(motion.position(at: seconds(at: instant))) else { return 0 }
    return motion.velocity(at: seconds(at: instant))
  }

  func phase(at instant: FrameInstant) -> ScrollPhase { hasEnded(by: instant) ? .idle : phase }

  /// The first instant, not before another, at which it stands at an offset.
  func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    let begin = max(instant, start)
    if self.offset(at: begin) == offset { return begin }
    guard !hasEnded(by: begin), range.contains(offset) else { return nil }
    if let seconds = motion.time(reaching: offset, after: seconds(at: begin)) {
      let reached = ScrollLimits.instant(seconds, after: begin)
      if !hasEnded(by: reached) { return reached }
    }
    return offset == restOffset ? end : nil
  }

  /// The same leg with every position moved, between other ends, seen from an instant within it.
  func adapted(to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant) -> ScrollLeg {
    let moved = motion.translated(by: points)
    switch moved {
    case .still(let offset):
      return ScrollLeg(phase, .still(range.clamp(offset)), range, start, end, range.clamp(offset))
    case .decelerating, .uniform:
      // What ran against an end rests there: it does not set off again when the end moves away.
      if hasEnded(by: instant) { return ScrollLeg(restingAt: restOffset + points, in: range, from: end ?? start) }
      return ScrollLeg(phase, moved, in: range, from: start)
    case .spring(let spring):
      let target = range.clamp(spring.target)
      guard target != spring.target, !hasEnded(by: instant) else {
        return ScrollLeg(phase, moved, in: range, from: start)
      }
      let pulled = spring.retargeted(to: target, after: seconds(at: instant))
      return ScrollLeg(phase, .spring(pulled), in: range, from: max(start, instant))
    }
  }
}
