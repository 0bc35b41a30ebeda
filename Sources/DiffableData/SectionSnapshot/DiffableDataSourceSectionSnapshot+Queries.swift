extension DiffableDataSourceSectionSnapshot {
  /// The number of items, visible or not.
  ///
  /// - Complexity: O(1).
  public var numberOfItems: Int { outline.count }

  /// All items in order, visible or not: each before its children.
  ///
  /// - Complexity: O(n).
  public var items: [ItemID] { OutlineWalk(through: outline).map { outline.item($0) } }

  /// The items without a parent, in order.
  ///
  /// - Complexity: O(r) for r such items.
  public var rootItems: [ItemID] { children(of: OutlineNode.none) }

  /// Whether an item is there, visible or not.
  ///
  /// - Complexity: O(1).
  public func contains(_ item: ItemID) -> Bool { outline.handle(of: item) != nil }

  /// The index of an item in ``items``, or nothing when it is not there.
  ///
  /// - Complexity: O(d log w).
  public func index(of item: ItemID) -> Int? { outline.handle(of: item).map { outline.position(of: $0) } }

  /// How many items are above an item.
  ///
  /// - Precondition: The item is there.
  /// - Complexity: O(1).
  public func level(of item: ItemID) -> Int { Int(outline[handle(of: item)].level) }

  /// The item that an item is a child of, or nothing when it has no parent or is not there.
  ///
  /// - Complexity: O(1).
  public func parent(of item: ItemID) -> ItemID? {
    guard let handle = outline.handle(of: item), outline[handle].parent != OutlineNode.none else { return nil }
    return outline.item(outline[handle].parent)
  }

  /// The items directly below an item, in order.
  ///
  /// - Precondition: The item is there.
  /// - Complexity: O(c) for c children.
  public func children(of item: ItemID) -> [ItemID] { children(of: handle(of: item)) }

  private func children(of parent: OutlineNode.Handle) -> [ItemID] {
    OutlineSiblings(below: parent, in: outline).map { outline.item($0) }
  }
}

extension DiffableDataSourceSectionSnapshot: Equatable {
  /// Whether two snapshots hold the same items in the same tree, and the same of them are expanded.
  ///
  /// - Complexity: O(n).
  public static func == (left: DiffableDataSourceSectionSnapshot, right: DiffableDataSourceSectionSnapshot) -> Bool {
    left.numberOfItems == right.numberOfItems
      && zip(OutlineWalk(through: left.outline), OutlineWalk(through: right.outline)).allSatisfy { mine, theirs in
        let (mineNode, theirNode) = (left.outline[mine], right.outline[theirs])
        return mineNode.level == theirNode.level && mineNode.isExpanded == theirNode.isExpanded
          && left.outline.item(mine) == right.outline.item(theirs)
      }
  }
}
