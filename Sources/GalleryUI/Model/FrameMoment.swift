import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The moment that the coming frame shows, and where the grid stands: what a request's urgency depends on.
final class FrameMoment {
  /// The frame's target.
  var instant = FrameInstant.zero
  private weak var grid: CollectionView?

  init(grid: CollectionView) { self.grid = grid }

  /// How far an item's middle is from the middle of what is seen, in points.
  func distanceFromMiddle(of path: IndexPath) -> Double {
    guard let grid, let frame = grid.frameOfItem(at: path) else { return 0 }
    return abs(frame.midY - grid.visibleRect.midY)
  }
}
