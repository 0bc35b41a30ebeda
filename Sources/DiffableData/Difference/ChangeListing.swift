/// Lists what a matching says, as runs, in two passes: over the new items, then over the old ones.
struct ChangeListing: Sendable {
  /// The items' moves.
  private(set) var moves: MoveListing

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

  /// The last section's lists, taken out of the dictionary while they are written to.
  private var current = Lists()
  private var currentSection = -1

  /// Makes a listing of nothing.
  init() { moves = MoveListing(WindowList(), moves: 0) }

  /// Makes a listing of moves that are known.
  init(_ known: MoveListing) { moves = known }

  /// Makes a listing of nothing yet.
  ///
  /// - Parameter moves: how many items move.
  init(_ windows: WindowList, moves count: Int) {
    moves = MoveListing(windows, moves: count)
    for window in windows.windows where window.oldSection >= 0 && window.newSection >= 0 {
      if sections.last?.new != window.newSection { sections.append((window.oldSection, window.newSection)) }
    }
  }

  /// Reads runs of new items; they come in order.
  mutating func readNew(_ range: Range<Int>, in windows: WindowList, _ matching: ItemMatching) {
    var (index, window) = (range.lowerBound, self.window)
    while index < range.upperBound {
      while Int(matching.runs[index].slot) >= windows.windows[window].newSlots.upperBound { window += 1 }
      let place = windows.windows[window]
      let end = matching.runEnd(of: place.newSlots, from: index, upTo: range.upperBound)
      moves.readNew(index..<end, of: matching.runs, in: place, of: windows)
      if place.oldSection >= 0 {
        open(place.newSection)
        listNew(index..<end, of: matching.runs, shift: place.new.lowerBound - place.newSlot)
      }
      index = end
    }
    self.window = window
  }

  /// Lists runs of a window that has old items too.
  private mutating func listNew(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>, shift: Int) {
    // Runs that come and runs that move are often neighbours. Numbers, and no range, which would be kept in memory.
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
    close()
    moves.endNew()
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
      let leaving = moves.readOld(around: slot, mask)
      // Mostly all of 64 stay.
      if isListed, gone | leaving != 0 {
        let first = slot & ~63
        current.deletes.append(bits: gone, from: first + shift)
        current.departures.append(bits: gone | leaving, from: first + shift)
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
