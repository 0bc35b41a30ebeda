import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath

/// Finds out before a large update what will be selected after it.
extension DiffableDataSource {
  /// Selected items of one step, and so many that are followed in the update's own frame.
  private var itemsPerStep: Int { 1_024 }
  private var maximumItemsPerFrame: Int { 2_000 }

  /// Whether the next update is to wait, as it numbers very many items anew: until the many are followed that are selected,
  /// and all is found that lies under a rubber band, which is a matter of places.
  func needsSelectionRemapping(in view: CollectionView?) -> Bool {
    guard let view, let next = queue.ready, next.changes.hasManyRuns else {
      selectionRemapper = nil
      return false
    }
    if view.interaction.rubberBand != nil || !view.interaction.releasedBands.isEmpty { return true }
    let items = view.interaction.selection.items
    guard items.count > maximumItemsPerFrame,
      items.count < view.itemCount || next.changes.allExceptInserted(in: counts(next.request)) == nil
    else {
      selectionRemapper = nil
      return false
    }
    if let selectionRemapper {
      guard selectionRemapper.isComplete else { return true }
      if remappedSelection(in: view, after: next.changes, next.request.shown) != nil { return false }
    }
    selectionRemapper = SelectionRemapper(items, to: next.request.shown.numberOfItems)
    return true
  }

  /// Follows some more of what is selected, before the update is shown.
  func remapNextItems() {
    guard let view, let next = queue.ready else { return }
    let newIndex = newIndex(in: view, after: next.changes, counts(next.request))
    let before = selectionRemapper?.remappedCount ?? 0
    selectionRemapper?.advance(atMost: itemsPerStep, newIndex: newIndex)
    view.updateStatistics.remappedAhead += (selectionRemapper?.remappedCount ?? 0) - before
  }

  /// What is selected after a large update; nothing where it has to be found in its frame.
  func remappedSelection(in view: CollectionView, after changes: Changeset, _ next: Snapshot) -> IndexRuns? {
    guard changes.hasManyRuns else { return nil }
    let items = view.interaction.selection.items
    let counts = ItemCounts(next.itemCounts)
    if !items.isEmpty, items.count == view.itemCount, let rest = changes.allExceptInserted(in: counts) { return rest }
    return selectionRemapper?.remappedSelection(
      of: items, changedAtMost: maximumItemsPerFrame, newIndex: newIndex(in: view, after: changes, counts))
  }

  private func counts(_ request: ApplyRequest<SectionID, ItemID>) -> ItemCounts { ItemCounts(request.shown.itemCounts) }

  private func newIndex(
    in view: CollectionView, after changes: Changeset, _ counts: ItemCounts
  ) -> (Int) -> Int? {
    { item in
      let path = view.indexPath(at: item)
      return changes.position(afterUpdateOf: ItemPosition(section: path.section, item: path.item))
        .flatMap { counts.index(section: $0.section, item: $0.item) }
    }
  }
}
