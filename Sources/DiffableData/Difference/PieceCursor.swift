/// Goes through the items of all windows in pieces.
struct PieceCursor: Sendable {
  /// The most items in a piece.
  static let length = 2_048

  private var position = 0
  private var offset = 0

  /// The next piece: the window's index, and which of its items, counted from its first.
  ///
  /// - Parameters:
  ///   - order: the windows' indexes in the order wanted.
  ///   - count: how many items a window has.
  mutating func next(
    in order: some RandomAccessCollection<Int>, count: (Int) -> Int
  ) -> (window: Int, range: Range<Int>)? {
    while position < order.count {
      let window = order[order.index(order.startIndex, offsetBy: position)]
      let end = min(count(window), offset + PieceCursor.length)
      guard offset < end else {
        position += 1
        offset = 0
        continue
      }
      defer { offset = end }
      return (window, offset..<end)
    }
    return nil
  }
}
