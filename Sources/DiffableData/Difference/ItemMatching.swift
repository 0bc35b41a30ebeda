/// The old items that correspond to the new items in the windows of a difference, as runs.
struct ItemMatching: Sendable {
  /// The runs of new items, in order, with a sentinel at the end once all items have been matched.
  private(set) var runs: ContiguousArray<OriginRun> = []
  /// The old items that were found.
  private(set) var found: SlotSet
  /// The number of moved items, as far as it is known.
  private(set) var movedCount = 0
  /// The number of items that moved between windows of the same section, by new section index.
  private(set) var crossings: [Int: Int] = [:]
  /// For each window, whether the items that may stay are already in order.
  private(set) var isSorted: [Bool]

  private var slots: SlotMap
  /// The number of new items that were matched.
  private var matched = 0
  /// The old item that would continue the last run, -1 if a new item without origin would continue it, or -2 if nothing
  /// can.
  private var next = -2
  /// The last old item that was found in its own window.
  private var last = -1

  /// Creates an empty matching.
  init() { (slots, found, isSorted) = (.empty, SlotSet(below: 0), []) }

  /// Creates a matching in which no item is known.
  init(_ list: WindowList, handles: Int) {
    slots = SlotMap(count: list.oldCount, handles: handles)
    found = SlotSet(below: list.oldCount)
    isSorted = [Bool](repeating: true, count: list.windows.count)
    // The capacity is that of the worst case. Only the memory that is written to is committed.
    runs.reserveCapacity(list.newCount + 1)
  }

  /// Records the slots of old items of a window.
  mutating func recordOldItems(_ range: Range<Int>, of list: HandleList, from slot: Int) {
    slots.set(range, of: list, from: slot)
  }

  /// Matches new items of a window.
  ///
  /// The items come in order.
  mutating func matchNewItems<ID>(
    _ range: Range<Int>, of list: HandleList, window: Int, in windows: WindowList, _ mapping: HandleMapping<ID>
  ) {
    let target = windows.windows[window]
    let oldSlots = target.oldSlots
    if range.lowerBound == target.new.lowerBound { (next, last) = (-2, -1) }
    // Local variables, which the compiler keeps in registers.
    var (number, next, last, isInOrder) = (matched, self.next, self.last, isSorted[window])
    var (crossed, moved) = (0, 0)
    withUnsafeTemporaryAllocation(of: OriginRun.self, capacity: range.count) { runs in
      var count = 0
      found.withWords { found in
        slots.forEachRun(range, of: list, mapping) { first, length in
          guard first >= 0 else {
            if next != -1 {
              runs[count] = OriginRun(slot: Int32(truncatingIfNeeded: number), origin: -1)
              count &+= 1
            }
            number &+= length
            return next = -1
          }
          var slots = Int(first)..<(Int(first) &+ length)
          SlotSet.insert(slots, into: found)
          // Usually once, but adjacent old items may belong to several windows.
          repeat {
            var origin = Int32(truncatingIfNeeded: slots.lowerBound)
            var end = oldSlots.upperBound
            if oldSlots.contains(slots.lowerBound) {
              isInOrder = isInOrder && slots.lowerBound > last
            } else {
              let source = windows.windows[windows.window(ofOldSlot: slots.lowerBound)]
              end = source.oldSlots.upperBound
              let crossingCount = min(end, slots.upperBound) &- slots.lowerBound
              if source.newSection == target.newSection { crossed &+= crossingCount }
              moved &+= crossingCount
              origin = OriginRun.moved(origin)
            }
            if next != slots.lowerBound {
              runs[count] = OriginRun(slot: Int32(truncatingIfNeeded: number), origin: origin)
              count &+= 1
            }
            let stop = min(end, slots.upperBound)
            number &+= stop &- slots.lowerBound
            if origin >= 0 { last = stop &- 1 }
            next = stop == end ? -2 : stop
            slots = stop..<slots.upperBound
          } while !slots.isEmpty
        }
      }
      self.runs.append(contentsOf: UnsafeBufferPointer(rebasing: runs[..<count]))
    }
    (self.last, self.next, matched) = (last, next, number)
    movedCount += moved
    isSorted[window] = isInOrder
    if crossed > 0 { crossings[target.newSection, default: 0] += crossed }
  }

  /// Ends matching and releases the storage that only it needs.
  mutating func endMatching() {
    slots = .empty
    runs.append(OriginRun(slot: Int32(truncatingIfNeeded: matched), origin: -1))
  }

  /// The number of runs, without the sentinel.
  var runCount: Int { runs.count - 1 }

  /// Returns the runs of a window's new items.
  ///
  /// - Complexity: O(log r) for r runs.
  func runs(of slots: Range<Int>) -> Range<Int> { firstRun(from: slots.lowerBound)..<firstRun(from: slots.upperBound) }

  /// Returns the end of the window's runs in a nonempty range of runs.
  ///
  /// - Complexity: O(1) if the window contains all of them, otherwise O(log r) for r runs.
  func runEnd(of slots: Range<Int>, from first: Int, upTo end: Int) -> Int {
    runs[end].slot <= slots.upperBound ? end : firstRun(from: slots.upperBound, in: first..<end)
  }

  private func firstRun(from slot: Int) -> Int { firstRun(from: slot, in: 0..<runCount) }

  private func firstRun(from slot: Int, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Moves

  /// Marks a number of items that may stay as moved, from a run on.
  mutating func move(_ count: Int, fromRun first: Int) {
    runs.withUnsafeMutableBufferPointer { runs in
      var (index, rest) = (first, count)
      while rest > 0 {
        if runs[index].origin >= 0 { rest -= ItemMatching.move(run: index, of: runs) }
        index += 1
      }
    }
    movedCount += count
  }

  /// Marks the items that may stay as moved, except those in an increasing subsequence of the runs.
  mutating func move(allBut increasing: LongestIncreasingSubsequence, from runs: Range<Int>) {
    var end = runs.upperBound
    var count = 0
    increasing.forEachMemberBackwards { index in
      count += moveAll((runs.lowerBound + index + 1)..<end)
      end = runs.lowerBound + index
    }
    movedCount += count + moveAll(runs.lowerBound..<end)
  }

  /// Marks items that may stay as moved if an item that was after them is now before them.
  mutating func moveOvertakenRuns(in range: Range<Int>) {
    var (front, count): (Int32, Int) = (-1, 0)
    runs.withUnsafeMutableBufferPointer { runs in
      for index in range where runs[index].origin >= 0 {
        // An item that overtakes one item of a run overtakes the whole run.
        if runs[index].origin < front {
          count &+= ItemMatching.move(run: index, of: runs)
        } else {
          front = runs[index].origin
        }
      }
    }
    movedCount += count
  }

  private mutating func moveAll(_ range: Range<Int>) -> Int {
    runs.withUnsafeMutableBufferPointer { runs in
      var count = 0
      for index in range where runs[index].origin >= 0 { count &+= ItemMatching.move(run: index, of: runs) }
      return count
    }
  }

  /// Marks a run that may stay as moved.
  ///
  /// - Returns: The number of its items.
  private static func move(run index: Int, of runs: UnsafeMutableBufferPointer<OriginRun>) -> Int {
    runs[index].origin = OriginRun.moved(runs[index].origin)
    return Int(runs[index &+ 1].slot &- runs[index].slot)
  }
}

/// A run of adjacent new items that are adjacent old items, or of new items that have no origin.
struct OriginRun: Sendable {
  /// The slot of the first new item.
  ///
  /// The run ends where the next one starts.
  var slot: Int32
  /// The slot of the first old item if the items may stay, `-1` if they have no origin, or `-2 - n` if they move and
  /// the slot of the first old item is n.
  var origin: Int32

  /// Returns the origin of a moved run.
  static func moved(_ first: Int32) -> Int32 { -2 - first }
}
