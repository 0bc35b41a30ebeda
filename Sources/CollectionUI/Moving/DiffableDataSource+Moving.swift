import CollectionEngine
import DiffableData
import struct FoundationEssentials.IndexPath

/// The order that is shown while an item is carried is none that was applied: ``snapshot()`` and the trees stay as they
/// are until the item is put down, and then change in one transaction.
extension DiffableDataSource {
  func canMoveItem(at index: Int) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), latest.contains(item) else { return false }
    return reorderingHandlers.canReorderItem?(item) ?? false
  }

  func beginMove(of index: Int) {
    guard let item = itemIdentifier(atFlatIndex: index) else { return }
    draggedItem = DraggedItem(item: item)
    showDraggedOrder()
  }

  var originalPathOfMove: IndexPath? {
    (draggedItem?.item).flatMap { latest.position(ofItem: $0) }.map { IndexPath(item: $0.item, section: $0.section) }
  }

  /// One step: among the items on show the one that is carried changes its place, and nothing else does.
  ///
  /// - Complexity: O(log n), and O(d) for a depth d of a tree; where it is over a section for the first time, O(v) for the
  ///   v items that a section with a tree shows.
  func showMove(to path: IndexPath) {
    guard let draggedItem, let destination = destination(of: draggedItem.item, at: path) else { return }
    self.draggedItem?.destination = destination
    // What the delegate applied while it was asked has other items than those on show.
    guard !hasPendingUpdate else { return showDraggedOrder() }
    var order = current
    order.moveItem(draggedItem.item, to: path)
    showProvisionalOrder(order)
  }

  func endMove() {
    guard let draggedItem else { return }
    self.draggedItem = nil
    if let destination = draggedItem.destination, reorder(draggedItem.item, to: destination) { return }
    showProvisionalOrder(latest)
  }

  func cancelMove() {
    guard draggedItem != nil else { return }
    draggedItem = nil
    showProvisionalOrder(latest)
  }

  func moveItem(at index: Int, to path: IndexPath) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), let destination = destination(of: item, at: path) else {
      return false
    }
    return reorder(item, to: destination)
  }

  /// Shows what was applied with the item that is carried where it would be put, and without what is below it.
  func showDraggedOrder() {
    if let order = draggedOrder() { showProvisionalOrder(order) }
  }

  /// What was applied last with the item that is carried where it would be put; nothing where none is.
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
    let below = outline(of: section)?.visibleItems(below: draggedItem.item) ?? []
    if !below.isEmpty { order.deleteItems(below.filter(order.contains)) }
    return order
  }

  /// What a place among the items on show means for an item.
  private func destination(of item: ItemID, at path: IndexPath) -> ReorderDestination<SectionID, ItemID>? {
    guard let section = current.sectionIdentifier(at: path.section),
      let source = latest.sectionIdentifier(containingItem: item)
    else { return nil }
    let trees = trees(of: (source, section))
    // What is below one that is carried is not shown.
    let below = draggedItem?.item == item ? 0 : trees[source]?.visibleItems(below: item).count ?? 0
    let reorder = ItemReorder(
      item, toSection: section, at: path.item, in: current, shownPart: 1 + below, outlines: trees)
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
  /// Puts an item where so many others of a section stand before it; with more than there are, at its end.
  ///
  /// - Complexity: that of `moveItem(_:beforeItem:)`.
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
