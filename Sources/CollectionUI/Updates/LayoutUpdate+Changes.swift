import CollectionLayout
import DiffableData

nonisolated extension LayoutUpdate {
  /// A snapshot's difference as a layout takes it in; nothing where so many items move that solving anew is less work.
  ///
  /// - Complexity: O(changes), and O(s) where sections come, go or move.
  init?(_ changes: Changeset, formerSectionCount: Int, counts: ItemCounts) {
    guard !changes.isStructuralShuffle else { return nil }
    var former: [Int?]?
    if !(changes.sectionDeletes.isEmpty && changes.sectionInserts.isEmpty && changes.sectionMoves.isEmpty) {
      var sections = [Int?](repeating: nil, count: counts.numberOfSections)
      for old in 0..<formerSectionCount { if let new = changes.section(afterUpdateOf: old) { sections[new] = old } }
      former = sections
    }
    self.init(
      counts: counts, formerSections: former,
      edits: changes.sections.map { change in
        SectionEdits(
          section: change.newSection, removals: change.departures.ranges, insertions: change.arrivals.ranges)
      })
  }

  /// An update in which items stay what and where they are, and what the layout knows of some of them is different.
  ///
  /// - Parameter places: section and place there, ascending; what is named twice counts once.
  init(changing places: [(section: Int, item: Int)], counts: ItemCounts) {
    var edits: [SectionEdits] = []
    for (section, item) in places {
      if edits.last?.section != section { edits.append(SectionEdits(section: section)) }
      let last = edits.count - 1
      if let run = edits[last].changes.last, run.upperBound >= item {
        edits[last].changes[edits[last].changes.count - 1] = run.lowerBound..<max(run.upperBound, item + 1)
      } else {
        edits[last].changes.append(item..<(item + 1))
      }
    }
    self.init(counts: counts, edits: edits)
  }
}
