import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData

/// An update of the displayed items: the only way in which they change.
///
/// A data source creates one for an applied snapshot, a batch of updates, a provisional order during a drag or a reload,
/// and passes it to ``DataSourceHost/performUpdate(_:showing:)``.
struct CollectionUpdate {
  /// The effect on the indices of items and sections.
  let map: IndexMap
  /// The changes of items and sections, or nil if every cell is replaced.
  let changes: Changeset?
  /// Whether the changes are animated.
  var isAnimated = false
  /// Whether to preserve the offset instead of the position of the first visible item.
  var keepsOffset = false
  /// Whether to scroll to the start, because the items are those of another data source.
  var scrollsToStart = false

  /// Creates the update of a changeset.
  init(_ changes: Changeset, from former: ItemCounts, to counts: ItemCounts) {
    self.changes = changes
    map = IndexMap(changes, from: former, to: counts)
  }

  /// Creates an update that replaces every cell and preserves the offset within the scrollable range.
  ///
  /// - Parameter map: The items that remain, to which the selection is limited.
  init(reloading map: IndexMap) {
    changes = nil
    self.map = map
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
