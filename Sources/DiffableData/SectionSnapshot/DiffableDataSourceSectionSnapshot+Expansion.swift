extension DiffableDataSourceSectionSnapshot {
  /// Expands items: what is directly below them is visible when they are.
  ///
  /// An item needs no children for that, and stays expanded whatever becomes of them.
  /// - Returns: The items that are not there, to which nothing happened.
  /// - Complexity: O(k).
  @discardableResult
  public mutating func expand(_ items: [ItemID]) -> [ItemID] { setExpanded(true, of: items) }

  /// Collapses items: nothing below them is visible any more.
  ///
  /// What is expanded below them stays so, and is seen again when they are expanded.
  /// - Returns: The items that are not there, to which nothing happened.
  /// - Complexity: O(k).
  @discardableResult
  public mutating func collapse(_ items: [ItemID]) -> [ItemID] { setExpanded(false, of: items) }

  /// Whether an item is expanded; one that is not there is not.
  ///
  /// - Complexity: O(1).
  public func isExpanded(_ item: ItemID) -> Bool {
    outline.handle(of: item).map { outline[$0].isExpanded } ?? false
  }

  /// Whether an item is there and everything above it is expanded.
  ///
  /// - Complexity: O(d).
  public func isVisible(_ item: ItemID) -> Bool {
    outline.handle(of: item).map { outline.isVisible($0) } ?? false
  }

  /// The visible items in order.
  ///
  /// - Complexity: O(v) for v visible items.
  public var visibleItems: [ItemID] {
    OutlineWalk(through: outline, skippingCollapsed: true).map { outline.item($0) }
  }

  /// The expanded items in order, visible or not.
  ///
  /// - Complexity: O(n).
  public var expandedItems: [ItemID] {
    OutlineWalk(through: outline).lazy.filter { outline[$0].isExpanded }.map { outline.item($0) }
  }

  /// The visible items below an item, in order; none while it is collapsed or hidden.
  ///
  /// - Precondition: The item is there.
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
