import DiffableData

/// An item that a hand carries over the others of its data source, and where it would be put.
struct DraggedItem<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>

  let item: ItemID
  /// Nothing until it was over another place.
  var destination: ReorderDestination<SectionID, ItemID>?
  /// The trees of the sections that it was over, and of its own, as far as they are more than a list: until something is
  /// applied they are what they were.
  private var trees: [SectionID: SectionSnapshot?] = [:]

  init(item: ItemID) { self.item = item }

  /// Trees may be other ones.
  mutating func invalidateTrees() { trees = [:] }

  /// The tree of a section, looked for once; nothing for a list.
  mutating func tree(of section: SectionID, _ find: (SectionID) -> SectionSnapshot?) -> SectionSnapshot? {
    if let known = trees[section] { return known }
    let tree = find(section)
    trees[section] = .some(tree)
    return tree
  }
}
