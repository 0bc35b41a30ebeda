/// A set of the numbers of items, a bit for each.
struct SlotSet: Sendable {
  private var words: ContiguousArray<UInt64>

  /// Makes an empty set of numbers below a count.
  init(below count: Int) { words = ContiguousArray(repeating: 0, count: (count + 63) / 64) }

  func contains(_ slot: Int) -> Bool { words[slot &>> 6] &>> UInt64(slot & 63) & 1 != 0 }

  mutating func insert(_ slot: Int) { words[slot &>> 6] |= 1 &<< UInt64(slot & 63) }

  /// Lets a body insert numbers without the set being looked up for each.
  mutating func withInsertion<Result>(_ body: ((Int) -> Void) -> Result) -> Result {
    words.withUnsafeMutableBufferPointer { words in
      body { slot in words[slot &>> 6] |= 1 &<< UInt64(slot & 63) }
    }
  }
}
