/// Finds the difference of two snapshots, section by section.
///
/// What both share at the beginning and the end of a section is skipped by whole chunks; the rest of the old items goes
/// into a dictionary in which the rest of the new ones is looked up, and the longest increasing run of those that stayed
/// in their section says which need not move.
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The snapshots that are compared.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  /// What is left of a section in both snapshots when its common ends are skipped.
  private struct Window: Sendable {
    /// The section's index in the old snapshot, and the old items; nothing for an inserted section.
    var old: (section: Int, items: Range<Int>)?
    /// The section's index in the new snapshot, and the new items; nothing for a deleted section.
    var new: (section: Int, items: Range<Int>)?
  }

  private let old: Snapshot
  private let new: Snapshot
  /// The old index of each new section, or -1.
  private let origins: [Int]
  /// How many items are still to be looked at, at most.
  public private(set) var stepsLeft = 0

  /// Begins to compare two snapshots.
  ///
  /// - Complexity: O(s + n / 512), and O(n) over chunks that they do not share.
  public init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    origins = new.table.records.map { old.table.rank(of: $0.identifier) ?? -1 }
    stepsLeft = windows(sectionDeletes).reduce(0) { $0 + ($1.old?.items.count ?? 0) + ($1.new?.items.count ?? 0) }
  }

  /// Goes on with so many items.
  ///
  /// - Returns: the difference once it is found.
  public mutating func advance(steps: Int) -> Changeset? {
    stepsLeft -= min(max(0, steps), stepsLeft)
    return stepsLeft == 0 ? changeset() : nil
  }

  private var sectionDeletes: IndexRuns {
    IndexRuns(old.table.records.indices.filter { new.table.rank(of: old.table.records[$0].identifier) == nil })
  }

  /// The difference.
  ///
  /// - Complexity: O(s + n / 512 + w log w) for w items in the windows.
  func changeset() -> Changeset {
    let sectionDeletes = sectionDeletes
    let sectionInserts = IndexRuns(origins.indices.filter { origins[$0] < 0 })
    let items = itemChanges(in: windows(sectionDeletes))
    let isAppendOnly = isAppendOnly(sectionDeletes, sectionInserts, items)
    return Changeset(
      sectionDeletes: sectionDeletes, sectionInserts: sectionInserts, sectionMoves: sectionMoves(),
      sections: items.sections, itemMoves: items.moves, marks: marks(), isAppendOnly: isAppendOnly)
  }

  private func sectionMoves() -> [SectionMove] {
    let survivors = origins.indices.filter { origins[$0] >= 0 }
    let stays = LongestIncreasingRun.members(of: survivors.map { origins[$0] })
    return zip(survivors, stays).filter { !$0.1 }.map { SectionMove(from: origins[$0.0], to: $0.0) }
  }

  private func windows(_ sectionDeletes: IndexRuns) -> [Window] {
    var windows: [Window] = []
    for (section, origin) in origins.enumerated() {
      let items = new.table.records[section].items
      guard origin >= 0 else {
        if items.count > 0 { windows.append(Window(old: nil, new: (section, 0..<items.count))) }
        continue
      }
      let before = old.table.records[origin].items
      let prefix = before.commonPrefix(with: items)
      let suffix = before.commonSuffix(with: items, atMost: min(before.count, items.count) - prefix)
      guard prefix + suffix < max(before.count, items.count) else { continue }
      windows.append(
        Window(old: (origin, prefix..<(before.count - suffix)), new: (section, prefix..<(items.count - suffix))))
    }
    for section in sectionDeletes.ranges.joined() {
      let count = old.table.records[section].items.count
      if count > 0 { windows.append(Window(old: (section, 0..<count), new: nil)) }
    }
    return windows
  }

  private func itemChanges(in windows: [Window]) -> (sections: [SectionChange], moves: [ItemMove]) {
    var places: [ItemID: ItemPosition] = [:]
    places.reserveCapacity(windows.reduce(0) { $0 + ($1.old?.items.count ?? 0) })
    if windows.contains(where: { $0.new.map { !$0.items.isEmpty } ?? false }) {
      for case (let section, let range)? in windows.map(\.old) {
        old.table.records[section].items.forEach(in: range) { places[$1] = ItemPosition(section: section, item: $0) }
      }
    }
    var moves: [ItemMove] = []
    var arrivals: [Int: (inserts: IndexRuns, all: IndexRuns)] = [:]
    var isFound: [Int: [Bool]] = [:]
    var movedAway: [Int: [Int]] = [:]
    for case (let section, let range)? in windows.map(\.old) {
      isFound[section] = [Bool](repeating: false, count: range.count)
    }
    let firstItems = Dictionary(
      uniqueKeysWithValues: windows.compactMap(\.old).map { ($0.section, $0.items.lowerBound) })

    for case (let section, let range)? in windows.map(\.new) {
      var inserts = IndexRuns()
      var staying: [(old: Int, new: Int)] = []
      var arriving: [Int] = []
      new.table.records[section].items.forEach(in: range) { item, id in
        guard let from = places[id] else { return inserts.append(item) }
        isFound[from.section]?[from.item - (firstItems[from.section] ?? 0)] = true
        if from.section == origins[section] {
          staying.append((from.item, item))
        } else {
          moves.append(ItemMove(from: from, to: ItemPosition(section: section, item: item)))
          movedAway[from.section, default: []].append(from.item)
          arriving.append(item)
        }
      }
      let stays = LongestIncreasingRun.members(of: staying.map(\.old))
      for (pair, stays) in zip(staying, stays) where !stays {
        let from = ItemPosition(section: origins[section], item: pair.old)
        moves.append(ItemMove(from: from, to: ItemPosition(section: section, item: pair.new)))
        movedAway[origins[section], default: []].append(pair.old)
        arriving.append(pair.new)
      }
      arrivals[section] = (inserts, IndexRuns(inserts.ranges.joined() + arriving))
    }

    let sections = windows.compactMap { window -> SectionChange? in
      guard let before = window.old, let after = window.new else { return nil }
      var deletes = IndexRuns()
      for (offset, isFound) in (isFound[before.section] ?? []).enumerated() where !isFound {
        deletes.append(before.items.lowerBound + offset)
      }
      let arrived = arrivals[after.section] ?? (IndexRuns(), IndexRuns())
      return SectionChange(
        oldSection: before.section, newSection: after.section, deletes: deletes, inserts: arrived.inserts,
        departures: IndexRuns(deletes.ranges.joined() + (movedAway[before.section] ?? [])), arrivals: arrived.all)
    }
    return (sections, moves.sorted { $0.to < $1.to })
  }

  private func isAppendOnly(
    _ sectionDeletes: IndexRuns, _ sectionInserts: IndexRuns,
    _ items: (sections: [SectionChange], moves: [ItemMove])
  ) -> Bool {
    guard sectionDeletes.isEmpty, items.moves.isEmpty, !(sectionInserts.isEmpty && items.sections.isEmpty) else {
      return false
    }
    let last = old.numberOfSections - 1
    guard zip(origins, 0...).allSatisfy({ $0 == ($1 <= last ? $1 : -1) }) else { return false }
    return items.sections.allSatisfy { change in
      change.oldSection == last && change.deletes.isEmpty
        && (change.inserts.ranges.first?.lowerBound ?? 0) >= old.numberOfItems(inSectionAt: last)
    }
  }

  private func marks() -> (sections: IndexRuns, reloads: [ItemPosition], reconfigures: [ItemPosition]) {
    func places(_ identifiers: [ItemID], but skipped: (ItemID) -> Bool = { _ in false }) -> [ItemPosition] {
      identifiers.filter { old.contains($0) && !skipped($0) }.compactMap { new.position(ofItem: $0) }.sorted()
    }
    let sections = new.reloadedSections.identifiers.filter { old.table.rank(of: $0) != nil }
    return (
      IndexRuns(sections.compactMap { new.table.rank(of: $0) }), places(new.reloadedItems.identifiers),
      places(new.reconfiguredItems.identifiers, but: new.reloadedItems.contains)
    )
  }
}

extension DiffableDataSourceSnapshot {
  /// What to do to an older snapshot to get this one, its marks included.
  ///
  /// - Complexity: O(s + n / 512 + w log w), where w counts the items between the first and the last difference of each
  ///   section that differs, unless they are in chunks that both snapshots share before or behind all differences. After
  ///   appending k items to a copy, w = k.
  public func changeset(from old: DiffableDataSourceSnapshot) -> Changeset {
    SnapshotDifference(from: old, to: self).changeset()
  }
}
