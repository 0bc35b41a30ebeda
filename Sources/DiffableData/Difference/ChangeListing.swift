/// Lists what a matching says, as runs, in two passes: over the new items, then over the old ones.
struct ChangeListing: Sendable {
  /// The items' moves, by destination.
  private(set) var moves: ContiguousArray<ItemMove> = []
  /// The moves' indexes by origin.
  private(set) var movesByOrigin: ContiguousArray<Int32> = []
  /// How many items move.
  private(set) var movedItemCount = 0

  /// The old items that move.
  private var moved: SlotSet
  /// For each old item with which a move begins the move's index, where there are moves.
  private var firsts: ContiguousArray<Int32>

  private struct Lists: Sendable {
    var deletes = IndexRuns()
    var inserts = IndexRuns()
    var departures = IndexRuns()
    var arrivals = IndexRuns()
  }

  /// What happened in each surviving section that has windows, by the section's new index.
  private var lists: [Int: Lists] = [:]
  private var sections: [(old: Int, new: Int)] = []

  /// The window of the new items that are read.
  private var window = 0
  /// The window that the last move comes from.
  private var source = DifferenceWindow(oldSection: 0, newSection: 0, old: 0..<0, new: 0..<0)

  /// The last section's lists, taken out of the dictionary while they are written to.
  private var current = Lists()
  private var currentSection = -1

  /// Makes a listing of nothing.
  init() { (moved, firsts) = (SlotSet(below: 0), []) }

  /// Makes a listing of nothing yet.
  ///
  /// - Parameter moves: how many items move.
  init(_ windows: WindowList, moves count: Int) {
    moves.reserveCapacity(count)
    moved = SlotSet(below: count > 0 ? windows.oldCount : 0)
    firsts = ContiguousArray(repeating: -1, count: count > 0 ? windows.oldCount : 0)
    for window in windows.windows where window.oldSection >= 0 && window.newSection >= 0 {
      if sections.last?.new != window.newSection { sections.append((window.oldSection, window.newSection)) }
    }
  }

  /// Reads runs of new items; they come in order.
  mutating func readNew(_ range: Range<Int>, in windows: WindowList, _ matching: ItemMatching) {
    matching.runs.withUnsafeBufferPointer { runs in
      var place = windows.windows[window]
      for index in range where runs[index].origin < 0 {
        let slots = Int(runs[index].slot)..<Int(runs[index &+ 1].slot)
        while slots.lowerBound >= place.newSlots.upperBound {
          window += 1
          place = windows.windows[window]
        }
        let shift = place.new.lowerBound - place.newSlot
        let items = (slots.lowerBound + shift)..<(slots.upperBound + shift)
        let isNew = runs[index].origin == -1
        if !isNew {
          move(
            Int(-2 - runs[index].origin), to: ItemPosition(section: place.newSection, item: items.lowerBound),
            items.count, windows)
        }
        guard place.oldSection >= 0 else { continue }
        open(place.newSection)
        current.arrivals.append(contentsOf: items)
        if isNew { current.inserts.append(contentsOf: items) }
      }
    }
  }

  private mutating func move(_ slot: Int, to: ItemPosition, _ count: Int, _ windows: WindowList) {
    movedItemCount += count
    moved.insert(slot..<(slot + count))
    if !source.oldSlots.contains(slot) { source = windows.windows[windows.window(ofOldSlot: slot)] }
    let from = ItemPosition(section: source.oldSection, item: source.old.lowerBound + slot - source.oldSlot)
    firsts[slot] = Int32(truncatingIfNeeded: moves.count)
    moves.append(ItemMove(from: from, to: to, count: count))
  }

  /// Ends the pass over the new items.
  mutating func endNew() {
    close()
    movesByOrigin.reserveCapacity(moves.count)
  }

  /// Reads old items of a window, by number; pieces come in the order of the old snapshot.
  mutating func readOld(
    _ range: Range<Int>, ofWindow index: Int, in windows: WindowList, _ matching: ItemMatching
  ) {
    let window = windows.windows[index]
    let isListed = window.newSection >= 0
    if isListed { open(window.newSection) }
    let shift = window.old.lowerBound - window.oldSlot
    var slot = range.lowerBound
    while slot < range.upperBound {
      let end = SlotSet.wordEnd(after: slot, within: range)
      let mask = SlotSet.mask(slot..<end)
      let gone = ~matching.found.word(around: slot) & mask
      var leaving = movedItemCount > 0 ? moved.word(around: slot) & mask : 0
      // Mostly all of 64 stay.
      if gone | leaving != 0 {
        let first = slot & ~63
        if isListed {
          current.deletes.append(bits: gone, from: first + shift)
          current.departures.append(bits: gone | leaving, from: first + shift)
        }
        while leaving != 0 {
          let move = firsts[first + leaving.trailingZeroBitCount]
          if move >= 0 { movesByOrigin.append(move) }
          leaving &= leaving &- 1
        }
      }
      slot = end
    }
  }

  /// What happened in each section that is in both snapshots and changed, by new index.
  mutating func end() -> [SectionChange] {
    close()
    return sections.map { old, new in
      let lists = lists[new] ?? Lists()
      return SectionChange(
        oldSection: old, newSection: new, deletes: lists.deletes, inserts: lists.inserts,
        departures: lists.departures, arrivals: lists.arrivals)
    }
  }

  private mutating func open(_ section: Int) {
    guard currentSection != section else { return }
    close()
    current = lists.removeValue(forKey: section) ?? Lists()
    currentSection = section
  }

  private mutating func close() {
    if currentSection >= 0 { lists[currentSection] = current }
    current = Lists()
    currentSection = -1
  }
}
