import CollectionEngine
import DiffableData
import struct FoundationEssentials.IndexPath

/// The order that is shown while an item is carried is none that was applied: ``snapshot()`` and the trees stay as they
/// are until the item is put down, and then change in one transaction.
extension DiffableDataSource {
  func mayMove(_ index: Int) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), latest.contains(item) else { return false }
    return reorderingHandlers.canReorderItem?(item) ?? false
  }

  func beginMove(of index: Int) {
    guard let item = itemIdentifier(atFlatIndex: index) else { return }
    carried = CarriedItem(item: item)
    showCarried()
  }

  var originOfMove: IndexPath? {
    (carried?.item).flatMap { latest.position(ofItem: $0) }.map { IndexPath(item: $0.item, section: $0.section) }
  }

  func showMove(to path: IndexPath) {
    guard let carried, let destination = destination(of: carried.item, at: path) else { return }
    self.carried?.destination = destination
    showCarried()
  }

  func endMove() {
    guard let carried else { return }
    self.carried = nil
    if let destination = carried.destination, reorder(carried.item, to: destination) { return }
    show(order: latest)
  }

  func cancelMove() {
    guard carried != nil else { return }
    carried = nil
    show(order: latest)
  }

  func move(_ index: Int, to path: IndexPath) -> Bool {
    guard let item = itemIdentifier(atFlatIndex: index), let destination = destination(of: item, at: path) else {
      return false
    }
    return reorder(item, to: destination)
  }

  /// Shows what was applied with the item that is carried where it would be put, and without what is below it.
  func showCarried() {
    if let order = carriedOrder() { show(order: order) }
  }

  /// What was applied last with the item that is carried where it would be put; nothing where none is.
  func carriedOrder() -> Snapshot? {
    guard let carried else { return nil }
    guard latest.contains(carried.item) else {
      self.carried = nil
      return nil
    }
    let reorder = carried.destination.map { ItemReorder(carried.item, to: $0) }
    let outcome = reorder.flatMap { $0.outcome(in: latest, outlines: trees(of: $0.sections(in: latest))) }
    var order = outcome?.snapshot ?? latest
    guard let section = latest.sectionIdentifier(containingItem: carried.item) else { return nil }
    let below = outline(of: section)?.visibleItems(below: carried.item) ?? []
    if !below.isEmpty { order.deleteItems(below.filter(order.contains)) }
    return order
  }

  /// What a place among the items on show means for an item.
  private func destination(of item: ItemID, at path: IndexPath) -> ReorderDestination<SectionID, ItemID>? {
    guard let section = current.sectionIdentifier(at: path.section),
      let source = latest.sectionIdentifier(containingItem: item)
    else { return nil }
    let trees = trees(of: (source, section))
    let below = carried?.item == item ? 0 : trees[source]?.visibleItems(below: item).count ?? 0
    let reorder = ItemReorder(
      item, toSection: section, at: path.item, in: current, shownPart: 1 + below, outlines: trees)
    return reorder?.destination
  }

  private func trees(of sections: (source: SectionID, target: SectionID)?) -> [SectionID: SectionSnapshot] {
    guard let sections else { return [:] }
    var trees: [SectionID: SectionSnapshot] = [:]
    for section in [sections.source, sections.target] { trees[section] = outline(of: section) }
    return trees
  }
}
