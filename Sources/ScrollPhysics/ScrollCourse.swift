internal import FramePacing

/// The way of a scroll from now on if nobody touches it again: one leg, and up to two that follow.
///
/// What follows is known as soon as the first leg is: the run that begins when fingers are thought to have left the
/// trackpad, the bounce where it reaches an end. No timer and no event is needed to start it.
struct ScrollCourse: Sendable {
  private(set) var current: ScrollLeg
  private(set) var second: ScrollLeg?
  private(set) var third: ScrollLeg?

  /// A leg and those that follow it.
  init(_ current: ScrollLeg, then second: ScrollLeg? = nil, _ third: ScrollLeg? = nil) {
    self.current = current
    self.second = second
    self.third = second == nil ? nil : third
  }

  /// The leg that holds at an instant.
  func leg(at instant: FrameInstant) -> ScrollLeg {
    guard let second, current.hasEnded(by: instant) else { return current }
    guard let third, second.hasEnded(by: instant) else { return second }
    return third
  }

  /// Forgets what is over.
  mutating func settle(at instant: FrameInstant) {
    while let next = second, current.hasEnded(by: instant) {
      current = next
      second = third
      third = nil
    }
  }

  /// The whole way is gone later.
  mutating func delay(by duration: FrameDuration) {
    current = current.delayed(by: duration)
    second = second?.delayed(by: duration)
    third = third?.delayed(by: duration)
  }

  /// The last leg.
  private var last: ScrollLeg { third ?? second ?? current }

  /// Where it will rest.
  var restOffset: Double { last.restOffset }

  /// When it will rest; nothing while a hand holds it.
  var restInstant: FrameInstant? { last.end }

  func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    guard let second else { return current.instant(reaching: offset, after: instant) }
    if !current.hasEnded(by: instant), let first = current.instant(reaching: offset, after: instant) { return first }
    guard let third else { return second.instant(reaching: offset, after: instant) }
    if !second.hasEnded(by: instant), let next = second.instant(reaching: offset, after: instant) { return next }
    return third.instant(reaching: offset, after: instant)
  }

  /// Every position moves, and the ends are others, seen from an instant that the first leg holds at.
  mutating func adapt(
    to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant, _ tuning: ScrollTuning
  ) {
    let before = self
    current = current.adapted(to: range, translatedBy: points, at: instant)
    guard let second else {
      // What would have come to rest within may now run into an end.
      if !before.current.hasEnded(by: instant) { self.second = current.bounce(tuning) }
      return
    }
    switch current.phase {
    case .bouncing:
      // It comes back with enough speed to run on within.
      self = ScrollCourse(
        runningFrom: current.offset(at: instant), current.velocity(at: instant), in: range, at: instant, tuning)
    case .tracking where second.phase == .bouncing:
      let offset = current.offset(at: current.start)
      self.second =
        range.contains(offset)
        ? nil : ScrollLeg(bouncingFrom: offset, 0, in: range, from: current.end ?? instant, tuning)
    case .tracking:
      let next = second.adapted(to: range, translatedBy: points, at: instant)
      self.second = next
      third = next.bounce(tuning)
    default:
      self.second = current.bounce(tuning)
    }
  }

  /// Content that nobody holds any more runs on with a velocity, and what is beyond an end comes back.
  init(
    runningFrom offset: Double, _ velocity: Double, in range: ScrollRange, at instant: FrameInstant,
    _ tuning: ScrollTuning
  ) {
    let edge = range.clamp(offset)
    guard offset != edge else {
      let run = ScrollLeg(running: velocity, from: offset, in: range, at: instant, tuning)
      self.init(run, then: run.bounce(tuning))
      return
    }
    // Critically damped: it is at the end where a + bt = 0, and has the velocity b e^(-ωt) there.
    let beyond = range.clampBeyond(offset) - edge
    let slope = velocity + tuning.bounce.frequency * beyond
    guard slope * beyond < 0 else {
      self.init(ScrollLeg(bouncingFrom: offset, velocity, in: range, from: instant, tuning))
      return
    }
    let seconds = -beyond / slope
    let spring = SpringSimulation(start: edge + beyond, velocity: velocity, target: edge, parameters: tuning.bounce)
    let back = ScrollLeg(
      .bouncing, .spring(spring), in: range, from: instant, endingAt: edge, after: seconds)
    let run = ScrollLeg(
      running: slope * Exponential.exp(-tuning.bounce.frequency * seconds), from: edge, in: range,
      at: back.end ?? instant, tuning)
    self.init(back, then: run, run.bounce(tuning))
  }
}

extension ScrollLeg {
  /// A flick from an offset within the range, which bounces where it runs into an end.
  init(
    running velocity: Double, from offset: Double, in range: ScrollRange, at instant: FrameInstant,
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
  /// Whether content between these ends can be beyond them: not where there is nowhere to scroll to.
  func isElastic(in range: ScrollRange) -> Bool { bounces && !reducesMotion && range.length > 0 }
}
