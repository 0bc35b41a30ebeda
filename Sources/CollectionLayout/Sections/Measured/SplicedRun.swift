internal import VitrineDataStructures

/// A run of a summed list that supports inserting and removing elements.
///
/// It contains any number of elements without data, or a limited number of elements of which some have data.
protocol SplicedRun: SummedLeaf {
  /// The maximum number of elements of a run with data.
  static var maximumCount: Int { get }

  /// Whether the run has no data.
  var isBlank: Bool { get }

  /// Returns a run of other elements without data, as a neighbor of this run.
  func blank(_ number: Int) -> Self

  /// Returns a run with a range of the elements.
  func part(_ range: Range<Int>) -> Self

  /// Inserts elements without data.
  mutating func insert(_ number: Int, at index: Int)

  /// Removes elements.
  mutating func remove(_ range: Range<Int>)
}

extension SummedList where Leaf: SplicedRun {
  /// Removes elements.
  ///
  /// - Complexity: O(log n + ``SplicedRun/maximumCount``), plus O(b) for b blocks of runs if whole runs are removed.
  mutating func removeElements(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = position(ofElement: range.lowerBound)
    let last = position(ofElement: range.upperBound - 1)
    let start = range.lowerBound - first.firstElement
    let end = range.upperBound - last.firstElement
    if first.leaf == last.leaf, range.count < self[first].count {
      update(leaf: first.leaf) { $0.remove(start..<end) }
      return
    }
    let parts = [self[first].part(0..<start), self[last].part(end..<self[last].count)].filter { $0.count > 0 }
    replaceLeaves(first.leaf..<(last.leaf + 1), with: parts)
  }

  /// Inserts elements without data.
  ///
  /// - Complexity: O(log n + ``SplicedRun/maximumCount``), plus O(b) for b blocks of runs if a run is split.
  mutating func insertElements(_ number: Int, at element: Int) {
    guard number > 0 else { return }
    let position = position(ofElement: element)
    let index = element - position.firstElement
    let run = self[position]
    if run.isBlank || run.count + number <= Leaf.maximumCount {
      update(leaf: position.leaf) { $0.insert(number, at: index) }
      return
    }
    // Split a full run in half, so that inserting elements one by one does not create one run for each.
    let splitsInHalf = number <= Leaf.maximumCount / 2
    let cut = splitsInHalf ? run.count / 2 : index
    var parts = [run.part(0..<cut), run.part(cut..<run.count)]
    if splitsInHalf {
      if index < cut { parts[0].insert(number, at: index) } else { parts[1].insert(number, at: index - cut) }
    } else {
      parts.insert(run.blank(number), at: 1)
    }
    replaceLeaves(position.leaf..<(position.leaf + 1), with: parts.filter { $0.count > 0 })
  }

  /// Splits the run of an element so that it is short enough to contain data.
  mutating func isolate(_ element: Int) -> SummedPosition {
    let position = position(ofElement: element)
    let run = self[position]
    guard run.count > Leaf.maximumCount else { return position }
    let first = (element - position.firstElement) / Leaf.maximumCount * Leaf.maximumCount
    let end = min(run.count, first + Leaf.maximumCount)
    let parts = [first, end - first, run.count - end].filter { $0 > 0 }
    replaceLeaves(position.leaf..<(position.leaf + 1), with: parts.map { run.blank($0) })
    return self.position(ofElement: element)
  }
}
