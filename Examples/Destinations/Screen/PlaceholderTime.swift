import CollectionUI
import FramePacing

/// For how long cells on screen had no picture: cells times milliseconds.
struct PlaceholderTime {
  private(set) var cellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0

  /// Cells on screen that wait for their picture now.
  static func count(in view: CollectionView) -> Int {
    view.visibleCells.count { ($0 as? DestinationCell)?.isWaiting == true }
  }

  /// A frame was shown: what waited in the last one did so until now.
  mutating func take(_ record: FrameRecord, of view: CollectionView) {
    if let lastShown { cellMilliseconds += Double(lastCount) * (record.shown - lastShown).milliseconds }
    lastShown = record.shown
    lastCount = Self.count(in: view)
  }
}
