import CollectionUI
import FramePacing
import Views

/// Moves the light of the loading indicators on screen, in calm steps, and counts how long cells wait.
final class LoadingPulse: FrameParticipant {
  private static let step = FrameDuration.milliseconds(150)

  /// Visible cells without their rating, times milliseconds.
  private(set) var waitingCellMilliseconds = 0.0
  private let grid: EmojiGrid
  private let reducesMotion: Bool
  private var phase = 0
  private var lastFrame: (shown: FrameInstant, waiting: Int)?

  /// Makes what moves a grid's indicators, or lets them stand still.
  init(of grid: EmojiGrid, reducesMotion: Bool) {
    self.grid = grid
    self.reducesMotion = reducesMotion
  }

  /// While something moves: a loop has no timer for the next step, and frames in which nothing changes are short.
  var needsFrames: Bool { !reducesMotion && grid.waitingCount > 0 }

  func update(at target: FrameInstant) {
    guard needsFrames else { return }
    let next = Int(target.nanoseconds / LoadingPulse.step.nanoseconds) % LoadingIndicator.phases
    guard next != phase else { return }
    phase = next
    for case let cell as EmojiCell in grid.collectionView.visibleCells where cell.rating == nil {
      cell.loadingIndicator.phase = next
    }
  }

  func frameDidEnd(_ record: FrameRecord) {
    if let lastFrame {
      waitingCellMilliseconds += Double(lastFrame.waiting) * (record.shown - lastFrame.shown).milliseconds
    }
    lastFrame = (record.shown, grid.waitingCount)
  }
}
