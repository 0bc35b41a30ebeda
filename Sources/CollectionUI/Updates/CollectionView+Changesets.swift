import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath

extension CollectionView {
  /// Shows what a difference makes of the items, the data source having those of after it by now.
  ///
  /// - Parameters:
  ///   - changes: the difference.
  ///   - formerSectionCount: how many sections there were.
  ///   - counts: how many items each section has.
  ///   - holdsOffset: whether the offset stays, and not what is seen first.
  ///   - former: how many each had; made when something needs it.
  final func applyChangeset(
    _ changes: Changeset, formerSectionCount: Int, to counts: ItemCounts, holdsOffset: Bool = false,
    from former: @escaping () -> ItemCounts
  ) {
    if changes.hasStructuralChanges {
      updateStatistics.structural += 1
      if changes.isAppendOnly { updateStatistics.appendOnly += 1 }
      applyUpdate(
        CollectionUpdate(
          newIndex: { old in
            changes.position(afterUpdateOf: ItemPosition(section: old.section, item: old.item))
              .flatMap { counts.index(section: $0.section, item: $0.item) }
          }, newSection: { changes.section(afterUpdateOf: $0) },
          indexMap: { ItemIndexMap(changes, from: former(), to: counts) },
          layout: LayoutUpdate(changes, formerSectionCount: formerSectionCount, counts: counts),
          isAppendOnly: changes.isAppendOnly,
          oldPath: { new in
            changes.position(beforeUpdateOf: ItemPosition(section: new.section, item: new.item))
              .map { IndexPath(item: $0.item, section: $0.section) }
          },
          isMoved: { changes.isMoved(to: ItemPosition(section: $0.section, item: $0.item)) },
          moveCount: changes.itemMoves.count, hasManyRuns: changes.hasManyRuns, keepsOffset: holdsOffset))
    }
    if changes.isReconfigureOnly { updateStatistics.reconfigureOnly += 1 }
    let sections = changes.sectionReloads
    if !sections.isEmpty {
      reloadCells { sections.contains($0) }
      reloadElements { sections.contains($0) }
    }
    for position in changes.reloads where !sections.contains(position.section) {
      reloadItem(IndexPath(item: position.item, section: position.section))
    }
    for position in changes.reconfigures where !sections.contains(position.section) {
      reconfigureItem(IndexPath(item: position.item, section: position.section))
    }
  }
}
