import CollectionEngine
import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The moment that the coming frame shows, and how the grid stands: what a request's urgency depends on.
final class FrameContext {
  /// The frame's target.
  var instant = FrameInstant.zero
  private weak var grid: CollectionView?
  private var loadOrder = LoadOrder()

  init(grid: CollectionView) { self.grid = grid }

  /// Takes in where the grid stands in this frame.
  ///
  /// - Returns: whether what is on screen is wanted in another order now.
  func updateOffset() -> Bool {
    guard let grid else { return false }
    return loadOrder.updateOffset(grid.contentOffset, screenHeight: grid.visibleRect.height)
  }

  /// The place of what stands at a frame in the content.
  func priority(of frame: Rect) -> Int64 { loadOrder.priority(of: frame) }

  /// When the picture of an item should be there: what is on screen comes first, by its place, and then what will be.
  func deadline(of path: IndexPath) -> FrameInstant {
    guard let grid, let frame = grid.frameOfItem(at: path), let index = grid.flatIndex(at: path) else { return instant }
    return frame.intersects(grid.visibleRect)
      ? ThumbnailDeadline.deadline(onScreenAt: loadOrder.priority(of: frame))
      : ThumbnailDeadline.deadline(aheadAt: instant, distance: distance(ofItem: index))
  }

  /// How many items stand between one that is not on screen and those that are, by flat indices.
  func distance(ofItem index: Int) -> Int {
    guard let visible = grid?.visibleRange, !visible.isEmpty else { return 0 }
    return max(0, index < visible.lowerBound ? visible.lowerBound - index : index - visible.upperBound)
  }
}
