import CollectionUI
import FramePacing

/// Counts the photographs on screen that still wait for their picture, and for how long all of them did.
struct PendingPictureCounter {
  /// Waiting cells times milliseconds.
  private(set) var cellMilliseconds = 0.0
  /// Of these the ones of cells that showed nothing at all.
  private(set) var blankCellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0
  private var lastBlankCount = 0

  /// How many wait now.
  ///
  /// - Complexity: O(visible cells).
  func pendingCount(in grid: CollectionView) -> Int {
    var count = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting { count += 1 }
    return count
  }

  /// Takes in a frame that was shown: what waited in the last one waited until now.
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
