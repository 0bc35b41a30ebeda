public import DiffableData

extension DiffableDataSource {
  /// Puts an item elsewhere, with everything below it in its section's tree, as a person's hand does.
  ///
  /// The handlers are asked and told, the new order is committed, and they are told again. Nothing happens when the
  /// handlers do not allow it, when the item or its destination is not on show, when that is the item itself or below it,
  /// when the item stands there already, or when a handler changes the items before the new order is committed.
  /// - Returns: Whether the item was put there.
  /// - Complexity: that of the transaction and of `apply(_:animatingDifferences:completion:)`; O(v) for the v items shown by a section with a tree.
  @discardableResult
  public func reorder(_ item: ItemID, to destination: ReorderDestination<SectionID, ItemID>) -> Bool {
    let handlers = reorderingHandlers
    guard snapshot().contains(item), handlers.canReorderItem?(item) ?? false else { return false }
    let initial = snapshot()
    let reorder = ItemReorder(item, to: destination)
    guard let sections = reorder.sections(in: initial) else { return false }
    var trees: [SectionID: SectionSnapshot] = [:]
    for section in [sections.source, sections.target] { trees[section] = outline(of: section) }
    guard let transaction = reorder.transaction(in: initial, outlines: trees) else { return false }

    handlers.willReorder?(transaction)
    let isAsItWas = transaction.initialOutlines.allSatisfy { snapshot(for: $0.key) == $0.value }
    guard snapshot() == initial, isAsItWas else { return false }
    outlines.merge(transaction.finalOutlines) { $1 }
    apply(transaction.finalSnapshot)
    handlers.didReorder?(transaction)
    return true
  }
}
