internal import VitrineDataStructures

extension DiffableDataSourceSnapshot {
  /// Returns the snapshot after applying a changeset.
  ///
  /// Its sections and items equal those of the target.
  ///
  /// Only inserted sections and items are read from the target, and marks are not transferred. The function serves to
  /// verify changesets.
  ///
  /// - Precondition: The changeset is the difference from this snapshot to the target.
  /// - Complexity: O(n (log c + m)) for n items, c changes and m moved sections, and O(s^2) for s changed sections.
  public func applying(_ changeset: Changeset, insertionsFrom target: Self) -> Self {
    let count = numberOfSections - changeset.sectionDeletes.count + changeset.sectionInserts.count
    checkPrecondition(count >= 0, "The changeset is not one of this snapshot.")
    var origins = [Int?](repeating: nil, count: count)
    for old in 0..<numberOfSections {
      guard let new = changeset.section(afterUpdateOf: old) else { continue }
      checkPrecondition(
        origins.indices.contains(new) && origins[new] == nil, "The changeset is not one of this snapshot.")
      origins[new] = old
    }
    var items: [[ItemID?]] = (0..<count).map { new in
      let count = itemCount(ofSection: new, from: origins[new], changeset, target)
      checkPrecondition(count >= 0, "The changeset is not one of this snapshot.")
      return [ItemID?](repeating: nil, count: count)
    }
    for old in 0..<numberOfSections {
      for item in 0..<numberOfItems(inSectionAt: old) {
        let from = ItemPosition(section: old, item: item)
        guard let to = changeset.position(afterUpdateOf: from) else { continue }
        checkPrecondition(
          items[to.section].indices.contains(to.item) && items[to.section][to.item] == nil,
          "The changeset is not one of this snapshot.")
        items[to.section][to.item] = itemIdentifier(at: from)
      }
    }
    var result = Self()
    for new in 0..<count {
      guard let section = origins[new].map(sectionIdentifier(at:)) ?? target.sectionIdentifier(at: new) else {
        continue
      }
      result.appendSections([section])
      let inserted = changeset.sections.first { $0.newSection == new }?.inserts ?? IndexRuns()
      let identifiers = items[new].enumerated().map { item, known -> ItemID in
        if let known { return known }
        checkPrecondition(
          origins[new] == nil || inserted.contains(item), "The changeset leaves a gap at \(item) of section \(new).")
        guard let identifier = target.itemIdentifier(section: new, item: item) else {
          failPrecondition("The changeset is not one to this target.")
        }
        return identifier
      }
      result.appendItems(identifiers)
    }
    return result
  }

  private func itemCount(ofSection new: Int, from old: Int?, _ changeset: Changeset, _ target: Self) -> Int {
    guard let old else { return target.numberOfItems(inSectionAt: new) }
    guard let change = changeset.sections.first(where: { $0.newSection == new }) else {
      return numberOfItems(inSectionAt: old)
    }
    return numberOfItems(inSectionAt: old) - change.departures.count + change.arrivals.count
  }
}
