internal import FramePacing
internal import ScrollPhysics

/// How far an item is lifted off the others: a function of time, up while it is held and down once it is let go.
struct Lift: Hashable, Sendable {
  private static let spring = SpringParameters(stiffness: 600)
  /// What all the way up counts as, so that a spring rests where nobody sees the difference.
  private static let full = 64.0

  private var (start, velocity, target) = (0.0, 0.0, Lift.full)
  /// When it set out; nothing until a frame shows it, as the last one may be long ago.
  private var begin: FrameInstant?
  private var isReleased = false
  private var shown = FrameInstant.distantPast

  private var simulation: SpringSimulation {
    SpringSimulation(start: start, velocity: velocity, target: target, parameters: Lift.spring)
  }

  /// A frame is shown at an instant.
  mutating func advance(to instant: FrameInstant) {
    shown = instant
    if begin == nil { begin = instant }
  }

  /// It goes down from where it is.
  mutating func release() {
    guard !isReleased else { return }
    isReleased = true
    if let begin {
      let seconds = max(.zero, shown - begin).seconds
      (start, velocity) = (simulation.position(at: seconds), simulation.velocity(at: seconds))
    }
    target = 0
    begin = nil
  }

  func height(at instant: FrameInstant) -> Double {
    let position = begin.map { simulation.position(at: max(.zero, instant - $0).seconds) } ?? start
    return max(0, min(1, position / Lift.full))
  }

  func isMoving(at instant: FrameInstant) -> Bool {
    guard let begin else { return true }
    return max(.zero, instant - begin).seconds < simulation.duration
  }
}
