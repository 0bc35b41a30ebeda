/// Lists the changes of a matching as runs, in one pass over the new items and one over the old items.
struct ChangeListing: Sendable {
  /// The moves of items.
  private(set) var moves: MoveListing

  private struct Lists: Sendable {
    var deletes = IndexRuns()
    var inserts = IndexRuns()
    var departures = IndexRuns()
    var arrivals = IndexRuns()
  }

  /// The changes of each section in both snapshots that has windows, by new section index.
  private var lists: [Int: Lists] = [:]
  private var sections: [(old: Int, new: Int)] = []

  /// The window of the new items that were read last.
  private var window = 0

  /// The changes of the current section, which are taken out of the dictionary for writing.
  private var current = Lists()
  private var currentSection = -1

  /// Creates an empty listing.
  init() { moves = MoveListing(WindowList(), moves: 0) }

  /// Creates a listing of known moves.
  init(_ known: MoveListing) { moves = known }

  /// Creates a listing to fill.
  ///
  /// - Parameter moves: The number of moved items.
  init(_ windows: WindowList, moves count: Int) {
    moves = MoveListing(windows, moves: count)
    for window in windows.windows where window.oldSection >= 0 && window.newSection >= 0 {
      if sections.last?.new != window.newSection { sections.append((window.oldSection, window.newSection)) }
    }
  }

  /// Reads runs of new items, in order.
  mutating func readNew(_ range: Range<Int>, in windows: WindowList, _ matching: ItemMatching) {
    var (index, window) = (range.lowerBound, self.window)
    while index < range.upperBound {
      while Int(matching.runs[index].slot) >= windows.windows[window].newSlots.upperBound { window += 1 }
      let target = windows.windows[window]
      let end = matching.runEnd(of: target.newSlots, from: index, upTo: range.upperBound)
      moves.readNew(index..<end, of: matching.runs, in: target, of: windows)
      if target.oldSection >= 0 {
        selectSection(target.newSection)
        listNew(index..<end, of: matching.runs, shift: target.new.lowerBound - target.newSlot)
      }
      index = end
    }
    self.window = window
  }

  /// Lists runs of new items of a window in a section that has old items too.
  private mutating func listNew(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>, shift: Int) {
    // Inserted and moved runs are often adjacent. Two integers stay in registers, unlike a range.
    var (first, last) = (0, 0)
    runs.withUnsafeBufferPointer { runs in
      for index in range where runs[index].origin < 0 {
        let lower = Int(runs[index].slot) &+ shift
        let upper = Int(runs[index &+ 1].slot) &+ shift
        if runs[index].origin == -1 { current.inserts.append(contentsOf: lower..<upper) }
        if lower != last {
          current.arrivals.append(contentsOf: first..<last)
          first = lower
        }
        last = upper
      }
    }
    current.arrivals.append(contentsOf: first..<last)
  }

  /// Ends the pass over the new items.
  mutating func endNew() {
    storeCurrentSection()
    moves.endNew()
  }

  /// Reads old items of a window by number.
  ///
  /// The windows come in the order of the old snapshot.
  mutating func readOld(
    _ range: Range<Int>, ofWindow index: Int, in windows: WindowList, _ matching: ItemMatching
  ) {
    let window = windows.windows[index]
    let isListed = window.newSection >= 0
    if isListed { selectSection(window.newSection) }
    let shift = window.old.lowerBound - window.oldSlot
    var slot = range.lowerBound
    while slot < range.upperBound {
      let end = SlotSet.wordEnd(after: slot, within: range)
      let mask = SlotSet.mask(slot..<end)
      let removed = ~matching.found.word(around: slot) & mask
      let leaving = moves.readOld(around: slot, mask)
      // Usually all 64 items stay.
      if isListed, removed | leaving != 0 {
        let first = slot & ~63
        current.deletes.append(bits: removed, from: first + shift)
        current.departures.append(bits: removed | leaving, from: first + shift)
      }
      slot = end
    }
  }

  /// Returns the item changes of each changed section in both snapshots, sorted by new index.
  mutating func end() -> [SectionChange] {
    storeCurrentSection()
    return sections.map { old, new in
      let lists = lists[new] ?? Lists()
      return SectionChange(
        oldSection: old, newSection: new, deletes: lists.deletes, inserts: lists.inserts,
        departures: lists.departures, arrivals: lists.arrivals)
    }
  }

  private mutating func selectSection(_ section: Int) {
    guard currentSection != section else { return }
    storeCurrentSection()
    current = lists.removeValue(forKey: section) ?? Lists()
    currentSection = section
  }

  private mutating func storeCurrentSection() {
    if currentSection >= 0 { lists[currentSection] = current }
    current = Lists()
    currentSection = -1
  }
}

// MARK: - Moves

/// Lists moves sorted by destination, and their order by origin.
struct MoveListing: Sendable {
  /// The moves, sorted by destination.
  private(set) var moves: ContiguousArray<ItemMove> = []
  /// The indexes of the moves sorted by origin, for the old items that were read.
  private(set) var byOrigin: ContiguousArray<Int32> = []
  /// The number of moved items.
  private(set) var itemCount = 0

  /// The old items that move.
  private var moved: SlotSet
  /// For each old item, the index of the move that starts with it.
  ///
  /// Empty if there are no moves.
  private var firsts: ContiguousArray<Int32>

  /// Creates a listing of known moves, sorted by destination.
  init(_ known: [ItemMove]) {
    moves = ContiguousArray(known)
    byOrigin = ContiguousArray(known.indices.sorted { known[$0].from < known[$1].from }.map(Int32.init))
    itemCount = known.reduce(0) { $0 + $1.count }
    moved = SlotSet(below: 0)
    firsts = []
  }

  /// Creates a listing to fill.
  ///
  /// - Parameter count: The number of moved items.
  init(_ windows: WindowList, moves count: Int) {
    moves.reserveCapacity(count)
    moved = SlotSet(below: count > 0 ? windows.oldCount : 0)
    firsts = ContiguousArray(repeating: -1, count: count > 0 ? windows.oldCount : 0)
  }

  /// Reads runs of new items of a window, in order.
  ///
  /// A moved run is one move, because its old items belong to one window.
  mutating func readNew(
    _ range: Range<Int>, of runs: ContiguousArray<OriginRun>, in target: DifferenceWindow, of windows: WindowList
  ) {
    // Nothing is allocated if there are no moves.
    guard !firsts.isEmpty else { return }
    let shift = target.new.lowerBound - target.newSlot
    // Integers stay in registers, unlike a window.
    var (sourceStart, sourceEnd, sourceShift, sourceSection) = (0, 0, 0, 0)
    var items = 0
    withUnsafeTemporaryAllocation(of: ItemMove.self, capacity: range.count) { found in
      var count = 0
      runs.withUnsafeBufferPointer { runs in
        moved.withWords { moved in
          firsts.withUnsafeMutableBufferPointer { firsts in
            for index in range where runs[index].origin < -1 {
              let origin = Int(-2 &- runs[index].origin)
              if origin < sourceStart || origin >= sourceEnd {
                let source = windows.windows[windows.window(ofOldSlot: origin)]
                (sourceStart, sourceEnd) = (source.oldSlots.lowerBound, source.oldSlots.upperBound)
                (sourceShift, sourceSection) = (source.old.lowerBound - source.oldSlot, source.oldSection)
              }
              let slot = Int(runs[index].slot)
              let length = Int(runs[index &+ 1].slot) &- slot
              SlotSet.insert(origin..<(origin &+ length), into: moved)
              firsts[origin] = Int32(truncatingIfNeeded: moves.count &+ count)
              found[count] = ItemMove(
                from: ItemPosition(section: sourceSection, item: origin &+ sourceShift),
                to: ItemPosition(section: target.newSection, item: slot &+ shift), count: length)
              count &+= 1
              items &+= length
            }
          }
        }
      }
      moves.append(contentsOf: UnsafeBufferPointer(rebasing: found[..<count]))
    }
    itemCount += items
  }

  /// Ends the pass over the new items.
  mutating func endNew() { byOrigin.reserveCapacity(moves.count) }

  /// Returns the moved items among old items that share a word, as bits.
  ///
  /// The items come in the order of the old snapshot.
  ///
  /// - Parameter mask: The bits of the items to read.
  mutating func readOld(around slot: Int, _ mask: UInt64) -> UInt64 {
    guard itemCount > 0 else { return 0 }
    let leaving = moved.word(around: slot) & mask
    var rest = leaving
    while rest != 0 {
      let move = firsts[slot & ~63 | rest.trailingZeroBitCount]
      if move >= 0 { byOrigin.append(move) }
      rest &= rest &- 1
    }
    return leaving
  }
}
