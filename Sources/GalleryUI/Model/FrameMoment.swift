import CollectionEngine
import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The moment that the coming frame shows, and how the grid stands: what a request's urgency depends on.
final class FrameMoment {
  /// The frame's target.
  var instant = FrameInstant.zero
  private weak var grid: CollectionView?
  private var order = ViewingOrder()

  init(grid: CollectionView) { self.grid = grid }

  /// Takes in where the grid stands in this frame.
  ///
  /// - Returns: whether what is on screen is wanted in another order now.
  func noteOffset() -> Bool {
    guard let grid else { return false }
    return order.note(offset: grid.contentOffset, screen: grid.visibleRect.height)
  }

  /// An item's place in the order in which pictures on screen are wanted.
  func place(of path: IndexPath) -> Int64 { grid?.frameOfItem(at: path).map(order.place) ?? 0 }

  /// The place of what stands at a frame in the content.
  func place(of frame: Rect) -> Int64 { order.place(of: frame) }

  /// How many items stand between one that is not on screen and those that are, by flat indices.
  func distance(ofItem index: Int) -> Int {
    guard let visible = grid?.visibleRange, !visible.isEmpty else { return 0 }
    return max(0, index < visible.lowerBound ? visible.lowerBound - index : index - visible.upperBound)
  }
}
