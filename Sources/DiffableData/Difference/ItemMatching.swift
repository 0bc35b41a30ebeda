/// Which old items the new ones are, among those that may differ: as runs of neighbours.
struct ItemMatching: Sendable {
  /// What the new items were, in their order; when all were looked up, one more run of nothing stands behind them.
  private(set) var runs: ContiguousArray<OriginRun> = []
  /// The old items that were found.
  private(set) var found: SlotSet
  /// How many items move, as far as is known.
  private(set) var movedCount = 0
  /// How many items went from one window to another of the same section, by new section.
  private(set) var crossings: [Int: Int] = [:]
  /// For each window whether those that may stay are in order as they are.
  private(set) var isSorted: [Bool]

  private var slots: SlotMap
  /// How many new items were looked up.
  private var matched = 0
  /// The old item that would go on with the last run, or -1 for items that were not there; -2 where nothing goes on.
  private var next = -2
  /// The last old item of the present window that was found in it.
  private var last = -1

  /// Makes a matching of nothing.
  init() { (slots, found, isSorted) = (.empty, SlotSet(below: 0), []) }

  /// Makes a matching in which nothing is known.
  init(_ list: WindowList, handles: Int) {
    slots = SlotMap(count: list.oldCount, handles: handles)
    found = SlotSet(below: list.oldCount)
    isSorted = [Bool](repeating: true, count: list.windows.count)
    // Room is taken for the worst, and only what is written to costs memory.
    runs.reserveCapacity(list.newCount + 1)
  }

  /// Learns old items of a window.
  mutating func note(_ range: Range<Int>, of list: HandleList, from slot: Int) {
    slots.set(range, of: list, from: slot)
  }

  /// Finds new items of a window; pieces come in order.
  mutating func match<ID>(
    _ range: Range<Int>, of list: HandleList, window: Int, in windows: WindowList, _ names: HandleNames<ID>
  ) {
    let place = windows.windows[window]
    let own = place.oldSlots
    if range.lowerBound == place.new.lowerBound { (next, last) = (-2, -1) }
    // Locals, which the compiler keeps in registers.
    var (number, next, last, isInOrder) = (matched, self.next, self.last, isSorted[window])
    var (crossed, moved) = (0, 0)
    withUnsafeTemporaryAllocation(of: OriginRun.self, capacity: range.count) { runs in
      var count = 0
      found.withWords { found in
        slots.forEachRun(range, of: list, names) { first, length in
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
          // Mostly once: old neighbours may be of several windows.
          repeat {
            var origin = Int32(truncatingIfNeeded: slots.lowerBound)
            var end = own.upperBound
            if own.contains(slots.lowerBound) {
              isInOrder = isInOrder && slots.lowerBound > last
            } else {
              let source = windows.windows[windows.window(ofOldSlot: slots.lowerBound)]
              end = source.oldSlots.upperBound
              let some = min(end, slots.upperBound) &- slots.lowerBound
              if source.newSection == place.newSection { crossed &+= some }
              moved &+= some
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
    if crossed > 0 { crossings[place.newSection, default: 0] += crossed }
  }

  /// Forgets what is needed only to find items.
  mutating func endMatching() {
    slots = .empty
    runs.append(OriginRun(slot: Int32(truncatingIfNeeded: matched), origin: -1))
  }

  /// How many runs there are, without the one of nothing.
  var runCount: Int { runs.count - 1 }

  /// The runs of a window's new items.
  ///
  /// - Complexity: O(log r) for r runs.
  func runs(of slots: Range<Int>) -> Range<Int> { firstRun(from: slots.lowerBound)..<firstRun(from: slots.upperBound) }

  /// Where the runs of a window end, or those before a run; there is one at least.
  ///
  /// - Complexity: O(1) where the window ends with the runs, else O(log r) for r runs.
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

  // MARK: What moves

  /// Lets items move that may stay: of a run, and of those behind it until they are as many as wanted.
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

  /// Lets those items move that may stay and are in some runs, but not in the longest increasing one.
  mutating func move(allBut increasing: LongestIncreasingRun, from runs: Range<Int>) {
    var end = runs.upperBound
    var count = 0
    increasing.forEachMemberBackwards { index in
      count += moveAll((runs.lowerBound + index + 1)..<end)
      end = runs.lowerBound + index
    }
    movedCount += count + moveAll(runs.lowerBound..<end)
  }

  /// Lets those items of some runs move that may stay and that one from further behind has overtaken.
  mutating func moveAllThatFellBehind(in range: Range<Int>) {
    var (front, count): (Int32, Int) = (-1, 0)
    runs.withUnsafeMutableBufferPointer { runs in
      for index in range where runs[index].origin >= 0 {
        // Who has overtaken one of a run has overtaken all of it.
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

  /// Lets a run move that may stay.
  ///
  /// - Returns: of how many items it is.
  private static func move(run index: Int, of runs: UnsafeMutableBufferPointer<OriginRun>) -> Int {
    runs[index].origin = OriginRun.moved(runs[index].origin)
    return Int(runs[index &+ 1].slot &- runs[index].slot)
  }
}
