/// Finds the difference of two snapshots, at once or step by step.
///
/// What both share as memory is passed over: at the beginning and the end of a section, and between places that differ.
/// The rest, in windows, is compared by number: the old items of all windows are noted in an array by handle, each new
/// item is looked up in it. What is found comes in runs of neighbours, and the rest costs runs, not items: the longest
/// increasing sequence of those that stayed in their window says which need not move. Windows are joined where that could
/// keep more items in place. This is Heckel's method (A technique for isolating differences between files, 1978) for
/// identifiers that are unique, with the least moves.
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The snapshots that are compared.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  private enum Phase: Sendable {
    case trimming, noting, matching, ordering, listingNew, listingOld, done(Changeset)
  }

  private let old: Snapshot
  private let new: Snapshot
  private let names: HandleNames<ItemID>
  private let sections: SectionDifference
  private var phase = Phase.trimming

  // Trimming.
  private var section = 0
  private var ends: CommonEnds?
  private var found: ContiguousArray<DifferenceWindow> = []

  // From noting on.
  private var windows = WindowList()
  private var matching: ItemMatching
  private var cursor = PieceCursor()
  private var order: WindowOrdering?
  private var listing: ChangeListing
  /// How many runs of new items were listed.
  private var listed = 0

  /// Begins a comparison; nothing is compared yet.
  ///
  /// - Complexity: O(s) for s sections; O(1) where both snapshots share their sections and items as memory.
  public init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    names = HandleNames(old: old.interner, new: new.interner)
    sections = SectionDifference(from: old.table, to: new.table)
    matching = ItemMatching()
    listing = ChangeListing()
  }

  /// Goes on for some steps: a step is an item or a run of neighbours that is looked at, or a part that both
  /// snapshots share.
  ///
  /// Up to 2,048 steps more may be taken. The call that ends a phase, of which there are six, also goes over what that
  /// phase found, in a tight loop: some nanoseconds for each item that differs.
  ///
  /// - Returns: the difference once it is found, else nothing.
  /// - Complexity: O(steps); O(w) with a small factor for the call that ends a phase, for w items that may differ.
  public mutating func advance(steps: Int) -> Changeset? {
    var steps = steps
    while true {
      if case .done(let changeset) = phase { return changeset }
      guard steps > 0 else { return nil }
      switch phase {
      case .trimming: trim(&steps)
      case .noting: note(&steps)
      case .matching: match(&steps)
      case .ordering: put(&steps)
      case .listingNew: listNew(&steps)
      case .listingOld: listOld(&steps)
      case .done: break
      }
    }
  }

  // MARK: Phases

  private mutating func trim(_ steps: inout Int) {
    if sections.isUntouched { section = sections.origins.count }
    while section < sections.origins.count {
      let items = new.table.records[section].items
      let origin = sections.origins[section]
      if origin < 0 {
        found.append(DifferenceWindow(oldSection: -1, newSection: section, old: 0..<0, new: 0..<items.count))
      } else {
        let before = old.table.records[origin].items
        if before.isSame(as: items) {
          section += 1
          steps -= 1
          continue
        }
        var trimmed = ends ?? CommonEnds(before, items)
        guard trimmed.advance(names, steps: &steps) else { return ends = trimmed }
        ends = nil
        cut(before, items, trimmed, from: origin)
        steps -= 1
      }
      section += 1
    }
    for origin in sections.deletes.ranges.joined() {
      let count = old.table.records[origin].items.count
      found.append(DifferenceWindow(oldSection: origin, newSection: -1, old: 0..<count, new: 0..<0))
    }
    begin(found)
  }

  /// Makes windows of what lies between the common ends of a section.
  private mutating func cut(_ before: HandleList, _ items: HandleList, _ ends: CommonEnds, from origin: Int) {
    guard ends.head + ends.tail < max(before.count, items.count) else { return }
    var next = (old: ends.head..<(before.count - ends.tail), new: ends.head..<(items.count - ends.tail))
    let shared = SharedStretch.find(in: before, items, within: next, names.common)
    func add(_ old: Range<Int>, _ new: Range<Int>) {
      if old.isEmpty, new.isEmpty { return }
      found.append(DifferenceWindow(oldSection: origin, newSection: section, old: old, new: new))
    }
    for stretch in shared {
      add(next.old.lowerBound..<stretch.old, next.new.lowerBound..<stretch.new)
      next.old = (stretch.old + stretch.count)..<next.old.upperBound
      next.new = (stretch.new + stretch.count)..<next.new.upperBound
    }
    add(next.old, next.new)
  }

  private mutating func begin(_ all: ContiguousArray<DifferenceWindow>) {
    windows = WindowList(all)
    matching = ItemMatching(windows, handles: names.oldCount)
    cursor = PieceCursor()
    phase = .noting
  }

  private mutating func note(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = cursor.next(in: windows.oldOrder, count: { windows.windows[$0].old.count }) else {
        cursor = PieceCursor()
        phase = .matching
        return
      }
      let window = windows.windows[piece.window]
      matching.note(
        piece.range.shifted(by: window.old.lowerBound), of: old.table.records[window.oldSection].items,
        from: window.oldSlot + piece.range.lowerBound)
      steps -= piece.range.count
    }
  }

  private mutating func match(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = nextNew() else {
        if let joined = windows.joined(crossings: matching.crossings) { return begin(joined) }
        matching.endMatching()
        cursor = PieceCursor()
        order = WindowOrdering()
        phase = .ordering
        return
      }
      let window = windows.windows[piece.window]
      matching.match(
        piece.range.shifted(by: window.new.lowerBound), of: new.table.records[window.newSection].items,
        window: piece.window, in: windows, names)
      steps -= piece.range.count
    }
  }

  private mutating func put(_ steps: inout Int) {
    guard order?.advance(&matching, windows, steps: &steps) ?? true else { return }
    order = nil
    listing = ChangeListing(windows, moves: matching.movedCount)
    phase = .listingNew
  }

  private mutating func listNew(_ steps: inout Int) {
    while steps > 0 {
      let end = min(listed + PieceCursor.length, matching.runCount)
      guard listed < end else {
        listing.endNew()
        phase = .listingOld
        return
      }
      listing.readNew(listed..<end, in: windows, matching)
      steps -= end - listed
      listed = end
    }
  }

  private mutating func listOld(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = cursor.next(in: windows.oldOrder, count: { windows.windows[$0].old.count }) else {
        return finish()
      }
      let slots = piece.range.shifted(by: windows.windows[piece.window].oldSlot)
      listing.readOld(slots, ofWindow: piece.window, in: windows, matching)
      steps -= piece.range.count
    }
  }

  private mutating func nextNew() -> (window: Int, range: Range<Int>)? {
    cursor.next(in: windows.windows.indices, count: { windows.windows[$0].new.count })
  }

  private mutating func finish() {
    let changes = listing.end()
    phase = .done(
      Changeset(
        sections: sections, changes: changes, listing: listing, marks: ChangedMarks(from: old, to: new),
        oldCounts: (sections: old.numberOfSections, last: old.table.records.last?.items.count ?? 0)))
    matching = ItemMatching()
  }
}

extension DiffableDataSourceSnapshot {
  /// What to do to an older snapshot to get this one, its marks included.
  ///
  /// - Complexity: O(s + w) for w items in leaves that the snapshots do not share and between the first and the last
  ///   difference, and O(n / 2^16); O(w log w) when some move. For snapshots that do not come from one another the
  ///   items before the first and behind the last difference are compared too, and others looked up by identifier. While
  ///   it lasts it takes 20 bytes for each item that it compares.
  public func changeset(from old: DiffableDataSourceSnapshot) -> Changeset {
    var difference = SnapshotDifference(from: old, to: self)
    while true {
      if let changeset = difference.advance(steps: .max) { return changeset }
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Self { (lowerBound + distance)..<(upperBound + distance) }
}
