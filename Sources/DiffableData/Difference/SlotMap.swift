/// A map from old handles to the slots of the old items in the windows of a difference.
enum SlotMap: Sendable {
  /// No handle has a slot.
  case empty
  /// The slot of each handle, or -1.
  case dense(ContiguousArray<Int32>)
  /// The slots of the few handles that have one.
  case sparse([Handle: Int32])

  /// Creates a map without slots.
  ///
  /// - Parameters:
  ///   - count: The number of handles that will have a slot.
  ///   - handles: The number of all handles.
  init(count: Int, handles: Int) {
    if count == 0 {
      self = .empty
    } else if handles <= 16 * count + 1_024 {
      self = .dense(ContiguousArray(repeating: -1, count: handles))
    } else {
      self = .sparse(Dictionary(minimumCapacity: count))
    }
  }

  /// Assigns consecutive slots to adjacent items of a list.
  ///
  /// - Complexity: O(k) for k items.
  mutating func set(_ range: Range<Int>, of list: HandleList, from first: Int) {
    var slot = Int32(truncatingIfNeeded: first)
    switch consume self {
    case .empty:
      self = .empty
    case .dense(var slots):
      slots.withUnsafeMutableBufferPointer { slots in
        list.forEachRun(in: range) { handles in
          for handle in handles {
            slots[Int(handle)] = slot
            slot &+= 1
          }
        }
      }
      self = .dense(slots)
    case .sparse(var slots):
      list.forEachRun(in: range) { handles in
        for handle in handles {
          slots[handle] = slot
          slot += 1
        }
      }
      self = .sparse(slots)
    }
  }

  /// Looks up adjacent items of a list of the new snapshot and calls a closure for each run of consecutive slots.
  ///
  /// The closure receives the first slot and the number of items, or -1 and the number of items without a slot. A run
  /// may be reported in several parts.
  ///
  /// - Complexity: O(k) for k items.
  @inline(__always)
  func forEachRun<ID>(
    _ range: Range<Int>, of list: HandleList, _ mapping: HandleMapping<ID>,
    _ body: (_ first: Int32, _ count: Int) -> Void
  ) {
    switch self {
    case .empty:
      body(-1, range.count)
    case .dense(let slots):
      slots.withUnsafeBufferPointer { slots in
        list.forEachRun(in: range) { handles in
          SlotMap.forEachRun(of: handles, body) {
            let handle = mapping.oldHandle(of: $0)
            return handle < 0 ? -1 : slots[Int(handle)]
          }
        }
      }
    case .sparse(let slots):
      list.forEachRun(in: range) { handles in
        SlotMap.forEachRun(of: handles, body) { slots[mapping.oldHandle(of: $0)] ?? -1 }
      }
    }
  }

  @inline(__always)
  private static func forEachRun(
    of handles: UnsafeBufferPointer<Handle>.SubSequence, _ body: (_ first: Int32, _ count: Int) -> Void,
    slot: (Handle) -> Int32
  ) {
    var index = handles.startIndex
    let end = handles.endIndex
    guard index < end else { return }
    var current = slot(handles[index])
    while index < end {
      let first = current
      let start = index
      let step: Int32 = first < 0 ? 0 : 1
      var expected = first
      repeat {
        expected &+= step
        index &+= 1
        guard index < end else { break }
        current = slot(handles[index])
      } while current == expected
      body(first, index &- start)
    }
  }
}

/// A bit set of slots.
struct SlotSet: Sendable {
  private var words: ContiguousArray<UInt64>

  /// Creates an empty set of slots below a count.
  init(below count: Int) { words = ContiguousArray(repeating: 0, count: (count + 63) / 64) }

  mutating func insert(_ slot: Int) { words[slot &>> 6] |= 1 &<< UInt64(slot & 63) }

  mutating func insert(_ slots: Range<Int>) { withWords { SlotSet.insert(slots, into: $0) } }

  /// Returns the word that contains a slot: the bits of 64 slots, starting at a multiple of 64.
  func word(around slot: Int) -> UInt64 { words[slot &>> 6] }

  /// Returns whether no slot of a range is in the set.
  ///
  /// - Complexity: O(k / 64) for k slots before the first one in the set.
  func isDisjoint(with slots: Range<Int>) -> Bool {
    var slot = slots.lowerBound
    while slot < slots.upperBound {
      let end = SlotSet.wordEnd(after: slot, within: slots)
      if words[slot &>> 6] & SlotSet.mask(slot..<end) != 0 { return false }
      slot = end
    }
    return true
  }

  /// For each word, the number of slots in the set before it.
  var countsBeforeWords: ContiguousArray<Int32> {
    var count: Int32 = 0
    return ContiguousArray(
      words.map { word in
        defer { count += Int32(truncatingIfNeeded: word.nonzeroBitCount) }
        return count
      })
  }

  /// Returns the number of slots in the set that share a word with a slot and are less than it.
  func countInWord(below slot: Int) -> Int32 {
    Int32(truncatingIfNeeded: (words[slot &>> 6] & ((1 &<< UInt64(slot & 63)) &- 1)).nonzeroBitCount)
  }

  /// Calls a closure with the mutable words of the set, lowest slots first.
  mutating func withWords<Result>(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Result) -> Result {
    words.withUnsafeMutableBufferPointer { body($0) }
  }

  /// Inserts a range of slots into the words of a set.
  @inline(__always)
  static func insert(_ slots: Range<Int>, into words: UnsafeMutableBufferPointer<UInt64>) {
    var slot = slots.lowerBound
    while slot < slots.upperBound {
      let end = wordEnd(after: slot, within: slots)
      words[slot &>> 6] |= mask(slot..<end)
      slot = end
    }
  }

  /// Returns the end of the word that contains a slot, or the end of the range if it comes first.
  @inline(__always)
  static func wordEnd(after slot: Int, within slots: Range<Int>) -> Int { min((slot | 63) &+ 1, slots.upperBound) }

  /// Returns the bits of a nonempty range of slots that share a word.
  @inline(__always)
  static func mask(_ slots: Range<Int>) -> UInt64 {
    (UInt64.max &<< UInt64(slots.lowerBound & 63)) & (UInt64.max &>> UInt64(63 &- (slots.upperBound &- 1) & 63))
  }
}
