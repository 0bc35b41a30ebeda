public import FramePacing

/// Where a scroll view stands along one axis, now and at every instant to come.
///
/// A value that events change and that answers questions about any instant in closed form: between two events nothing
/// needs to be called, whatever the frame rate. Offsets are in points and always within the ``range``: both ends are
/// hard. No event, whatever its numbers, makes an offset or a velocity that is not finite.
public struct ScrollState: Sendable {
  /// The offsets that are allowed.
  public private(set) var range: ScrollRange
  /// The taste.
  public let tuning: ScrollTuning

  private(set) var course: ScrollCourse
  private var lastEvent = FrameInstant.distantPast
  private var trackpad = ContinuousTracker()
  private var cadence = WheelCadence()
  /// The flick that fingers caught, in case they flick again.
  private var caught: (velocity: Double, instant: FrameInstant)?

  /// Makes a scroll at rest.
  public init(range: ScrollRange = .zero, offset: Double = 0, tuning: ScrollTuning = .standard) {
    self.range = range
    self.tuning = tuning
    course = ScrollCourse(ScrollLeg(restingAt: offset, in: range, from: .distantPast))
  }

  /// The offset at an instant; instants before the last event count as that event's.
  ///
  /// - Complexity: O(1); allocates nothing.
  public func offset(at instant: FrameInstant) -> Double {
    let instant = ScrollLimits.bounded(instant)
    return course.leg(at: instant).offset(at: instant)
  }

  /// The velocity at an instant in points a second; 0 while a hand holds the content.
  ///
  /// - Complexity: O(1); allocates nothing.
  public func velocity(at instant: FrameInstant) -> Double {
    let instant = ScrollLimits.bounded(instant)
    return course.leg(at: instant).velocity(at: instant)
  }

  /// What moves the content at an instant.
  ///
  /// - Complexity: O(1).
  public func phase(at instant: FrameInstant) -> ScrollPhase {
    let instant = ScrollLimits.bounded(instant)
    return course.leg(at: instant).phase(at: instant)
  }

  /// Whether the offset will still change after an instant without another event: frames are needed.
  ///
  /// - Complexity: O(1).
  public func isMoving(at instant: FrameInstant) -> Bool {
    guard let rest = course.restInstant else { return false }
    return rest > instant && !(course.restOffset == offset(at: instant) && course.leg(at: instant).phase == .tracking)
  }

  /// Whether an instant belongs to an interval in which late frames count as hitches.
  ///
  /// - Complexity: O(1).
  public func isTracked(at instant: FrameInstant) -> Bool { phase(at: instant) != .idle }

  /// Whether the thumb of the scroll bar is held at an instant: the content stays where it is until the hand moves.
  ///
  /// - Complexity: O(1).
  public func isThumbHeld(at instant: FrameInstant) -> Bool {
    course.restInstant == nil && phase(at: instant) == .tracking
  }

  /// Where the content will come to rest if nothing else happens.
  ///
  /// - Complexity: O(1).
  public var projectedOffset: Double { course.restOffset }

  /// When it will have come to rest if nothing else happens; nothing while the thumb is held.
  ///
  /// - Complexity: O(1).
  public var restInstant: FrameInstant? { course.restInstant }

  /// The first instant, not before another, at which the offset will be a given one, or nothing if it never will.
  ///
  /// - Complexity: O(1).
  public func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    course.instant(reaching: offset, after: ScrollLimits.bounded(instant))
  }

  /// Takes an event and returns what it did.
  ///
  /// A time stamp before the last event's counts as that one.
  ///
  /// - Complexity: O(1); allocates nothing.
  @discardableResult
  public mutating func handle(_ event: ScrollEvent, at time: FrameInstant) -> ScrollEffects {
    let instant = max(lastEvent, ScrollLimits.bounded(time))
    lastEvent = instant
    course.settle(at: instant)
    let before = (offset: offset(at: instant), projected: course.restOffset)
    let adjustment = act(on: event, at: instant)
    var effects: ScrollEffects = []
    let distance = (offset(at: instant) - before.offset - adjustment).magnitude
    if distance > 0 { effects.insert(.moved) }
    if distance > 0, distance >= range.viewportLength { effects.insert(.teleported) }
    if course.restOffset != before.projected + adjustment { effects.insert(.projectionChanged) }
    return effects
  }

  /// Carries an event out and returns the adjustment that it asked for.
  private mutating func act(on event: ScrollEvent, at instant: FrameInstant) -> Double {
    if case .wheel(_, .continuous) = event {} else { endBurst(event) }
    switch event {
    case .wheel(let distance, .continuous):
      follow(distance.bounded(by: ScrollLimits.position), at: instant)
    case .wheel(let distance, .notch), .wheel(let distance, .highResolution):
      pull(by: distance, with: cadence.spring(at: instant), at: instant)
    case .advance(let distance):
      pull(by: distance, with: tuning.keyboard, at: instant)
    case .page(let pages):
      let page = tuning.pageFraction.bounded(by: 1) * range.viewportLength
      pull(by: pages.bounded(by: ScrollLimits.position) * page, with: tuning.keyboard, at: instant)
    case .scrollTo(let target, animated: true):
      ease(to: range.clamp(target), at: instant)
    case .scrollTo(let offset, animated: false), .jump(let offset):
      course = ScrollCourse(ScrollLeg(restingAt: offset, in: range, from: instant))
    case .flick(let velocity, let accumulating):
      let velocity = velocity.bounded(by: ScrollLimits.velocity)
      let left = accumulating && phase(at: instant) == .decelerating ? self.velocity(at: instant) : 0
      course = ScrollCourse(
        freeLeg(tuning.accumulated(velocity, onto: left), from: offset(at: instant), at: instant))
    case .steady(let velocity):
      let motion = UniformSimulation(start: offset(at: instant), velocity: velocity)
      course = ScrollCourse(ScrollLeg(.animating, .uniform(motion), in: range, from: instant))
    case .thumbDrag(let offset):
      course = ScrollCourse(ScrollLeg(heldAt: offset, in: range, from: instant, until: nil))
    case .thumbRelease:
      if course.restInstant == nil { stand(at: instant) }
    case .stop:
      stand(at: instant)
    case .rangeChanged(let range, let points):
      return adapt(to: range, translatedBy: points, at: instant)
    case .offsetAdjusted(let points):
      return adapt(to: range, translatedBy: points, at: instant)
    }
    return 0
  }

  /// Forgets the trackpad's burst, unless the event is not the user's.
  private mutating func endBurst(_ event: ScrollEvent) {
    switch event {
    case .rangeChanged, .offsetAdjusted: break
    default:
      trackpad.reset()
      caught = nil
    }
  }

  private mutating func stand(at instant: FrameInstant) {
    course = ScrollCourse(ScrollLeg(restingAt: offset(at: instant), in: range, from: instant))
  }

  private mutating func adapt(
    to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant
  ) -> Double {
    let points = points.bounded(by: ScrollLimits.position)
    self.range = range
    course.adapt(to: range, translatedBy: points, at: instant)
    return points
  }

  private func freeLeg(_ velocity: Double, from offset: Double, at instant: FrameInstant) -> ScrollLeg {
    let motion = DecelerationSimulation(
      start: offset, velocity: velocity, rate: tuning.rate, restDistance: tuning.restDistance)
    return ScrollLeg(.decelerating, .decelerating(motion), in: range, from: instant)
  }

  /// One to one after the fingers, and the free motion that follows when no more comes.
  private mutating func follow(_ distance: Double, at instant: FrameInstant) {
    let leg = course.leg(at: instant)
    if leg.phase(at: instant) != .tracking {
      trackpad.reset()
      caught = leg.phase(at: instant) == .decelerating ? (leg.velocity(at: instant), instant) : nil
    }
    trackpad.add(distance, at: instant)
    let offset = range.clamp(leg.offset(at: instant) + distance)
    let release = instant + trackpad.wait
    let held = ScrollLeg(heldAt: offset, in: range, from: instant, until: release)
    var velocity = trackpad.releaseVelocity(above: max(0, tuning.minimumReleaseSpeed))
    if velocity != 0, let caught {
      let left = caught.velocity * Exponential.exp(-tuning.rate.decay * (release - caught.instant).seconds)
      velocity = tuning.accumulated(velocity, onto: left)
    }
    course = ScrollCourse(held, then: velocity == 0 ? nil : freeLeg(velocity, from: offset, at: release))
  }

  /// Adds a distance to the target of a spring, or to the offset when none pulls that way.
  private mutating func pull(by wanted: Double, with parameters: SpringParameters, at instant: FrameInstant) {
    let distance = wanted.bounded(by: ScrollLimits.position)
    guard distance != 0 else { return }
    let offset = offset(at: instant)
    let velocity = velocity(at: instant)
    var way = distance
    if case .spring(let spring) = course.current.motion, !course.current.hasEnded(by: instant),
      (spring.target - offset) * distance > 0
    {
      way += spring.target - offset
    }
    // Content that is already faster than the spring would make it goes as far as it must not to swing back.
    if velocity * way > 0, velocity.magnitude > parameters.frequency * way.magnitude {
      way = velocity / parameters.frequency
    }
    let motion = SpringSimulation(
      start: offset, velocity: velocity, target: range.clamp(offset + way), parameters: parameters)
    course = ScrollCourse(ScrollLeg(.animating, .spring(motion), in: range, from: instant))
  }

  /// Eases to a target, leaving out all but the last viewports of a long way.
  private mutating func ease(to target: Double, at instant: FrameInstant) {
    let offset = offset(at: instant)
    let longest = max(0, tuning.longestAnimatedViewports.bounded(by: 1_000)) * range.viewportLength
    let isLong = (target - offset).magnitude > longest
    let start = isLong ? range.clamp(target - (target > offset ? longest : -longest)) : offset
    let motion = SpringSimulation(
      start: start, velocity: isLong ? 0 : velocity(at: instant), target: target, parameters: tuning.keyboard)
    course = ScrollCourse(ScrollLeg(.animating, .spring(motion), in: range, from: instant))
  }
}
