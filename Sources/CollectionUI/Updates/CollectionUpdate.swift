import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath

/// The effect of an update on the indices of items and sections.
struct CollectionUpdate {
  /// Returns the new flat index of the item at an old path, or nil if it was deleted.
  let newIndex: (IndexPath) -> Int?
  /// Returns the new index of a section, or nil if it was deleted.
  let newSection: (Int) -> Int?
  /// Returns the map of all indices, which is computed when it is needed.
  let indexMap: () -> ItemIndexMap
  /// The update for the layout, or nil if the layout must be solved again.
  let layout: LayoutUpdate?
  /// Whether every existing item keeps its index.
  let isAppendOnly: Bool
  /// Returns the old path of the item at a new path, or nil if it was inserted.
  var oldPath: (IndexPath) -> IndexPath? = { _ in nil }
  /// Returns whether the item at a new path was moved there, rather than shifted by other changes.
  var isMoved: (IndexPath) -> Bool = { _ in false }
  /// The number of moved ranges of items.
  var moveCount = 0
  /// Whether ``indexMap`` has too many ranges for a frame.
  var hasManyRuns = false
  /// Whether to preserve the offset instead of the position of the first visible item.
  var keepsOffset = false

  /// Returns the identity of an element after the update, or nil if its section was deleted.
  func newIdentity(of identity: ElementIdentity) -> ElementIdentity? {
    guard let section = identity.section else { return identity }
    return newSection(section).map { section in
      var renamed = identity
      renamed.section = section
      return renamed
    }
  }
}

extension CollectionView {
  /// Applies a changeset to the view, after the data source was updated.
  ///
  /// - Parameters:
  ///   - changes: The changeset.
  ///   - formerSectionCount: The former number of sections.
  ///   - counts: The number of items of each section.
  ///   - keepsOffset: Whether to preserve the offset instead of the position of the first visible item. Default: false.
  ///   - former: A closure that returns the former number of items of each section. It is called when it is needed.
  final func applyChangeset(
    _ changes: Changeset, formerSectionCount: Int, to counts: ItemCounts, keepsOffset: Bool = false,
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
          moveCount: changes.itemMoves.count, hasManyRuns: changes.hasManyRuns, keepsOffset: keepsOffset))
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

nonisolated extension LayoutUpdate {
  /// Creates a layout update from a changeset, or nil if so many items move that solving the layout again is faster.
  ///
  /// - Complexity: O(changes), and O(s) if sections are inserted, deleted or moved.
  init?(_ changes: Changeset, formerSectionCount: Int, counts: ItemCounts) {
    guard !changes.isStructuralShuffle else { return nil }
    var former: [Int?]?
    if !(changes.sectionDeletes.isEmpty && changes.sectionInserts.isEmpty && changes.sectionMoves.isEmpty) {
      var sections = [Int?](repeating: nil, count: counts.numberOfSections)
      for old in 0..<formerSectionCount { if let new = changes.section(afterUpdateOf: old) { sections[new] = old } }
      former = sections
    }
    self.init(
      counts: counts, previousSections: former,
      edits: changes.sections.map { change in
        SectionEdits(
          section: change.newSection, removals: change.departures.ranges, insertions: change.arrivals.ranges)
      })
  }

  /// Creates an update in which no indices change, but layout properties of some items do.
  ///
  /// - Parameter positions: The sections and item indices, ascending. Duplicates are ignored.
  init(changing positions: [(section: Int, item: Int)], counts: ItemCounts) {
    var edits: [SectionEdits] = []
    for (section, item) in positions {
      if edits.last?.section != section { edits.append(SectionEdits(section: section)) }
      let last = edits.count - 1
      if let run = edits[last].dataChanges.last, run.upperBound >= item {
        edits[last].dataChanges[edits[last].dataChanges.count - 1] = run.lowerBound..<max(run.upperBound, item + 1)
      } else {
        edits[last].dataChanges.append(item..<(item + 1))
      }
    }
    self.init(counts: counts, edits: edits)
  }
}

extension Changeset {
  /// Whether the map of indices has too many ranges for a frame.
  ///
  /// - Complexity: O(changed sections).
  var hasManyRuns: Bool {
    sections.reduce(itemMoves.count) { $0 + $1.deletes.ranges.count + $1.inserts.ranges.count } > 20_000
  }

  /// Returns the selection after the update if all items were selected before: all items except inserted ones.
  ///
  /// - Parameter counts: The number of items of each section after the update.
  /// - Returns: The selection, or nil if it takes too long for a frame.
  /// - Complexity: O(changed sections, and ranges of inserted items).
  func allExceptInserted(in counts: ItemCounts) -> IndexRuns? {
    // The items of inserted sections are not listed separately.
    guard sectionInserts.isEmpty, sections.reduce(0, { $0 + $1.inserts.ranges.count }) <= 20_000 else { return nil }
    var new = IndexRuns()
    for change in sections {
      let start = counts.items(inSection: change.newSection).lowerBound
      for range in change.inserts.ranges {
        new.append(contentsOf: (start + range.lowerBound)..<(start + range.upperBound))
      }
    }
    return IndexRuns(0..<counts.total).subtracting(new)
  }
}
