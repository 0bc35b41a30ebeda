/// A set of photographs, as a bit for each number.
struct PhotoBits: Hashable, Sendable {
  private var words: [UInt64] = []
  /// The number of photographs for which there is a bit: those with the numbers 1 to this one.
  private(set) var count = 0

  /// Adds bits that are not set, up to a number of photographs.
  mutating func grow(to count: Int) {
    guard count > self.count else { return }
    self.count = count
    words += repeatElement(0, count: (count + 63) / 64 - words.count)
  }

  /// Whether the photograph of a row, which is its number less 1, is in the set.
  ///
  /// - Precondition: To set it, there must be a bit for the row.
  subscript(row: Int) -> Bool {
    get { row >= 0 && row < count && words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
    set {
      let bit = UInt64(1) << UInt64(row & 63)
      if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
    }
  }
}
