extension BatchEdits {
  /// The old index of each section that is there after the update, or -1 for a new one.
  ///
  /// - Precondition: the edits of sections fit the counts.
  func sectionOrigins(_ after: Int) -> [Int] {
    var origins = [Int](repeating: -1, count: after)
    for move in sectionMoves { origins[move.to] = move.from }
    let gone = IndexRuns(sectionDeletes + sectionMoves.map(\.from))
    let taken = IndexRuns(sectionInserts + sectionMoves.map(\.to))
    var staying = 0
    for new in 0..<after where !taken.contains(new) {
      origins[new] = gone.absentIndex(staying)
      staying += 1
    }
    return origins
  }

  /// The sections that stay, by their index before and after, in the order of after.
  func survivors(_ before: Int, _ after: Int) -> [(old: Int, new: Int)] {
    sectionOrigins(after).enumerated().compactMap { new, old in (0..<before).contains(old) ? (old, new) : nil }
  }

  /// The reloaded sections that had no items and have none, by new index: no change of items tells of them, and a header
  /// they may have all the same.
  func reloadedEmptySections(_ before: [Int], _ after: [Int]) -> IndexRuns {
    guard !sectionReloads.isEmpty else { return IndexRuns() }
    let reloaded = Set(sectionReloads)
    return IndexRuns(
      survivors(before.count, after.count).compactMap { old, new in
        reloaded.contains(old) && before[old] == 0 && after[new] == 0 ? new : nil
      })
  }

  /// What is done in one section.
  private struct Lists {
    var deletes: [Int] = []
    var inserts: [Int] = []
    var departures: [Int] = []
    var arrivals: [Int] = []
  }

  /// What happens to the items of the sections that stay, by new index.
  ///
  /// All items of a reloaded section leave and come, those that move from it or to it among them.
  ///
  /// - Precondition: the edits of sections fit the counts, and those of items name places that are there.
  func sectionChanges(_ before: [Int], _ after: [Int]) -> [SectionChange] {
    let survivors = survivors(before.count, after.count)
    let reloaded = IndexRuns(sectionReloads)
    var newSections: [Int: Int] = [:]
    for (old, new) in survivors { newSections[old] = new }
    var lists: [Int: Lists] = [:]
    for (old, new) in survivors where reloaded.contains(old) {
      lists[new] = Lists(departures: Array(0..<before[old]), arrivals: Array(0..<after[new]))
    }
    // What is done to items of a reloaded section is done already.
    for place in deletes where !reloaded.contains(place.section) {
      guard let new = newSections[place.section] else { continue }
      lists[new, default: Lists()].deletes.append(place.item)
      lists[new, default: Lists()].departures.append(place.item)
    }
    let fresh = IndexRuns(sectionReloads.compactMap { newSections[$0] })
    for place in inserts where !fresh.contains(place.section) {
      lists[place.section, default: Lists()].inserts.append(place.item)
      lists[place.section, default: Lists()].arrivals.append(place.item)
    }
    for move in moves {
      if let new = newSections[move.from.section] { lists[new, default: Lists()].departures.append(move.from.item) }
      lists[move.to.section, default: Lists()].arrivals.append(move.to.item)
    }
    return survivors.compactMap { old, new in
      guard var list = lists[new] else { return nil }
      if reloaded.contains(old) {
        let away = Set(moves.lazy.filter { $0.from.section == old }.map(\.from.item))
        let home = Set(moves.lazy.filter { $0.to.section == new }.map(\.to.item))
        list.deletes = (0..<before[old]).filter { !away.contains($0) }
        list.inserts = (0..<after[new]).filter { !home.contains($0) }
      }
      guard !list.departures.isEmpty || !list.arrivals.isEmpty else { return nil }
      return SectionChange(
        oldSection: old, newSection: new, deletes: IndexRuns(list.deletes), inserts: IndexRuns(list.inserts),
        departures: IndexRuns(list.departures), arrivals: IndexRuns(list.arrivals))
    }
  }
}

extension Changeset {
  /// Makes the difference that edits describe.
  ///
  /// - Parameters:
  ///   - edits: the edits; items of reloaded sections are new ones, however many.
  ///   - before: how many items each section had.
  ///   - after: how many it has.
  /// - Throws: what does not fit.
  /// - Complexity: O(s + e log e) for s sections and e edits, and O(n) for n items of reloaded sections.
  public init(_ edits: BatchEdits, from before: [Int], to after: [Int]) throws(BatchMistake) {
    try edits.check(from: before, to: after)
    let sections = SectionDifference(
      origins: edits.sectionOrigins(after.count), deletes: IndexRuns(edits.sectionDeletes),
      inserts: IndexRuns(edits.sectionInserts), moves: edits.sectionMoves.sorted { $0.to < $1.to })
    let changes = edits.sectionChanges(before, after)
    let moves = MoveListing(edits.moves.sorted { $0.to < $1.to }.map { ItemMove(from: $0.from, to: $0.to) })
    let oldCounts = (sections: before.count, last: before.last ?? 0)
    let bare = Changeset(
      sections: sections, changes: changes, listing: ChangeListing(moves),
      marks: ChangedMarks(reloads: [], reconfigures: []), oldCounts: oldCounts)
    // An item of a reloaded section gets a new cell anyway.
    func places(_ marked: Set<ItemPosition>) -> [ItemPosition] {
      marked.compactMap { bare.position(afterUpdateOf: $0) }.sorted()
    }
    let reloads = Set(edits.reloads)
    let reloadedEmpty = edits.reloadedEmptySections(before, after)
    guard !reloads.isEmpty || !edits.reconfigures.isEmpty || !reloadedEmpty.isEmpty else {
      self = bare
      return
    }
    self = Changeset(
      sections: sections, changes: changes, listing: ChangeListing(moves),
      marks: ChangedMarks(
        sections: reloadedEmpty, reloads: places(reloads),
        reconfigures: places(Set(edits.reconfigures).subtracting(reloads))),
      oldCounts: oldCounts)
  }
}
