internal import DataStructures

/// A run of a summed list into which elements come and out of which they go: any number of them of which nothing is
/// known, or a few of which something is.
protocol SplicedRun: SummedLeaf {
  /// The most elements of a run in which something is known.
  static var most: Int { get }

  /// Whether nothing is known of its elements.
  var isBlank: Bool { get }

  /// A run of other elements of which nothing is known, to stand beside this one.
  func blank(_ number: Int) -> Self

  /// The run of some of its elements, without those around them.
  func part(_ range: Range<Int>) -> Self

  /// Takes elements in of which nothing is known.
  mutating func insert(_ number: Int, at place: Int)

  /// Takes elements out.
  mutating func remove(_ range: Range<Int>)
}

extension SummedList where Leaf: SplicedRun {
  /// Takes elements out.
  ///
  /// - Complexity: O(log n + ``SplicedRun/most``), where whole runs go also O(b) for b blocks of runs.
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

  /// Takes elements in of which nothing is known, where there are some.
  ///
  /// - Complexity: O(log n + ``SplicedRun/most``), where a run is cut also O(b) for b blocks of runs.
  mutating func insertElements(_ number: Int, at element: Int) {
    guard number > 0 else { return }
    let position = position(ofElement: element)
    let place = element - position.firstElement
    let run = self[position]
    if run.isBlank || run.count + number <= Leaf.most {
      update(leaf: position.leaf) { $0.insert(number, at: place) }
      return
    }
    // A run that is full falls in halves, so that elements that come one by one do not leave one run each.
    let halves = number <= Leaf.most / 2
    let cut = halves ? run.count / 2 : place
    var parts = [run.part(0..<cut), run.part(cut..<run.count)]
    if halves {
      if place < cut { parts[0].insert(number, at: place) } else { parts[1].insert(number, at: place - cut) }
    } else {
      parts.insert(run.blank(number), at: 1)
    }
    replaceLeaves(position.leaf..<(position.leaf + 1), with: parts.filter { $0.count > 0 })
  }

  /// Gives an element a run that is short enough for something to be known in it.
  mutating func isolate(_ element: Int) -> SummedPosition {
    let position = position(ofElement: element)
    let run = self[position]
    guard run.count > Leaf.most else { return position }
    let first = (element - position.firstElement) / Leaf.most * Leaf.most
    let end = min(run.count, first + Leaf.most)
    let parts = [first, end - first, run.count - end].filter { $0 > 0 }
    replaceLeaves(position.leaf..<(position.leaf + 1), with: parts.map { run.blank($0) })
    return self.position(ofElement: element)
  }
}
