import CollectionLayout
import CollectionUI

/// Counts how often it places cells, and how often its content is told to stand elsewhere.
@MainActor
final class CountingView: CollectionView {
  private(set) var layouts = 0
  private(set) var moves = 0

  override func layout() {
    layouts += 1
    super.layout()
  }

  override func contentOffsetDidChange() {
    moves += 1
    super.contentOffsetDidChange()
  }
}
