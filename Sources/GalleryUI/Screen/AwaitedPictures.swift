import CollectionUI
import FramePacing

/// Counts the photographs on screen that still wait for their picture, and for how long all of them did.
struct AwaitedPictures {
  /// Waiting cells times milliseconds.
  private(set) var cellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0

  /// How many wait now.
  ///
  /// - Complexity: O(visible cells).
  func count(in grid: CollectionView) -> Int {
    var count = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting { count += 1 }
    return count
  }

  /// Takes in a frame that was shown: what waited in the last one waited until now.
  mutating func count(in grid: CollectionView, _ record: FrameRecord) {
    if let lastShown, lastCount > 0 {
      cellMilliseconds += Double(lastCount) * (record.shown - lastShown).milliseconds
    }
    lastShown = record.shown
    lastCount = count(in: grid)
  }
}
