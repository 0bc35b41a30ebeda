/// The marks of a snapshot on what was there before, by place.
struct ChangedMarks: Sendable {
  /// New indexes of sections that are to be shown anew.
  let sections: IndexRuns
  /// New places of items that are to get a new cell, in order.
  let reloads: [ItemPosition]
  /// New places of items whose cells are to be configured again, in order, without those that get a new one.
  let reconfigures: [ItemPosition]

  /// Makes marks from places, in order.
  init(sections: IndexRuns = IndexRuns(), reloads: [ItemPosition], reconfigures: [ItemPosition]) {
    (self.sections, self.reloads, self.reconfigures) = (sections, reloads, reconfigures)
  }

  /// - Complexity: O(m log m) for m marks, each looked up in both snapshots.
  init<SectionID, ItemID>(
    from old: DiffableDataSourceSnapshot<SectionID, ItemID>, to new: DiffableDataSourceSnapshot<SectionID, ItemID>
  ) {
    guard !(new.reloadedSections.isEmpty && new.reloadedItems.isEmpty && new.reconfiguredItems.isEmpty) else {
      (sections, reloads, reconfigures) = (IndexRuns(), [], [])
      return
    }
    func places(_ identifiers: [ItemID], but skipped: (ItemID) -> Bool = { _ in false }) -> [ItemPosition] {
      identifiers.filter { !skipped($0) && old.contains($0) }.compactMap { new.position(ofItem: $0) }.sorted()
    }
    sections = IndexRuns(
      new.reloadedSections.identifiers.filter { old.table.rank(of: $0) != nil }.compactMap { new.table.rank(of: $0) })
    reloads = places(new.reloadedItems.identifiers)
    reconfigures = places(new.reconfiguredItems.identifiers, but: new.reloadedItems.contains)
  }
}
