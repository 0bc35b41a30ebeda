/// A set of the numbers of items, a bit for each.
struct SlotSet: Sendable {
  private var words: ContiguousArray<UInt64>

  /// Makes an empty set of numbers below a count.
  init(below count: Int) { words = ContiguousArray(repeating: 0, count: (count + 63) / 64) }

  func contains(_ slot: Int) -> Bool { words[slot &>> 6] &>> UInt64(slot & 63) & 1 != 0 }

  mutating func insert(_ slot: Int) { words[slot &>> 6] |= 1 &<< UInt64(slot & 63) }

  /// The numbers from a multiple of 64 on, a bit for each.
  func word(from slot: Int) -> UInt64 { words[slot &>> 6] }

  /// Lets a body write to the words, a bit for each number from the lowest on.
  mutating func withWords<Result>(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Result) -> Result {
    words.withUnsafeMutableBufferPointer { body($0) }
  }
}
