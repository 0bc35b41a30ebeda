extension DiffableDataSourceSectionSnapshot {
  /// Makes the items of another snapshot the only ones below an item; whether that item is expanded stays.
  ///
  /// - Precondition: The item is there; none of the other snapshot's is in this one, but for those that go away.
  /// - Complexity: O(k + d log w), where k counts what goes away and what comes.
  public mutating func replace(childrenOf parent: ItemID, using snapshot: DiffableDataSourceSectionSnapshot) {
    let parent = handle(of: parent)
    outline.removeChildren(of: parent)
    outline.insert(OutlineWalk(through: snapshot.outline), at: .last(in: parent))
  }

  /// Adds the items of another snapshot before an item: its roots become siblings of it.
  ///
  /// What is expanded in the other snapshot is expanded here.
  /// - Precondition: The item is there, and none of the other snapshot's.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ snapshot: DiffableDataSourceSectionSnapshot, before anchor: ItemID) {
    outline.insert(OutlineWalk(through: snapshot.outline), at: .before(handle(of: anchor)))
  }

  /// Adds the items of another snapshot after an item and everything below it: its roots become siblings of it.
  ///
  /// What is expanded in the other snapshot is expanded here.
  /// - Precondition: The item is there, and none of the other snapshot's.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ snapshot: DiffableDataSourceSectionSnapshot, after anchor: ItemID) {
    outline.insert(OutlineWalk(through: snapshot.outline), at: .after(handle(of: anchor)))
  }

  /// Adds the items of another snapshot as the last children of an item, or as the last of those without a parent.
  ///
  /// What is expanded in the other snapshot is expanded here.
  /// - Precondition: The parent is there, and none of the other snapshot's items.
  /// - Complexity: O(k + d log w).
  public mutating func append(_ snapshot: DiffableDataSourceSectionSnapshot, to parent: ItemID? = nil) {
    let parent = parent.map { handle(of: $0) } ?? OutlineNode.none
    outline.insert(OutlineWalk(through: snapshot.outline), at: .last(in: parent))
  }

  /// What is below an item, with levels from 0 on and what is expanded; with the item itself as its root if asked.
  ///
  /// - Precondition: The item is there.
  /// - Complexity: O(k).
  public func snapshot(of parent: ItemID, includingParent: Bool = false) -> DiffableDataSourceSectionSnapshot {
    let parent = handle(of: parent)
    var part = DiffableDataSourceSectionSnapshot()
    if includingParent {
      part.outline.insert(OutlineWalk(of: parent, in: outline), at: .last(in: OutlineNode.none))
    } else {
      part.outline.insert(OutlineWalk(below: parent, in: outline), at: .last(in: OutlineNode.none))
    }
    return part
  }
}
