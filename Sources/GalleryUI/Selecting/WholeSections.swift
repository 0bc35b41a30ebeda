import CollectionEngine
import DiffableData

extension IndexRuns {
  /// All items of the sections in which some of these stand.
  ///
  /// - Parameter counts: how many items each section has.
  /// - Complexity: O(s log r) for s sections and r runs.
  nonisolated func expandedToWholeSections(counts: [Int]) -> IndexRuns {
    var whole = IndexRuns()
    var (start, before) = (0, 0)
    for count in counts {
      let upTo = self.count(below: start + count)
      if upTo > before { whole.append(contentsOf: start..<(start + count)) }
      (start, before) = (start + count, upTo)
    }
    return whole
  }
}
