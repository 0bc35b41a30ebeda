extension BatchEdits {
  /// Checks that edits lead from how many items there were to how many there are.
  ///
  /// - Parameters:
  ///   - before: how many items each section had.
  ///   - after: how many it has.
  /// - Throws: the first mistake: places that are not there, then conflicts, then counts, each for sections before items.
  /// - Complexity: O(s + e log e) for s sections and e edits.
  public func check(from before: [Int], to after: [Int]) throws(BatchMistake) {
    try checkSections(before.count, after.count)
    try checkItems(before, after)
    try checkCounts(before, after)
  }

  private func checkSections(_ before: Int, _ after: Int) throws(BatchMistake) {
    let origins = sectionMoves.map(\.from)
    let destinations = sectionMoves.map(\.to)
    for section in sectionDeletes + sectionReloads + origins where !(0..<before).contains(section) {
      throw .noSection(section, of: before, isBefore: true)
    }
    for section in sectionInserts + destinations where !(0..<after).contains(section) {
      throw .noSection(section, of: after, isBefore: false)
    }
    if let (section, first, second) = BatchEdits.conflict([
      (.delete, sectionDeletes), (.reload, sectionReloads), (.moveAway, origins),
    ]) {
      throw .sectionConflict(section, first, second)
    }
    if let (section, first, second) = BatchEdits.conflict([(.insert, sectionInserts), (.moveTo, destinations)]) {
      throw .sectionConflict(section, first, second)
    }
    guard before - sectionDeletes.count + sectionInserts.count == after else {
      throw .sectionCount(
        before: before, after: after, inserted: sectionInserts.count, deleted: sectionDeletes.count)
    }
  }

  private func checkItems(_ before: [Int], _ after: [Int]) throws(BatchMistake) {
    let origins = moves.map(\.from)
    let destinations = moves.map(\.to)
    for place in deletes + reloads + reconfigures + origins { try BatchEdits.find(place, in: before, isBefore: true) }
    for place in inserts + destinations { try BatchEdits.find(place, in: after, isBefore: false) }
    if let (place, first, second) = BatchEdits.conflict([
      (.delete, deletes), (.reload, reloads), (.moveAway, origins),
    ]) {
      throw .itemConflict(place, first, second)
    }
    if let (place, first, second) = BatchEdits.conflict([(.insert, inserts), (.moveTo, destinations)]) {
      throw .itemConflict(place, first, second)
    }
    // Answers that came twice are no mistake.
    if let (place, first, second) = BatchEdits.conflict([(.delete, deletes), (.reconfigure, Array(Set(reconfigures)))])
    {
      throw .itemConflict(place, first, second)
    }
  }

  private static func find(_ place: ItemPosition, in counts: [Int], isBefore: Bool) throws(BatchMistake) {
    guard counts.indices.contains(place.section) else {
      throw .noSection(place.section, of: counts.count, isBefore: isBefore)
    }
    guard (0..<counts[place.section]).contains(place.item) else {
      throw .noItem(place, of: counts[place.section], isBefore: isBefore)
    }
  }

  private func checkCounts(_ before: [Int], _ after: [Int]) throws(BatchMistake) {
    var changes = sectionChanges(before, after)[...]
    for (old, new) in survivors(before.count, after.count) {
      let change = changes.first?.newSection == new ? changes.popFirst() : nil
      let departures = change?.departures.count ?? 0
      let arrivals = change?.arrivals.count ?? 0
      guard before[old] - departures + arrivals == after[new] else {
        let (deleted, inserted) = (change?.deletes.count ?? 0, change?.inserts.count ?? 0)
        throw .itemCount(
          section: new, before: before[old], after: after[new], inserted: inserted, deleted: deleted,
          movedIn: arrivals - inserted, movedOut: departures - deleted)
      }
    }
  }

  /// The first place that is named twice, by two kinds of edits or by one.
  private static func conflict<Place: Comparable>(
    _ kinds: [(verb: BatchVerb, places: [Place])]
  ) -> (Place, BatchVerb, BatchVerb)? {
    // Sorted by place, then as the kinds are listed.
    let named = kinds.enumerated().flatMap { rank, kind in kind.places.map { (place: $0, rank: rank) } }
      .sorted { ($0.place, $0.rank) < ($1.place, $1.rank) }
    for (first, second) in zip(named, named.dropFirst()) where first.place == second.place {
      return (first.place, kinds[first.rank].verb, kinds[second.rank].verb)
    }
    return nil
  }
}
