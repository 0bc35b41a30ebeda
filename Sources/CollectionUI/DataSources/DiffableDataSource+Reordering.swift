package import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
public import VitrineDiffableData

extension DiffableDataSource {
  /// Moves an item with its descendants in its section's tree, as a drag by the user does.
  ///
  /// The method calls the handlers, commits the new order, and calls the handlers again. The item is not moved if the
  /// handlers do not allow it, if the item or its destination is not displayed, if the destination is the item itself
  /// or one of its descendants, if the item is there already, or if a handler changes the items before the new order is
  /// committed.
  ///
  /// - Returns: Whether the item was moved.
  /// - Complexity: That of the transaction and of `apply(_:animatingDifferences:completion:)`; O(v) for the v items
  ///   displayed by a section with a tree.
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
    let areOutlinesUnchanged = transaction.initialOutlines.allSatisfy { snapshot(for: $0.key) == $0.value }
    guard snapshot() == initial, areOutlinesUnchanged else { return false }
    outlines.merge(transaction.finalOutlines) { $1 }
    apply(transaction.finalSnapshot)
    handlers.didReorder?(transaction)
    return true
  }

  // MARK: - Interactive movement

  package func canMoveItem(at index: Int) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), latest.contains(item) else { return false }
    return reorderingHandlers.canReorderItem?(item) ?? false
  }

  package func beginMove(of index: Int) {
    guard let item = itemIdentifier(atFlatIndex: index) else { return }
    draggedItem = DraggedItem(item: item)
    showDraggedOrder()
  }

  package var originalPathOfMove: IndexPath? {
    (draggedItem?.item).flatMap { latest.position(ofItem: $0) }.map { IndexPath(item: $0.item, section: $0.section) }
  }

  /// Displays one step of a drag: the dragged item moves among the displayed items.
  ///
  /// - Complexity: O(log n), and O(d) for a tree of depth d. When a section with a tree is entered for the first time,
  ///   O(v) for the v items it displays.
  package func showMove(to path: IndexPath) {
    guard let draggedItem, let destination = destination(of: draggedItem.item, at: path) else { return }
    self.draggedItem?.destination = destination
    // Snapshots that the delegate applied meanwhile contain other items than those displayed.
    guard !hasPendingUpdate else { return showDraggedOrder() }
    var order = current
    order.moveItem(draggedItem.item, to: path)
    showProvisionalOrder(order)
  }

  package func endMove() {
    guard let draggedItem else { return }
    self.draggedItem = nil
    if let destination = draggedItem.destination, reorder(draggedItem.item, to: destination) { return }
    showProvisionalOrder(latest)
  }

  package func cancelMove() {
    guard draggedItem != nil else { return }
    draggedItem = nil
    showProvisionalOrder(latest)
  }

  package func moveItem(at index: Int, to path: IndexPath) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), let destination = destination(of: item, at: path) else {
      return false
    }
    return reorder(item, to: destination)
  }

  /// Displays the last applied snapshot with the dragged item at its destination, without its descendants.
  func showDraggedOrder() {
    if let order = draggedOrder() { showProvisionalOrder(order) }
  }

  /// Returns the last applied snapshot with the dragged item at its destination, or nil if no item is dragged.
  func draggedOrder() -> Snapshot? {
    guard let draggedItem else { return nil }
    guard latest.contains(draggedItem.item) else {
      self.draggedItem = nil
      return nil
    }
    self.draggedItem?.invalidateTrees()
    let reorder = draggedItem.destination.map { ItemReorder(draggedItem.item, to: $0) }
    let outcome = reorder.flatMap { $0.outcome(in: latest, outlines: trees(of: $0.sections(in: latest))) }
    var order = outcome?.snapshot ?? latest
    guard let section = latest.sectionIdentifier(containingItem: draggedItem.item) else { return nil }
    let descendants = outline(of: section)?.visibleItems(below: draggedItem.item) ?? []
    if !descendants.isEmpty { order.deleteItems(descendants.filter(order.contains)) }
    return order
  }

  /// Returns the destination of an item for an index path among the displayed items.
  private func destination(of item: ItemID, at path: IndexPath) -> ReorderDestination<SectionID, ItemID>? {
    guard let section = current.sectionIdentifier(at: path.section),
      let source = latest.sectionIdentifier(containingItem: item)
    else { return nil }
    let trees = trees(of: (source, section))
    // The descendants of a dragged item are not displayed.
    let descendantCount = draggedItem?.item == item ? 0 : trees[source]?.visibleItems(below: item).count ?? 0
    let reorder = ItemReorder(
      item, toSection: section, at: path.item, in: current, visibleCount: 1 + descendantCount, outlines: trees)
    return reorder?.destination
  }

  private func trees(of sections: (source: SectionID, target: SectionID)?) -> [SectionID: SectionSnapshot] {
    guard let sections else { return [:] }
    var trees: [SectionID: SectionSnapshot] = [:]
    for section in [sections.source, sections.target] {
      trees[section] = draggedItem == nil ? outline(of: section) : draggedItem?.tree(of: section) { outline(of: $0) }
    }
    return trees
  }
}

nonisolated extension DiffableDataSourceSnapshot {
  /// Moves an item so that the given number of other items of the section precede it, or to the section's end.
  ///
  /// - Complexity: That of `moveItem(_:beforeItem:)`.
  fileprivate mutating func moveItem(_ item: ItemID, to path: IndexPath) {
    guard let source = position(ofItem: item), let section = sectionIdentifier(at: path.section) else { return }
    let isBehind = source.section == path.section && path.item >= source.item
    let count = numberOfItems(inSectionAt: path.section)
    if let next = itemIdentifier(section: path.section, item: path.item + (isBehind ? 1 : 0)) {
      moveItem(item, beforeItem: next)
    } else if let last = itemIdentifier(section: path.section, item: count - 1) {
      if last != item { moveItem(item, afterItem: last) }
    } else {
      appendItems([item], toSection: section)
    }
  }
}

/// The handlers that a data source calls when the user reorders items.
///
/// While an item is dragged over others, the layout computes frames for its proposed positions. Closures of the layout
/// that return sizes by index must support one more index than the section has items.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Returns whether an item may be moved.
  ///
  /// If nil, no item may be moved.
  public var canReorderItem: ((ItemID) -> Bool)?
  /// Called before the data source commits a new order.
  public var willReorder: ((DiffableDataSourceTransaction<SectionID, ItemID>) -> Void)?
  /// Called after the data source committed a new order, so that the client can store it.
  public var didReorder: ((DiffableDataSourceTransaction<SectionID, ItemID>) -> Void)?

  /// Creates handlers that allow no reordering.
  public init() {}
}

/// An item that is dragged over the others of its data source, and its destination.
struct DraggedItem<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>

  let item: ItemID
  /// The destination, or nil until the item was over another position.
  var destination: ReorderDestination<SectionID, ItemID>?
  /// The trees of the sections that the item was over, and of its own section, or nil for lists.
  ///
  /// They are cached until a snapshot is applied.
  private var trees: [SectionID: SectionSnapshot?] = [:]

  init(item: ItemID) { self.item = item }

  /// Removes the cached trees, because a snapshot was applied.
  mutating func invalidateTrees() { trees = [:] }

  /// Returns the tree of a section, looked up once, or nil for a list.
  mutating func tree(of section: SectionID, _ find: (SectionID) -> SectionSnapshot?) -> SectionSnapshot? {
    if let known = trees[section] { return known }
    let tree = find(section)
    trees[section] = .some(tree)
    return tree
  }
}
