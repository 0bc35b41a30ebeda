import BenchmarkSupport
import CollectionEngine
import CollectionUI
import FramePacing
import Views

/// Keeps what became of the frames of a run: which were late and why, and how many cells were on screen at most.
@MainActor
final class FrameLog: FrameParticipant {
  /// The late frames, in their order.
  private(set) var late: [LateFrame] = []
  /// The most cells on screen after a frame.
  private(set) var mostVisible = 0
  private let player: ScriptPlayer
  private let view: CollectionView

  init(_ view: CollectionView, _ player: ScriptPlayer) { (self.view, self.player) = (view, player) }

  func frameDidEnd(_ record: FrameRecord) {
    mostVisible = max(mostVisible, view.statistics.visible)
    guard record.hitch > .zero else { return }
    late.append(
      LateFrame(
        refresh: player.refresh, hitch: Double(record.hitch.nanoseconds),
        isSlackOverrun: record.hitchClass == .slackOverrun, cause: FrameLog.cause(of: record)))
  }

  private static func cause(of record: FrameRecord) -> String {
    let longest = FramePhase.allCases.max { record.duration(of: $0) < record.duration(of: $1) } ?? .commit
    return
      "\(record.hitchClass.name), \(longest.name) took \(FigureText.time(Double(record.duration(of: longest).nanoseconds)))"
      + ", \(record.cellsEntered) cells entered, \(record.cellsForced) of them not prepared"
      + (record.cause.map { "; " + $0 } ?? "")
  }
}
