import Geometry

/// In which order the pictures on screen are wanted: as they are read, and what enters first while they pass by.
///
/// At rest that is row by row from the top, from the left within a row. While the content moves towards its end the row
/// that entered last comes first, as it stays the longest; what would be on screen for a moment only is not waited for.
/// Towards the beginning the row that entered last is the topmost, and the order that of reading. Offsets go in, one a
/// frame; no clock is needed.
struct LoadOrder {
  /// Whether rows are wanted from the last to the first.
  private(set) var isBottomUp = false
  private var lastOffset: Double?

  /// More than the widest row: the places of two rows do not mix.
  private static let priorityPerRow: Int64 = 1 << 20

  /// Takes in where the content stands in this frame.
  ///
  /// A step of a screen or more passes nothing by: what is there then is read from the top.
  /// - Returns: whether the order is another one now.
  mutating func updateOffset(_ offset: Double, screenHeight: Double) -> Bool {
    let step = lastOffset.map { offset - $0 } ?? 0
    lastOffset = offset
    let before = isBottomUp
    isBottomUp = step > 0 && step < screenHeight
    return isBottomUp != before
  }

  /// The place of an item on screen among all: lower ones come first.
  ///
  /// - Parameter frame: where the item stands in the content, in points.
  func priority(of frame: Rect) -> Int64 {
    // Bounded, so that no layout makes the numbers overflow: 2^40 rows' tops by 2^20 are within 61 bits.
    let row = Int64(max(0, min(frame.minY, 1e12)).rounded())
    let column = Int64(max(0, min(frame.minX, 1e6)).rounded())
    return (isBottomUp ? -row : row) * LoadOrder.priorityPerRow + column
  }
}
