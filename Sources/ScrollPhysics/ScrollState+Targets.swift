internal import VitrineFramePacing

/// Animated motion to a target offset.
extension ScrollState {
  /// Comes to rest at a target: with an adjusted deceleration if the current flick nearly ends there, else with a
  /// spring.
  mutating func animateContent(to target: Double, from instant: FrameInstant) {
    let (offset, velocity, phase) = (offset(at: instant), velocity(at: instant), phase(at: instant))
    let displacement = target - offset
    guard !tuning.reducesMotion, displacement.magnitude > SpringSimulation.restDistance else {
      return rest(at: target, from: instant)
    }
    let next = !range.contains(offset) ? ScrollPhase.bouncing : phase == .animating ? .animating : .decelerating
    let decay = velocity / displacement
    if next == .decelerating, decay >= tuning.rate.decay * 0.5, decay <= tuning.rate.decay * 5 {
      let motion = DecelerationSimulation(
        start: offset, velocity: velocity, rate: DecelerationRate(decay: decay),
        restDistance: SpringSimulation.restDistance)
      trajectory = ScrollTrajectory(
        ScrollSegment(
          next, .decelerating(motion), in: range, from: instant, endingAt: target, after: motion.duration))
      return
    }
    pull(next, from: offset, velocity, to: target, at: instant)
  }

  /// Starts a spring to a target, stiff enough that fast content does not swing back.
  private mutating func pull(
    _ phase: ScrollPhase, from offset: Double, _ velocity: Double, to target: Double, at instant: FrameInstant
  ) {
    let decay = target == offset ? 0 : velocity / (target - offset)
    let frequency = max(tuning.keyboard.frequency, decay.bounded(by: ScrollLimits.frequency))
    let motion = SpringSimulation(
      start: offset, velocity: velocity, target: target,
      parameters: SpringParameters(stiffness: frequency * frequency))
    trajectory = ScrollTrajectory(ScrollSegment(phase, .spring(motion), in: range, from: instant))
  }

  /// Moves the target of an animated scroll by a distance; without one in that direction, moves it from the current
  /// offset.
  mutating func moveTarget(by requested: Double, with parameters: SpringParameters, at instant: FrameInstant) {
    let distance = requested.bounded(by: ScrollLimits.position)
    guard distance != 0 else { return }
    let offset = offset(at: instant)
    guard !tuning.reducesMotion else { return rest(at: offset + distance, from: instant) }
    let velocity = velocity(at: instant)
    var displacement = distance
    if case .spring(let spring) = trajectory.current.motion, trajectory.current.phase != .bouncing,
      !trajectory.current.hasEnded(by: instant), (spring.target - offset) * distance > 0
    {
      displacement += spring.target - offset
    }
    // Fast content gets a target far enough that it does not swing back.
    if velocity * displacement > 0, velocity.magnitude > parameters.frequency * displacement.magnitude {
      displacement = velocity / parameters.frequency
    }
    let motion = SpringSimulation(
      start: offset, velocity: velocity, target: range.clamp(offset + displacement), parameters: parameters)
    trajectory = ScrollTrajectory(ScrollSegment(.animating, .spring(motion), in: range, from: instant))
  }

  /// Animates to a target, skipping all but the last viewports of a long distance.
  mutating func ease(to target: Double, at instant: FrameInstant) {
    let offset = offset(at: instant)
    let longest = max(0, tuning.longestAnimatedViewports.bounded(by: 1_000)) * range.viewportLength
    let isLong = (target - offset).magnitude > longest
    let start = isLong ? range.clamp(target - (target > offset ? longest : -longest)) : offset
    pull(.animating, from: start, isLong ? 0 : velocity(at: instant), to: target, at: instant)
  }

  /// Continues the animated scroll in progress, or starts one, to another target.
  ///
  /// - Parameters:
  ///   - target: The new target within the range.
  ///   - shown: The offset of the last frame, from which the content must not move away from the target.
  ///   - instant: The time of the frame.
  mutating func retarget(to target: Double, shown: Double, at instant: FrameInstant) {
    let segment = trajectory.segment(at: instant)
    let phase = segment.phase(at: instant)
    let offset = segment.offset(at: instant)
    var velocity = segment.velocity(at: instant)
    switch segment.motion {
    case .spring(let spring) where phase == .animating:
      if spring.target == target { return }
    default:
      guard phase == .idle else { return }
      velocity = 0
    }
    let isPassed = (target - offset) * (target - (shown.isNaN ? offset : shown)) <= 0
    // Even the stiffest spring would swing back: the target is much less than a frame away.
    let isNear = velocity / (target - offset) > ScrollLimits.frequency
    guard !tuning.reducesMotion, !isPassed, !isNear else { return rest(at: target, from: instant) }
    pull(.animating, from: offset, velocity, to: target, at: instant)
  }

  /// Starts a motion that ends at an edge; content beyond an edge moves no farther.
  mutating func run(_ motion: ScrollMotion, velocity: Double, at instant: FrameInstant) {
    let offset = offset(at: instant)
    guard velocity * (offset - range.clamp(offset)) <= 0 else { return comeToRest(at: instant) }
    trajectory = ScrollTrajectory(ScrollSegment(.animating, motion, in: range, from: instant))
  }

  /// Accelerates to a velocity, or decelerates to rest if the velocity is 0.
  mutating func glide(_ velocity: Double, at instant: FrameInstant) {
    let (offset, before) = (offset(at: instant), self.velocity(at: instant))
    guard velocity == 0 else {
      let motion = GlideSimulation(start: offset, initialVelocity: before, velocity: velocity)
      return run(.gliding(motion), velocity: velocity, at: instant)
    }
    guard before != 0, range.contains(offset), !tuning.reducesMotion else { return comeToRest(at: instant) }
    // The shortest distance at which a spring does not swing back.
    let motion = SpringSimulation(
      start: offset, velocity: before, target: range.clamp(offset + before / tuning.keyboard.frequency),
      parameters: tuning.keyboard)
    trajectory = ScrollTrajectory(ScrollSegment(.animating, .spring(motion), in: range, from: instant))
  }
}
