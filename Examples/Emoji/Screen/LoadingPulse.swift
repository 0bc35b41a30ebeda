import CollectionUI
import FramePacing
import Views

/// Moves the light of the loading indicators on screen, in calm steps, and counts how long cells wait.
final class LoadingPulse: FrameParticipant {
  private static let step = FrameDuration.milliseconds(150)

  /// Visible cells without their rating, times milliseconds.
  private(set) var waitingCellMilliseconds = 0.0
  private weak var view: CollectionView?
  private let reducesMotion: Bool
  private var phase = 0
  private var lastFrame: (shown: FrameInstant, waiting: Int)?

  /// Makes what moves a view's indicators, or lets them stand still.
  init(of view: CollectionView, reducesMotion: Bool) {
    self.view = view
    self.reducesMotion = reducesMotion
  }

  /// The cells on screen that wait for their rating.
  /// - Complexity: O(cells on screen).
  var waitingCells: [EmojiCell] {
    (view?.visibleCells ?? []).compactMap { $0 as? EmojiCell }.filter { $0.rating == nil }
  }

  /// While something moves.
  var needsFrames: Bool { !reducesMotion && !waitingCells.isEmpty }

  func update(at target: FrameInstant) {
    guard !reducesMotion else { return }
    let next = Int(target.nanoseconds / LoadingPulse.step.nanoseconds) % LoadingIndicator.phases
    guard next != phase else { return }
    phase = next
    for cell in waitingCells { cell.loadingIndicator.phase = next }
  }

  func frameDidEnd(_ record: FrameRecord) {
    if let lastFrame {
      waitingCellMilliseconds += Double(lastFrame.waiting) * (record.shown - lastFrame.shown).milliseconds
    }
    lastFrame = (record.shown, waitingCells.count)
  }
}
