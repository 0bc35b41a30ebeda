extension DiffableDataSourceSectionSnapshot {
  /// The number of items, visible or not.
  ///
  /// - Complexity: O(1).
  public var numberOfItems: Int { outline.count }

  /// All items in order, visible or not.
  ///
  /// Each item precedes its children.
  ///
  /// - Complexity: O(n).
  public var items: [ItemID] { OutlineWalk(through: outline).map { outline.item($0) } }

  /// The items without a parent, in order.
  ///
  /// - Complexity: O(r) for r such items.
  public var rootItems: [ItemID] { children(of: OutlineNode.none) }

  /// Returns whether the snapshot contains an item, visible or not.
  ///
  /// - Complexity: O(1).
  public func contains(_ item: ItemID) -> Bool { outline.handle(of: item) != nil }

  /// Returns the index of an item in ``items``, or nil if the item does not exist.
  ///
  /// - Complexity: O(d log w).
  public func index(of item: ItemID) -> Int? { outline.handle(of: item).map { outline.position(of: $0) } }

  /// Returns the level of an item, which is the number of its ancestors.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(1).
  public func level(of item: ItemID) -> Int { Int(outline[handle(of: item)].level) }

  /// Returns the parent of an item, or nil if the item has no parent or does not exist.
  ///
  /// - Complexity: O(1).
  public func parent(of item: ItemID) -> ItemID? {
    guard let handle = outline.handle(of: item), outline[handle].parent != OutlineNode.none else { return nil }
    return outline.item(outline[handle].parent)
  }

  /// Returns the children of an item, in order.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(c) for c children.
  public func children(of item: ItemID) -> [ItemID] { children(of: handle(of: item)) }

  private func children(of parent: OutlineNode.Handle) -> [ItemID] {
    OutlineSiblings(below: parent, in: outline).map { outline.item($0) }
  }
}

extension DiffableDataSourceSectionSnapshot: Equatable {
  /// Returns whether two snapshots have the same tree of items and the same expanded items.
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

extension DiffableDataSourceSectionSnapshot {
  /// Expands items, so that their children are visible whenever they are visible themselves.
  ///
  /// An item needs no children to be expanded, and stays expanded whatever happens to them.
  ///
  /// - Returns: The items that do not exist, which are ignored.
  /// - Complexity: O(k).
  @discardableResult
  public mutating func expand(_ items: [ItemID]) -> [ItemID] { setExpanded(true, of: items) }

  /// Collapses items, so that none of their descendants is visible.
  ///
  /// Expanded descendants stay expanded and are visible again after the next expansion.
  ///
  /// - Returns: The items that do not exist, which are ignored.
  /// - Complexity: O(k).
  @discardableResult
  public mutating func collapse(_ items: [ItemID]) -> [ItemID] { setExpanded(false, of: items) }

  /// Returns whether an item is expanded.
  ///
  /// Returns false if the item does not exist.
  ///
  /// - Complexity: O(1).
  public func isExpanded(_ item: ItemID) -> Bool {
    outline.handle(of: item).map { outline[$0].isExpanded } ?? false
  }

  /// Returns whether an item exists and all its ancestors are expanded.
  ///
  /// - Complexity: O(d).
  public func isVisible(_ item: ItemID) -> Bool {
    outline.handle(of: item).map { outline.isVisible($0) } ?? false
  }

  /// The visible items, in order.
  ///
  /// - Complexity: O(v) for v visible items.
  public var visibleItems: [ItemID] {
    OutlineWalk(through: outline, skippingCollapsed: true).map { outline.item($0) }
  }

  /// The expanded items, visible or not, in order.
  ///
  /// - Complexity: O(n).
  public var expandedItems: [ItemID] {
    OutlineWalk(through: outline).lazy.filter { outline[$0].isExpanded }.map { outline.item($0) }
  }

  /// Returns the visible descendants of an item, in order.
  ///
  /// Returns an empty array if the item is collapsed or hidden.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(v + d) for v such items.
  public func visibleItems(below item: ItemID) -> [ItemID] {
    let handle = handle(of: item)
    guard outline[handle].isExpanded, outline.isVisible(handle) else { return [] }
    return OutlineWalk(below: handle, in: outline, skippingCollapsed: true).map { outline.item($0) }
  }

  private mutating func setExpanded(_ isExpanded: Bool, of items: [ItemID]) -> [ItemID] {
    var unknown: [ItemID] = []
    for item in items {
      if let handle = outline.handle(of: item) {
        outline[handle].isExpanded = isExpanded
      } else {
        unknown.append(item)
      }
    }
    return unknown
  }
}

extension DiffableDataSourceSectionSnapshot {
  /// Returns the tree as text, with one line per item: `*` for a visible item, `+` for an expanded or `-` for a
  /// collapsed one.
  ///
  /// The line is indented by two spaces for each level. The text does not end with a newline.
  ///
  /// - Complexity: O(n d) in characters.
  public func visualDescription() -> String {
    var lines: [String] = []
    lines.reserveCapacity(numberOfItems)
    // The level of the outermost collapsed ancestor. Deeper items are hidden.
    var collapsed = Int32.max
    for handle in OutlineWalk(through: outline) {
      let node = outline[handle]
      if node.level <= collapsed { collapsed = .max }
      let indent = String(repeating: "  ", count: Int(node.level))
      lines.append(
        indent + (collapsed == .max ? "*" : " ") + (node.isExpanded ? "+" : "-") + " \(outline.item(handle))")
      if collapsed == .max, !node.isExpanded { collapsed = node.level }
    }
    return lines.joined(separator: "\n")
  }
}
