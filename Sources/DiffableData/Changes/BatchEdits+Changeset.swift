extension BatchEdits {
  /// Returns the old index of each section after the update, or -1 for an inserted section.
  ///
  /// - Precondition: The section edits match the counts.
  func sectionOrigins(_ after: Int) -> [Int] {
    var origins = [Int](repeating: -1, count: after)
    for move in sectionMoves { origins[move.to] = move.from }
    let departures = IndexRuns(sectionDeletes + sectionMoves.map(\.from))
    let arrivals = IndexRuns(sectionInserts + sectionMoves.map(\.to))
    var staying = 0
    for new in 0..<after where !arrivals.contains(new) {
      origins[new] = departures.absentIndex(staying)
      staying += 1
    }
    return origins
  }

  /// Returns the old and new indexes of the sections that exist before and after the update, in the new order.
  func survivors(_ before: Int, _ after: Int) -> [(old: Int, new: Int)] {
    sectionOrigins(after).enumerated().compactMap { new, old in (0..<before).contains(old) ? (old, new) : nil }
  }

  /// Returns the new indexes of reloaded sections that have no items before and after the update.
  ///
  /// No item changes represent them, but they may have headers to reload.
  func reloadedEmptySections(_ before: [Int], _ after: [Int]) -> IndexRuns {
    guard !sectionReloads.isEmpty else { return IndexRuns() }
    let reloaded = Set(sectionReloads)
    return IndexRuns(
      survivors(before.count, after.count).compactMap { old, new in
        reloaded.contains(old) && before[old] == 0 && after[new] == 0 ? new : nil
      })
  }

  /// The changes of one section.
  private struct Lists {
    var deletes: [Int] = []
    var inserts: [Int] = []
    var departures: [Int] = []
    var arrivals: [Int] = []
  }

  /// Returns the item changes of the sections that exist before and after the update, by new index.
  ///
  /// A reloaded section deletes and inserts all its items, including those that move out of it or into it.
  ///
  /// - Precondition: The section edits match the counts, and the item edits name existing items.
  func sectionChanges(_ before: [Int], _ after: [Int]) -> [SectionChange] {
    let survivors = survivors(before.count, after.count)
    let reloaded = IndexRuns(sectionReloads)
    var newSections: [Int: Int] = [:]
    for (old, new) in survivors { newSections[old] = new }
    var lists: [Int: Lists] = [:]
    for (old, new) in survivors where reloaded.contains(old) {
      lists[new] = Lists(departures: Array(0..<before[old]), arrivals: Array(0..<after[new]))
    }
    // The edits of items in a reloaded section are already included.
    for position in deletes where !reloaded.contains(position.section) {
      guard let new = newSections[position.section] else { continue }
      lists[new, default: Lists()].deletes.append(position.item)
      lists[new, default: Lists()].departures.append(position.item)
    }
    let newReloaded = IndexRuns(sectionReloads.compactMap { newSections[$0] })
    for position in inserts where !newReloaded.contains(position.section) {
      lists[position.section, default: Lists()].inserts.append(position.item)
      lists[position.section, default: Lists()].arrivals.append(position.item)
    }
    for move in moves {
      if let new = newSections[move.from.section] { lists[new, default: Lists()].departures.append(move.from.item) }
      lists[move.to.section, default: Lists()].arrivals.append(move.to.item)
    }
    return survivors.compactMap { old, new in
      guard var list = lists[new] else { return nil }
      if reloaded.contains(old) {
        let movedOut = Set(moves.lazy.filter { $0.from.section == old }.map(\.from.item))
        let movedIn = Set(moves.lazy.filter { $0.to.section == new }.map(\.to.item))
        list.deletes = (0..<before[old]).filter { !movedOut.contains($0) }
        list.inserts = (0..<after[new]).filter { !movedIn.contains($0) }
      }
      guard !list.departures.isEmpty || !list.arrivals.isEmpty else { return nil }
      return SectionChange(
        oldSection: old, newSection: new, deletes: IndexRuns(list.deletes), inserts: IndexRuns(list.inserts),
        departures: IndexRuns(list.departures), arrivals: IndexRuns(list.arrivals))
    }
  }
}

extension Changeset {
  /// Creates the changeset that batch edits describe.
  ///
  /// - Parameters:
  ///   - edits: The edits. All items of reloaded sections count as new.
  ///   - before: The number of items in each section before the update.
  ///   - after: The number of items in each section after the update.
  /// - Throws: The first contradiction, see ``BatchEdits/check(from:to:)``.
  /// - Complexity: O(s + e log e) for s sections and e edits, and O(n) for n items of reloaded sections.
  public init(_ edits: BatchEdits, from before: [Int], to after: [Int]) throws(BatchUpdateError) {
    try edits.check(from: before, to: after)
    let sections = SectionDifference(
      origins: edits.sectionOrigins(after.count), deletes: IndexRuns(edits.sectionDeletes),
      inserts: IndexRuns(edits.sectionInserts), moves: edits.sectionMoves.sorted { $0.to < $1.to })
    let changes = edits.sectionChanges(before, after)
    let moves = MoveListing(edits.moves.sorted { $0.to < $1.to }.map { ItemMove(from: $0.from, to: $0.to) })
    let oldCounts = (sections: before.count, last: before.last ?? 0)
    let unmarked = Changeset(
      sections: sections, changes: changes, listing: ChangeListing(moves),
      marks: ChangedMarks(reloads: [], reconfigures: []), oldCounts: oldCounts)
    // An item of a reloaded section gets a new cell anyway.
    func positions(_ marked: Set<ItemPosition>) -> [ItemPosition] {
      marked.compactMap { unmarked.position(afterUpdateOf: $0) }.sorted()
    }
    let reloads = Set(edits.reloads)
    let reloadedEmpty = edits.reloadedEmptySections(before, after)
    guard !reloads.isEmpty || !edits.reconfigures.isEmpty || !reloadedEmpty.isEmpty else {
      self = unmarked
      return
    }
    self = Changeset(
      sections: sections, changes: changes, listing: ChangeListing(moves),
      marks: ChangedMarks(
        sections: reloadedEmpty, reloads: positions(reloads),
        reconfigures: positions(Set(edits.reconfigures).subtracting(reloads))),
      oldCounts: oldCounts)
  }
}
