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
  /// When the last frame was to be shown.
  private var target = FrameInstant.zero
  private var lastFrame: (shown: FrameInstant, waiting: Int)?

  /// Makes what moves a grid's indicators, or lets them stand still.
  init(of grid: EmojiGrid, reducesMotion: Bool) {
    self.grid = grid
    self.reducesMotion = reducesMotion
  }

  private var isMoving: Bool { !reducesMotion && grid.waitingCount > 0 }

  /// When the light takes its next step, as long as there is one: until then the window may rest.
  var nextFrame: FrameInstant? {
    guard isMoving else { return nil }
    let step = LoadingPulse.step.nanoseconds
    return FrameInstant(nanoseconds: (target.nanoseconds / step + 1) * step)
  }

  func update(at target: FrameInstant) {
    self.target = target
    guard isMoving else { return }
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
