/// From old handles to the numbers of the old items that may differ.
enum SlotMap: Sendable {
  /// None has one.
  case empty
  /// For every handle the number, or -1.
  case dense(ContiguousArray<Int32>)
  /// The few that have one.
  case sparse([Handle: Int32])

  /// Makes a map of none yet.
  ///
  /// - Parameters:
  ///   - count: how many handles will have a number.
  ///   - handles: how many there are.
  init(count: Int, handles: Int) {
    if count == 0 {
      self = .empty
    } else if handles <= 16 * count + 1_024 {
      self = .dense(ContiguousArray(repeating: -1, count: handles))
    } else {
      self = .sparse(Dictionary(minimumCapacity: count))
    }
  }

  /// Numbers neighbouring items of a list, from a number on.
  ///
  /// - Complexity: O(k) for k items.
  mutating func set(_ range: Range<Int>, of list: HandleList, from first: Int) {
    var slot = Int32(truncatingIfNeeded: first)
    switch consume self {
    case .empty:
      self = .empty
    case .dense(var slots):
      list.forEachRun(in: range) { handles in
        for handle in handles {
          slots[Int(handle)] = slot
          slot += 1
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

  /// The number of a handle, or -1, also for the handle -1.
  subscript(handle: Handle) -> Int32 {
    switch self {
    case .empty: -1
    case .dense(let slots): handle < 0 ? -1 : slots[Int(handle)]
    case .sparse(let slots): slots[handle] ?? -1
    }
  }
}
