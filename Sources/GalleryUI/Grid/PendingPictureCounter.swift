import CollectionUI
import VitrineFramePacing
import VitrineViews

/// Statistics of the photographs on screen whose picture is pending.
struct PendingPictureCounter {
  /// The sum of the waiting times of all cells, in milliseconds.
  private(set) var cellMilliseconds = 0.0
  /// The part of ``cellMilliseconds`` in which cells were blank.
  private(set) var blankCellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0
  private var lastBlankCount = 0

  /// Returns the number of cells whose picture is pending.
  ///
  /// - Complexity: O(visible cells).
  static func pendingCount(in grid: CollectionView) -> Int {
    var count = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting { count += 1 }
    return count
  }

  /// Records a frame that was shown: the cells that waited in the last frame waited until now.
  mutating func recordFrame(in grid: CollectionView, _ record: FrameRecord) {
    if let lastShown, lastCount > 0 {
      let milliseconds = (record.shown - lastShown).milliseconds
      cellMilliseconds += Double(lastCount) * milliseconds
      blankCellMilliseconds += Double(lastBlankCount) * milliseconds
    }
    lastShown = record.shown
    lastCount = 0
    lastBlankCount = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting {
      lastCount += 1
      if cell.isBlank { lastBlankCount += 1 }
    }
  }
}
