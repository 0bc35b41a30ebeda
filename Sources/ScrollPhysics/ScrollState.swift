public import FramePacing

/// Where a scroll view stands along one axis, now and at every instant to come.
///
/// A value that events change and that answers questions about any instant in closed form: between two events nothing
/// needs to be called, whatever the frame rate. Offsets are in points and rest within the ``range``. A hand can pull
/// content beyond an end by less than a viewport, and what runs on from a hand bounces there; for all else the ends are
/// hard. No event, whatever its numbers, makes an offset or a velocity that is not finite.
public struct ScrollState: Sendable {
  /// The offsets that are allowed.
  public private(set) var range: ScrollRange
  /// The taste; another one holds for what events make from then on.
  public var tuning: ScrollTuning

  var course: ScrollCourse
  /// Whether the thumb of the scroll bar was dragged last.
  private var holdsThumb = false
  private var lastEvent = FrameInstant.distantPast
  private var trackpad = ContinuousTracker()
  private var finger = FingerTracker()
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
    holdsThumb && course.restInstant == nil && phase(at: instant) == .tracking
  }

  /// Where the content will come to rest if nothing else happens.
  ///
  /// - Complexity: O(1).
  public var projectedOffset: Double { course.restOffset }

  /// Where wheels, keys or the program pull content to after an instant; nothing where they do not.
  ///
  /// - Complexity: O(1).
  public func pullTarget(after instant: FrameInstant) -> Double? {
    let instant = ScrollLimits.bounded(instant)
    let leg = course.leg(at: instant)
    guard case .spring(let spring) = leg.motion, leg.phase(at: instant) == .animating else { return nil }
    return spring.target
  }

  /// When it will have come to rest if nothing else happens; nothing while the thumb is held.
  ///
  /// - Complexity: O(1).
  public var restInstant: FrameInstant? { course.restInstant }

  /// When the fingers that move a trackpad are thought to have left it; nothing while nobody holds the content, and where
  /// the hand itself will say so.
  public var releaseInstant: FrameInstant? { course.current.phase == .tracking ? course.current.end : nil }

  /// The first instant, not before another, at which the offset will be a given one, or nothing if it never will.
  ///
  /// - Complexity: O(1).
  public func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    course.instant(reaching: offset, after: ScrollLimits.bounded(instant))
  }

  /// Nobody saw the content for a while after an instant: what moves it goes on from where it was then, that much later.
  ///
  /// What a hand holds, and what rests, stays as it is.
  ///
  /// - Complexity: O(1); allocates nothing.
  public mutating func delay(by duration: FrameDuration, after instant: FrameInstant) {
    guard duration > .zero, isMoving(at: instant) else { return }
    course.delay(by: duration)
    // What was done meanwhile is done to what was shown.
    lastEvent = max(lastEvent, instant + duration)
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
    endBurst(event)
    switch event {
    case .thumbDrag: holdsThumb = true
    case .rangeChanged, .offsetAdjusted: break
    default: holdsThumb = false
    }
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
    case .scrollTo(let target, animated: true) where !tuning.reducesMotion:
      ease(to: range.clamp(target), at: instant)
    case .scrollTo(let offset, animated: _), .jump(let offset):
      course = ScrollCourse(ScrollLeg(restingAt: offset, in: range, from: instant))
    case .flick(let velocity, let accumulating): flick(velocity, accumulating, at: instant)
    case .steady(let velocity):
      let motion = UniformSimulation(start: offset(at: instant), velocity: velocity)
      go(on: .uniform(motion), at: motion.initialVelocity, at: instant)
    case .glide(let velocity): glide(velocity.bounded(by: ScrollLimits.velocity), at: instant)
    case .hold: hold(at: instant)
    case .drag(let distance): drag(by: distance.bounded(by: ScrollLimits.position), at: instant)
    case .release: release(at: instant)
    case .settle(let target): settle(at: range.clamp(target), from: instant)
    case .thumbDrag(let offset):
      course = ScrollCourse(ScrollLeg(heldAt: range.clamp(offset), in: range, from: instant, until: nil))
    case .thumbRelease:
      if course.restInstant == nil { comeToRest(at: instant) }
    case .stop: comeToRest(at: instant)
    case .rangeChanged(let range, let points):
      return adapt(to: range, translatedBy: points, at: instant)
    case .offsetAdjusted(let points):
      return adapt(to: range, translatedBy: points, at: instant)
    }
    return 0
  }

  /// Forgets what hands did, unless the event belongs to it or is not the user's.
  private mutating func endBurst(_ event: ScrollEvent) {
    switch event {
    case .rangeChanged, .offsetAdjusted, .wheel(_, .continuous), .settle: break
    case .hold, .drag, .release: trackpad.reset()
    default:
      trackpad.reset()
      caught = nil
    }
  }

  /// Stands where it is, or comes back from beyond an end.
  mutating func comeToRest(at instant: FrameInstant) {
    let offset = offset(at: instant)
    course =
      range.contains(offset)
      ? ScrollCourse(ScrollLeg(restingAt: offset, in: range, from: instant))
      : ScrollCourse(ScrollLeg(bouncingFrom: offset, 0, in: range, from: instant, tuning))
  }

  private mutating func adapt(
    to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant
  ) -> Double {
    let points = points.bounded(by: ScrollLimits.position)
    guard range != self.range || points != 0 else { return 0 }
    self.range = range
    course.adapt(to: range, translatedBy: points, at: instant, tuning)
    return points
  }

  /// The program's flick, which stops at an end.
  private mutating func flick(_ velocity: Double, _ isAccumulating: Bool, at instant: FrameInstant) {
    let velocity = velocity.bounded(by: ScrollLimits.velocity)
    let left = isAccumulating && phase(at: instant) == .decelerating ? self.velocity(at: instant) : 0
    let sum = tuning.accumulated(velocity, onto: left)
    let offset = offset(at: instant)
    course =
      range.contains(offset)
      ? ScrollCourse(ScrollLeg(running: sum, from: offset, in: range, at: instant, tuning, isElastic: false))
      : ScrollCourse(runningFrom: offset, sum, in: range, at: instant, tuning)
  }

  // MARK: Hands

  /// One to one after the fingers, and the free motion that follows when no more comes.
  private mutating func follow(_ distance: Double, at instant: FrameInstant) {
    let leg = course.leg(at: instant)
    if leg.phase(at: instant) != .tracking {
      trackpad.reset()
      caught = leg.phase(at: instant) == .decelerating ? (leg.velocity(at: instant), instant) : nil
    }
    trackpad.add(distance, at: instant)
    let offset = pulled(leg.offset(at: instant), by: distance, band: tuning.trackpadBand)
    let release = instant + trackpad.wait
    let held = ScrollLeg(heldAt: offset, in: range, from: instant, until: release)
    guard range.contains(offset) else {
      course = ScrollCourse(held, then: ScrollLeg(bouncingFrom: offset, 0, in: range, from: release, tuning))
      return
    }
    let velocity = running(trackpad.releaseVelocity(above: max(0, tuning.minimumReleaseSpeed)), at: release)
    guard velocity != 0 else {
      course = ScrollCourse(held)
      return
    }
    let run = ScrollLeg(running: velocity, from: offset, in: range, at: release, tuning)
    course = ScrollCourse(held, then: run, run.bounce(tuning))
  }

  /// A finger takes the content where it is, unless one holds it already.
  private mutating func hold(at instant: FrameInstant) {
    guard course.restInstant != nil else { return }
    let leg = course.leg(at: instant)
    caught = leg.phase(at: instant) == .decelerating ? (leg.velocity(at: instant), instant) : nil
    finger = FingerTracker()
    finger.add(0, at: instant)
    course = ScrollCourse(ScrollLeg(heldAt: leg.offset(at: instant), in: range, from: instant, until: nil))
  }

  private mutating func drag(by distance: Double, at instant: FrameInstant) {
    if course.restInstant != nil { hold(at: instant) }
    // A finger that is told to be where it was stands still: a pause is what it makes, not a slow sample.
    guard distance != 0 else { return }
    finger.add(distance, at: instant)
    let offset = pulled(offset(at: instant), by: distance, band: tuning.touchBand)
    course = ScrollCourse(ScrollLeg(heldAt: offset, in: range, from: instant, until: nil))
  }

  private mutating func release(at instant: FrameInstant) {
    guard course.restInstant == nil else { return }
    let velocity = finger.velocity(at: instant)
    let isSlow = velocity.magnitude <= max(0, tuning.minimumReleaseSpeed)
    let offset = offset(at: instant)
    guard !isSlow || !range.contains(offset) else { return stand(offset, at: instant) }
    course = ScrollCourse(
      runningFrom: offset, isSlow ? 0 : running(velocity, at: instant), in: range, at: instant, tuning)
  }

  mutating func stand(_ offset: Double, at instant: FrameInstant) {
    course = ScrollCourse(ScrollLeg(restingAt: offset, in: range, from: instant))
  }

  /// The velocity at which content runs on from a hand: on top of what is left of the flick that the hand caught.
  private func running(_ velocity: Double, at release: FrameInstant) -> Double {
    guard velocity != 0, let caught else { return velocity }
    let left = caught.velocity * Exponential.exp(-tuning.rate.decay * (release - caught.instant).seconds)
    return tuning.accumulated(velocity, onto: left)
  }

  /// Where a hand pulls an offset to, less and less beyond an end.
  private func pulled(_ offset: Double, by distance: Double, band: Double) -> Double {
    guard tuning.isElastic(in: range) else { return range.clamp(offset + distance) }
    let band = RubberBand(viewportLength: range.viewportLength, coefficient: band)
    let edge = range.clamp(offset)
    let pull = edge + band.pulled(shown: offset - edge) + distance
    let next = range.clamp(pull)
    return next + band.shown(pulled: (pull - next).bounded(by: ScrollLimits.longestPull * range.viewportLength))
  }
}
