import BenchmarkSupport
import FramePacing
import Views

/// Notes what each frame's commit cost and which were late, and has the next thing done.
@MainActor
final class FrameCosts: FrameParticipant {
  /// The commits in nanoseconds.
  private(set) var commits: [Double] = []
  /// The frames that were late.
  private(set) var late: [LateFrame] = []
  /// Whether frames are noted.
  var isNoting = false
  /// Called after each frame with the number of those that were noted.
  var next: (Int) -> Void = { _ in }

  var needsFrames: Bool { true }

  func frameDidEnd(_ record: FrameRecord) {
    if isNoting {
      commits.append(Double(record.commit.nanoseconds))
      if record.hitch > .zero {
        late.append(
          LateFrame(
            refresh: commits.count - 1, hitch: Double(record.hitch.nanoseconds),
            isSlackOverrun: record.hitchClass == .slackOverrun, cause: record.cause ?? "unknown"))
      }
    }
    next(commits.count)
  }
}
