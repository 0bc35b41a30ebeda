internal import FramePacing
internal import ScrollPhysics

/// How far an item is lifted off the others: a function of time, up while it is held and down once it is let go.
struct LiftAnimation: Hashable, Sendable {
  private static let spring = SpringParameters(stiffness: 600)
  /// What all the way up counts as, so that a spring rests where nobody sees the difference.
  private static let fullHeight = 64.0

  private var (start, velocity, target) = (0.0, 0.0, LiftAnimation.fullHeight)
  /// When it set out; nothing until a frame shows it, as the last one may be long ago.
  private var startTime: FrameInstant?
  private var isReleased = false
  private var lastFrameTime = FrameInstant.distantPast

  private var simulation: SpringSimulation {
    SpringSimulation(start: start, velocity: velocity, target: target, parameters: LiftAnimation.spring)
  }

  /// A frame is shown at an instant.
  mutating func advance(to instant: FrameInstant) {
    lastFrameTime = instant
    if startTime == nil { startTime = instant }
  }

  /// It goes down from where it is.
  mutating func startLowering() {
    guard !isReleased else { return }
    isReleased = true
    if let startTime {
      let seconds = max(.zero, lastFrameTime - startTime).seconds
      (start, velocity) = (simulation.position(at: seconds), simulation.velocity(at: seconds))
    }
    target = 0
    startTime = nil
  }

  func progress(at instant: FrameInstant) -> Double {
    let position = startTime.map { simulation.position(at: max(.zero, instant - $0).seconds) } ?? start
    return max(0, min(1, position / LiftAnimation.fullHeight))
  }

  func isMoving(at instant: FrameInstant) -> Bool {
    guard let startTime else { return true }
    return max(.zero, instant - startTime).seconds < simulation.duration
  }
}
