/// One of the motions of a scroll, kept without a box.
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

  /// The seconds after which it rests by itself; 0 for what stands still.
  var duration: Double {
    switch self {
    case .still: 0
    case .decelerating(let simulation): simulation.duration
    case .spring(let simulation): simulation.duration
    case .uniform(let simulation): simulation.duration
    case .gliding(let simulation): simulation.duration
    }
  }

  /// The seconds from a moment of the motion until it next stands at a position.
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

  /// When and where the motion stops in a range: at a hard end if it runs into one, else where it rests by itself.
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
