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

  /// Looks neighbouring items of a list of the new snapshot up, and calls a body with each one's number, or -1.
  ///
  /// - Complexity: O(k) for k items.
  @inline(__always)
  func forEachSlot<ID>(
    _ range: Range<Int>, of list: HandleList, _ names: HandleNames<ID>, _ body: (Int32) -> Void
  ) {
    switch self {
    case .empty:
      for _ in range { body(-1) }
    case .dense(let slots):
      slots.withUnsafeBufferPointer { slots in
        list.forEachRun(in: range) { handles in
          for handle in handles {
            let handle = names.oldHandle(of: handle)
            body(handle < 0 ? -1 : slots[Int(handle)])
          }
        }
      }
    case .sparse(let slots):
      list.forEachRun(in: range) { handles in
        for handle in handles { body(slots[names.oldHandle(of: handle)] ?? -1) }
      }
    }
  }
}
