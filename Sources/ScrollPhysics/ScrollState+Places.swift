internal import FramePacing

/// How content is brought to places.
extension ScrollState {
  /// Comes to rest at a place: as a flick that dies away sooner or later where that is nearly one, else by a spring.
  mutating func settle(at target: Double, from instant: FrameInstant) {
    let (offset, velocity, phase) = (offset(at: instant), velocity(at: instant), phase(at: instant))
    let way = target - offset
    guard !tuning.reducesMotion, way.magnitude > SpringSimulation.restDistance else {
      return stand(target, at: instant)
    }
    let next = !range.contains(offset) ? ScrollPhase.bouncing : phase == .animating ? .animating : .decelerating
    let decay = velocity / way
    if next == .decelerating, decay >= tuning.rate.decay * 0.5, decay <= tuning.rate.decay * 5 {
      let motion = DecelerationSimulation(
        start: offset, velocity: velocity, rate: DecelerationRate(decay: decay),
        restDistance: SpringSimulation.restDistance)
      course = ScrollCourse(
        ScrollLeg(
          next, .decelerating(motion), in: range, from: instant, endingAt: target, after: motion.duration))
      return
    }
    // Content that is faster than the spring would make it is held back as hard as it must be not to swing.
    let frequency = max(tuning.keyboard.frequency, decay.bounded(by: 1_000))
    let motion = SpringSimulation(
      start: offset, velocity: velocity, target: target,
      parameters: SpringParameters(stiffness: frequency * frequency))
    course = ScrollCourse(ScrollLeg(next, .spring(motion), in: range, from: instant))
  }

  /// Adds a distance to the target of a spring, or to the offset when none pulls that way.
  mutating func pull(by wanted: Double, with parameters: SpringParameters, at instant: FrameInstant) {
    let distance = wanted.bounded(by: ScrollLimits.position)
    guard distance != 0 else { return }
    let offset = offset(at: instant)
    guard !tuning.reducesMotion else { return stand(offset + distance, at: instant) }
    let velocity = velocity(at: instant)
    var way = distance
    if case .spring(let spring) = course.current.motion, course.current.phase != .bouncing,
      !course.current.hasEnded(by: instant), (spring.target - offset) * distance > 0
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
  mutating func ease(to target: Double, at instant: FrameInstant) {
    let offset = offset(at: instant)
    let longest = max(0, tuning.longestAnimatedViewports.bounded(by: 1_000)) * range.viewportLength
    let isLong = (target - offset).magnitude > longest
    let start = isLong ? range.clamp(target - (target > offset ? longest : -longest)) : offset
    let motion = SpringSimulation(
      start: start, velocity: isLong ? 0 : velocity(at: instant), target: target, parameters: tuning.keyboard)
    course = ScrollCourse(ScrollLeg(.animating, .spring(motion), in: range, from: instant))
  }

  /// Goes on with a velocity until an end; what is beyond one goes no farther.
  mutating func go(on motion: ScrollMotion, at velocity: Double, at instant: FrameInstant) {
    let offset = offset(at: instant)
    guard velocity * (offset - range.clamp(offset)) <= 0 else { return comeToRest(at: instant) }
    course = ScrollCourse(ScrollLeg(.animating, motion, in: range, from: instant))
  }

  /// Comes to have a velocity, or to rest.
  mutating func glide(_ velocity: Double, at instant: FrameInstant) {
    let (offset, before) = (offset(at: instant), self.velocity(at: instant))
    guard velocity == 0 else {
      let motion = GlideSimulation(start: offset, initialVelocity: before, velocity: velocity)
      return go(on: .gliding(motion), at: velocity, at: instant)
    }
    guard before != 0, range.contains(offset), !tuning.reducesMotion else { return comeToRest(at: instant) }
    // As far as a spring must go that is not to swing back.
    let motion = SpringSimulation(
      start: offset, velocity: before, target: range.clamp(offset + before / tuning.keyboard.frequency),
      parameters: tuning.keyboard)
    course = ScrollCourse(ScrollLeg(.animating, .spring(motion), in: range, from: instant))
  }
}
