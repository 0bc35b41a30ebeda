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

  /// The move that is being read: of which old item, to which place, and how many; none while there are 0.
  private var run = (slot: 0, item: 0, count: 0)
  /// The section that it goes to.
  private var runSection = 0
  /// The window that it comes from, or the last one did.
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

  /// Reads new items of a window, by number; pieces come in order.
  mutating func readNew(
    _ range: Range<Int>, ofWindow index: Int, in windows: WindowList, _ matching: ItemMatching
  ) {
    let window = windows.windows[index]
    let isListed = window.oldSection >= 0
    if isListed { open(window.newSection) }
    if runSection != window.newSection { endRun() }
    runSection = window.newSection
    let shift = window.new.lowerBound - window.newSlot
    var slot = range.lowerBound
    while slot < range.upperBound {
      // Mostly long runs of one kind: what stays, what is new, what comes from elsewhere.
      let kind = Kind(matching.origins[slot])
      let first = slot
      while slot < range.upperBound, Kind(matching.origins[slot]) == kind {
        if kind == .moved { move(Int(-2 - matching.origins[slot]), to: slot + shift, windows) }
        slot += 1
      }
      guard isListed, kind != .stays else { continue }
      current.arrivals.append(contentsOf: (first + shift)..<(slot + shift))
      if kind == .new { current.inserts.append(contentsOf: (first + shift)..<(slot + shift)) }
    }
  }

  private enum Kind {
    case stays, new, moved

    init(_ origin: Int32) { self = origin >= 0 ? .stays : origin == -1 ? .new : .moved }
  }

  private mutating func move(_ slot: Int, to item: Int, _ windows: WindowList) {
    movedItemCount += 1
    moved.insert(slot)
    let isInSource = source.oldSlots.contains(slot)
    if slot == run.slot + run.count, item == run.item + run.count, run.count > 0, isInSource {
      run.count += 1
      return
    }
    endRun()
    if !isInSource { source = windows.windows[windows.window(ofOldSlot: slot)] }
    run = (slot, item, 1)
    firsts[slot] = Int32(truncatingIfNeeded: moves.count)
  }

  private mutating func endRun() {
    guard run.count > 0 else { return }
    let from = ItemPosition(section: source.oldSection, item: source.old.lowerBound + run.slot - source.oldSlot)
    moves.append(ItemMove(from: from, to: ItemPosition(section: runSection, item: run.item), count: run.count))
    run.count = 0
  }

  /// Ends the pass over the new items.
  mutating func endNew() {
    endRun()
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
      let first = slot
      if !matching.found.contains(slot) {
        repeat { slot += 1 } while slot < range.upperBound && !matching.found.contains(slot)
        guard isListed else { continue }
        current.deletes.append(contentsOf: (first + shift)..<(slot + shift))
        current.departures.append(contentsOf: (first + shift)..<(slot + shift))
      } else if movedItemCount > 0, moved.contains(slot) {
        repeat {
          if firsts[slot] >= 0 { movesByOrigin.append(firsts[slot]) }
          slot += 1
        } while slot < range.upperBound && moved.contains(slot)
        if isListed { current.departures.append(contentsOf: (first + shift)..<(slot + shift)) }
      } else {
        // Mostly all of 64 stay.
        let mayLeap = slot & 63 == 0 && slot + 64 <= range.upperBound && matching.found.word(from: slot) == .max
        slot += mayLeap && (movedItemCount == 0 || moved.word(from: slot) == 0) ? 64 : 1
      }
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
