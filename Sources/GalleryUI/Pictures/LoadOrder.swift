import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineViews

/// The order in which the pictures on screen are loaded.
///
/// At rest, it is the reading order: row by row from the top, from left to right within a row. While the content
/// scrolls toward its end, the last row comes first, because it stays on screen the longest, and rows that are about to
/// leave come last. While the content scrolls toward its beginning, the last row to enter is the topmost one, so the
/// reading order applies.
///
/// The only input is one offset per frame.
struct LoadOrder {
  /// Whether the rows are loaded from the last to the first.
  private(set) var isBottomUp = false
  private var lastOffset: Double?

  /// More than the widest row, so that the priorities of two rows do not overlap.
  private static let priorityPerRow: Int64 = 1 << 20

  /// Updates the order with the offset of this frame.
  ///
  /// After a step of a screen or more, the order is the reading order.
  ///
  /// - Returns: Whether the order changed.
  mutating func updateOffset(_ offset: Double, screenHeight: Double) -> Bool {
    let step = lastOffset.map { offset - $0 } ?? 0
    lastOffset = offset
    let before = isBottomUp
    isBottomUp = step > 0 && step < screenHeight
    return isBottomUp != before
  }

  /// Returns the priority of an item on screen.
  ///
  /// Lower numbers come first.
  ///
  /// - Parameter frame: The frame of the item in the content, in points.
  func priority(of frame: Rect) -> Int64 {
    // Clamped, so that no layout makes the result overflow: 2^40 for the row times 2^20 is within 61 bits.
    let row = Int64(max(0, min(frame.minY, 1e12)).rounded())
    let column = Int64(max(0, min(frame.minX, 1e6)).rounded())
    return (isBottomUp ? -row : row) * LoadOrder.priorityPerRow + column
  }
}

/// The time of the current frame and the state of the grid, on which the deadlines of requests depend.
final class FrameContext {
  /// The presentation time of the frame.
  var instant = FrameInstant.zero
  private weak var grid: CollectionView?
  private var loadOrder = LoadOrder()

  init(grid: CollectionView) { self.grid = grid }

  /// Updates the load order with the offset of this frame.
  ///
  /// - Returns: Whether the order changed.
  func updateOffset() -> Bool {
    guard let grid else { return false }
    return loadOrder.updateOffset(grid.contentOffset, screenHeight: grid.visibleRect.height)
  }

  /// Returns the priority of an item on screen with the given frame in the content.
  func priority(of frame: Rect) -> Int64 { loadOrder.priority(of: frame) }

  /// Returns the deadline of an item's picture.
  ///
  /// Items on screen come first, by priority, followed by those that will appear.
  func deadline(of path: IndexPath) -> FrameInstant {
    guard let grid, let frame = grid.frameOfItem(at: path), let index = grid.flatIndex(at: path) else { return instant }
    return frame.intersects(grid.visibleRect)
      ? ThumbnailDeadline.deadline(onScreenWithPriority: loadOrder.priority(of: frame))
      : ThumbnailDeadline.deadline(prefetchAt: instant, distance: distance(ofItem: index))
  }

  /// Returns the number of items between an item and those on screen, by flat indices.
  func distance(ofItem index: Int) -> Int {
    guard let visible = grid?.visibleRange, !visible.isEmpty else { return 0 }
    return max(0, index < visible.lowerBound ? visible.lowerBound - index : index - visible.upperBound)
  }
}

/// The deadlines of pictures in the image scheduler.
///
/// Pictures on screen come before those that will appear.
///
/// Deadlines are only compared with each other. Those of pictures on screen are before the zero of the clock and depend
/// only on the priority, not on the frame of the request.
struct ThumbnailDeadline {
  /// Longer than any prefetch request waits.
  private static let horizon = FrameDuration.seconds(30)
  /// The delay of the deadline per item of distance.
  ///
  /// It is small enough that the requests of two frames are ordered by distance, with up to 160 items passing per
  /// frame.
  private static let timePerItem = FrameDuration.microseconds(100)

  /// Returns the deadline of a picture on screen with the given priority.
  static func deadline(onScreenWithPriority priority: Int64) -> FrameInstant {
    FrameInstant(nanoseconds: .min / 2 + priority)
  }

  /// Returns the deadline of a picture that failed before: after all pictures on screen that were not tried yet, because
  /// files that fail slowly would delay these for minutes.
  ///
  /// - Parameter deadline: The deadline of the first request. One of a picture that is not on screen is returned as it is.
  static func deadline(ofRetryOnScreen deadline: FrameInstant) -> FrameInstant {
    deadline < .zero ? FrameInstant(nanoseconds: min(-1, deadline.nanoseconds + 1 << 61)) : deadline
  }

  /// Returns the deadline of a picture that is separated from the screen by the given number of items.
  static func deadline(prefetchAt instant: FrameInstant, distance: Int) -> FrameInstant {
    instant + min(timePerItem * Double(distance), horizon)
  }

  /// Returns the deadline of a picture that has left the screen and may come back: after those that will appear.
  static func deadline(offScreenAt instant: FrameInstant) -> FrameInstant { instant + horizon * 2 }
}
