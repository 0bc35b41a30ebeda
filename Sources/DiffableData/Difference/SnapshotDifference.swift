/// Computes the difference of two snapshots, in one call or in steps.
///
/// Storage that both snapshots share is skipped: at the start and the end of a section, and between differences. The
/// remaining items are divided into windows. The old items of all windows are recorded in an array by handle, and each
/// new item is looked up in it, which yields runs of adjacent items. All further work is proportional to the number of
/// runs: the longest increasing subsequence of the items that stayed in their windows determines which need not move.
/// Windows are joined if that may keep more items in place. This is Heckel's algorithm (A technique for isolating
/// differences between files, 1978) for unique identifiers, with a minimal number of moves.
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The type of the compared snapshots.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  private enum Phase: Sendable {
    case trimming, recording, matching, ordering, listingNew, listingOld, done(Changeset)
  }

  private let old: Snapshot
  private let new: Snapshot
  private let mapping: HandleMapping<ItemID>
  private let sections: SectionDifference
  private var phase = Phase.trimming

  // Used while trimming.
  private var section = 0
  private var ends: CommonEnds?
  private var found: ContiguousArray<DifferenceWindow> = []

  // Used from recording on.
  private var windows = WindowList()
  private var matching: ItemMatching
  private var cursor = PieceCursor()
  private var order: WindowOrdering?
  private var listing: ChangeListing
  /// The number of runs of new items that were listed.
  private var listed = 0

  /// Creates a computation that has not started.
  ///
  /// - Complexity: O(s) for s sections, or O(1) if the snapshots share the storage of their sections and items.
  public init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    mapping = HandleMapping(old: old.interner, new: new.interner)
    sections = SectionDifference(from: old.table, to: new.table)
    matching = ItemMatching()
    listing = ChangeListing()
  }

  /// Continues the computation for a number of steps.
  ///
  /// A step is an item, a run of adjacent items or a part that both snapshots share. Up to 2,048 additional steps may
  /// be taken. The call that ends one of the six phases also processes the results of the phase in a tight loop: a few
  /// nanoseconds for each item that differs.
  ///
  /// - Returns: The difference, or nil if the computation is not complete.
  /// - Complexity: O(steps), and O(w) with a small factor for the call that ends a phase, for w items in windows.
  public mutating func advance(steps: Int) -> Changeset? {
    var steps = steps
    while true {
      if case .done(let changeset) = phase { return changeset }
      guard steps > 0 else { return nil }
      switch phase {
      case .trimming: trimCommonEnds(&steps)
      case .recording: recordOldItems(&steps)
      case .matching: matchNewItems(&steps)
      case .ordering: orderWindows(&steps)
      case .listingNew: listNewItems(&steps)
      case .listingOld: listOldItems(&steps)
      case .done: break
      }
    }
  }

  // MARK: - Phases

  private mutating func trimCommonEnds(_ steps: inout Int) {
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
        guard trimmed.advance(mapping, steps: &steps) else { return ends = trimmed }
        ends = nil
        addWindows(before, items, trimmed, from: origin)
        steps -= 1
      }
      section += 1
    }
    for origin in sections.deletes.ranges.joined() {
      let count = old.table.records[origin].items.count
      found.append(DifferenceWindow(oldSection: origin, newSection: -1, old: 0..<count, new: 0..<0))
    }
    startRecording(found)
  }

  /// Adds windows for the items between the common ends of a section.
  private mutating func addWindows(_ before: HandleList, _ items: HandleList, _ ends: CommonEnds, from origin: Int) {
    guard ends.head + ends.tail < max(before.count, items.count) else { return }
    var next = (old: ends.head..<(before.count - ends.tail), new: ends.head..<(items.count - ends.tail))
    let shared = SharedRun.find(in: before, items, within: next, mapping.commonHandleCount)
    func add(_ old: Range<Int>, _ new: Range<Int>) {
      if old.isEmpty, new.isEmpty { return }
      found.append(DifferenceWindow(oldSection: origin, newSection: section, old: old, new: new))
    }
    for run in shared {
      add(next.old.lowerBound..<run.old, next.new.lowerBound..<run.new)
      next.old = (run.old + run.count)..<next.old.upperBound
      next.new = (run.new + run.count)..<next.new.upperBound
    }
    add(next.old, next.new)
  }

  private mutating func startRecording(_ all: ContiguousArray<DifferenceWindow>) {
    windows = WindowList(all)
    matching = ItemMatching(windows, handles: mapping.oldCount)
    cursor = PieceCursor()
    phase = .recording
  }

  private mutating func recordOldItems(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = cursor.next(in: windows.oldOrder, count: { windows.windows[$0].old.count }) else {
        cursor = PieceCursor()
        phase = .matching
        return
      }
      let window = windows.windows[piece.window]
      matching.recordOldItems(
        piece.range.shifted(by: window.old.lowerBound), of: old.table.records[window.oldSection].items,
        from: window.oldSlot + piece.range.lowerBound)
      steps -= piece.range.count
    }
  }

  private mutating func matchNewItems(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = nextNewPiece() else {
        if let joined = windows.joined(crossings: matching.crossings) { return startRecording(joined) }
        matching.endMatching()
        cursor = PieceCursor()
        order = WindowOrdering()
        phase = .ordering
        return
      }
      let window = windows.windows[piece.window]
      matching.matchNewItems(
        piece.range.shifted(by: window.new.lowerBound), of: new.table.records[window.newSection].items,
        window: piece.window, in: windows, mapping)
      steps -= piece.range.count
    }
  }

  private mutating func orderWindows(_ steps: inout Int) {
    guard order?.advance(&matching, windows, steps: &steps) ?? true else { return }
    order = nil
    listing = ChangeListing(windows, moves: matching.movedCount)
    phase = .listingNew
  }

  private mutating func listNewItems(_ steps: inout Int) {
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

  private mutating func listOldItems(_ steps: inout Int) {
    while steps > 0 {
      guard let piece = cursor.next(in: windows.oldOrder, count: { windows.windows[$0].old.count }) else {
        return finish()
      }
      let slots = piece.range.shifted(by: windows.windows[piece.window].oldSlot)
      listing.readOld(slots, ofWindow: piece.window, in: windows, matching)
      steps -= piece.range.count
    }
  }

  private mutating func nextNewPiece() -> (window: Int, range: Range<Int>)? {
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
  /// Returns the changes that lead from an older snapshot to this one, including its reloads and reconfigurations.
  ///
  /// - Complexity: O(s + w) for w items that are in leaves that the snapshots do not share and between the first and
  ///   the last difference, and O(n / 2^16). O(w log w) if items move. If neither snapshot was derived from the other,
  ///   the items before the first and after the last difference are compared too, and others are looked up by
  ///   identifier. The computation uses 20 bytes of memory for each compared item.
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

// MARK: - Sections

/// The difference of the sections of two snapshots.
struct SectionDifference: Sendable {
  /// The old index of each new section, or -1.
  let origins: [Int]
  /// The old indexes of deleted sections.
  let deletes: IndexRuns
  /// The new indexes of inserted sections.
  let inserts: IndexRuns
  /// The moved sections, sorted by destination.
  let moves: [SectionMove]
  /// Whether both snapshots share the storage of their sections, including the items.
  let isUntouched: Bool

  /// Creates a difference from known changes.
  init(origins: [Int], deletes: IndexRuns, inserts: IndexRuns, moves: [SectionMove]) {
    self.origins = origins
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    isUntouched = false
  }

  /// Computes the difference of two section tables.
  ///
  /// - Complexity: O(s log s), or O(1) for tables that share their storage.
  init<ID>(from old: SectionTable<ID>, to new: SectionTable<ID>) {
    isUntouched = old.isSame(as: new)
    let isSame = isUntouched || new.records.elementsEqual(old.records) { $0.identifier == $1.identifier }
    guard !isSame else {
      (deletes, inserts, moves) = (IndexRuns(), IndexRuns(), [])
      origins = isUntouched ? [] : Array(old.records.indices)
      return
    }
    let origins = new.records.map { old.rank(of: $0.identifier) ?? -1 }
    var isFound = [Bool](repeating: false, count: old.records.count)
    for origin in origins where origin >= 0 { isFound[origin] = true }
    self.origins = origins
    deletes = IndexRuns(isFound.indices.filter { !isFound[$0] })
    inserts = IndexRuns(origins.indices.filter { origins[$0] < 0 })
    let survivors = origins.indices.filter { origins[$0] >= 0 }
    let stays = LongestIncreasingSubsequence.members(of: survivors.map { origins[$0] })
    moves = zip(survivors, stays).filter { !$0.1 }.map { SectionMove(from: origins[$0.0], to: $0.0) }
  }
}

// MARK: - Marks

/// The reloads and reconfigurations of items and sections that exist in both snapshots, by position.
struct ChangedMarks: Sendable {
  /// The new indexes of the sections to reload.
  let sections: IndexRuns
  /// The new positions of the items to reload, sorted.
  let reloads: [ItemPosition]
  /// The new positions of the items to reconfigure, sorted, without those to reload.
  let reconfigures: [ItemPosition]

  /// Creates marks from sorted positions.
  init(sections: IndexRuns = IndexRuns(), reloads: [ItemPosition], reconfigures: [ItemPosition]) {
    (self.sections, self.reloads, self.reconfigures) = (sections, reloads, reconfigures)
  }

  /// Creates the marks of a new snapshot.
  ///
  /// - Complexity: O(m log m) for m marks, each of which is looked up in both snapshots.
  init<SectionID, ItemID>(
    from old: DiffableDataSourceSnapshot<SectionID, ItemID>, to new: DiffableDataSourceSnapshot<SectionID, ItemID>
  ) {
    guard !(new.reloadedSections.isEmpty && new.reloadedItems.isEmpty && new.reconfiguredItems.isEmpty) else {
      (sections, reloads, reconfigures) = (IndexRuns(), [], [])
      return
    }
    func positions(_ identifiers: [ItemID], but skipped: (ItemID) -> Bool = { _ in false }) -> [ItemPosition] {
      identifiers.filter { !skipped($0) && old.contains($0) }.compactMap { new.position(ofItem: $0) }.sorted()
    }
    sections = IndexRuns(
      new.reloadedSections.identifiers.filter { old.table.rank(of: $0) != nil }.compactMap { new.table.rank(of: $0) })
    reloads = positions(new.reloadedItems.identifiers)
    reconfigures = positions(new.reconfiguredItems.identifiers, but: new.reloadedItems.contains)
  }
}
