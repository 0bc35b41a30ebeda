import FramePacing
import ScrollPhysics
import Views

/// The disclosure indicators that turn: how far each has come is a function of time.
///
/// No cell is kept for that. While a region's indicator turns, the region is configured again in every frame, and whichever
/// cell shows it then takes over the angle of that moment.
final class Turning: FrameParticipant {
  private struct Turn {
    var motion: SpringSimulation
    /// When it began; nothing until the next frame, as the last one may be long ago.
    var begin: FrameInstant?
  }

  private static let spring = SpringParameters(stiffness: 310)

  private var turns: [Region.ID: Turn] = [:]
  private var shown = FrameInstant.zero
  /// Has regions configured again.
  var reconfigure: ([Region.ID]) -> Void = { _ in }
  /// Whether indicators stand where they belong at once.
  var isReduced = false

  /// Begins to turn a region's indicator, from where it is.
  func turn(_ region: Region.ID, isExpanded: Bool) {
    let (target, last) = (isExpanded ? 90.0 : 0, turns[region])
    let elapsed = last.map { seconds(of: $0) } ?? 0
    let motion = SpringSimulation(
      start: last?.motion.position(at: elapsed) ?? 90 - target, velocity: last?.motion.velocity(at: elapsed) ?? 0,
      target: target, parameters: Turning.spring)
    if !isReduced { turns[region] = Turn(motion: motion) }
    reconfigure([region])
  }

  /// The degrees that a region's indicator is turned by in the frame that is being made.
  func angle(of region: Region.ID, isExpanded: Bool) -> Double {
    turns[region].map { $0.motion.position(at: seconds(of: $0)) } ?? (isExpanded ? 90 : 0)
  }

  private func seconds(of turn: Turn) -> Double { turn.begin.map { max(.zero, shown - $0).seconds } ?? 0 }

  // MARK: Frames

  var needsFrames: Bool { !turns.isEmpty }

  func update(at target: FrameInstant) {
    shown = target
    guard !turns.isEmpty else { return }
    let turning = turns.keys.sorted()
    for region in turning where turns[region]?.begin == nil { turns[region]?.begin = target }
    for region in turning {
      if let turn = turns[region], seconds(of: turn) >= turn.motion.duration { turns[region] = nil }
    }
    reconfigure(turning)
  }
}
