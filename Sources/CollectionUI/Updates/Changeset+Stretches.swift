import CollectionEngine
import CollectionLayout
import DiffableData

extension Changeset {
  /// Whether it numbers items anew in so many stretches that all of them are too many for a frame.
  ///
  /// - Complexity: O(changed sections).
  var hasManyRuns: Bool {
    sections.reduce(itemMoves.count) { $0 + $1.deletes.ranges.count + $1.inserts.ranges.count } > 20_000
  }

  /// What is selected after it where all items were before: all but those that are new; nothing where that takes a look at
  /// more than a frame has time for.
  ///
  /// - Parameter counts: how many items each section has after it.
  /// - Complexity: O(changed sections, and runs of new items).
  func allExceptInserted(in counts: ItemCounts) -> IndexRuns? {
    // New items of a new section are not listed apart.
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
