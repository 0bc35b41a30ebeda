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

  /// Looks neighbouring items of a list of the new snapshot up, and calls a body for each run of them: with the number of
  /// the first and how many there are, numbered one after the other, or with -1 and how many that have none.
  ///
  /// Runs may end early.
  ///
  /// - Complexity: O(k) for k items.
  @inline(__always)
  func forEachRun<ID>(
    _ range: Range<Int>, of list: HandleList, _ names: HandleNames<ID>, _ body: (_ first: Int32, _ count: Int) -> Void
  ) {
    switch self {
    case .empty:
      body(-1, range.count)
    case .dense(let slots):
      slots.withUnsafeBufferPointer { slots in
        list.forEachRun(in: range) { handles in
          SlotMap.forEachRun(of: handles, body) {
            let handle = names.oldHandle(of: $0)
            return handle < 0 ? -1 : slots[Int(handle)]
          }
        }
      }
    case .sparse(let slots):
      list.forEachRun(in: range) { handles in
        SlotMap.forEachRun(of: handles, body) { slots[names.oldHandle(of: $0)] ?? -1 }
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
