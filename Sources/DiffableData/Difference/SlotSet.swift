/// A set of the numbers of items, a bit for each.
struct SlotSet: Sendable {
  private var words: ContiguousArray<UInt64>

  /// Makes an empty set of numbers below a count.
  init(below count: Int) { words = ContiguousArray(repeating: 0, count: (count + 63) / 64) }

  mutating func insert(_ slot: Int) { words[slot &>> 6] |= 1 &<< UInt64(slot & 63) }

  mutating func insert(_ slots: Range<Int>) { withWords { SlotSet.insert(slots, into: $0) } }

  /// The 64 numbers, from a multiple of 64 on, among which a number is: a bit for each.
  func word(around slot: Int) -> UInt64 { words[slot &>> 6] }

  /// Whether none is in a range of numbers.
  ///
  /// - Complexity: O(k / 64) for k numbers before the first that is.
  func isDisjoint(with slots: Range<Int>) -> Bool {
    var slot = slots.lowerBound
    while slot < slots.upperBound {
      let end = SlotSet.wordEnd(after: slot, within: slots)
      if words[slot &>> 6] & SlotSet.mask(slot..<end) != 0 { return false }
      slot = end
    }
    return true
  }

  /// For each word how many are in the set before it.
  var countsBeforeWords: ContiguousArray<Int32> {
    var count: Int32 = 0
    return ContiguousArray(
      words.map { word in
        defer { count += Int32(truncatingIfNeeded: word.nonzeroBitCount) }
        return count
      })
  }

  /// How many of the numbers around one are in the set below it.
  func countInWord(below slot: Int) -> Int32 {
    Int32(truncatingIfNeeded: (words[slot &>> 6] & ((1 &<< UInt64(slot & 63)) &- 1)).nonzeroBitCount)
  }

  /// Lets a body write to the words, a bit for each number from the lowest on.
  mutating func withWords<Result>(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Result) -> Result {
    words.withUnsafeMutableBufferPointer { body($0) }
  }

  /// Inserts a range of numbers into the words of a set.
  @inline(__always)
  static func insert(_ slots: Range<Int>, into words: UnsafeMutableBufferPointer<UInt64>) {
    var slot = slots.lowerBound
    while slot < slots.upperBound {
      let end = wordEnd(after: slot, within: slots)
      words[slot &>> 6] |= mask(slot..<end)
      slot = end
    }
  }

  /// Where the numbers that share a word with one end, or the range that they are in.
  @inline(__always)
  static func wordEnd(after slot: Int, within slots: Range<Int>) -> Int { min((slot | 63) &+ 1, slots.upperBound) }

  /// The bits of numbers that share a word; there is one at least.
  @inline(__always)
  static func mask(_ slots: Range<Int>) -> UInt64 {
    (UInt64.max &<< UInt64(slots.lowerBound & 63)) & (UInt64.max &>> UInt64(63 &- (slots.upperBound &- 1) & 63))
  }
}
