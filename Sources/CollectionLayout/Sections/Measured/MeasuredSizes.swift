internal import DataStructures

/// The sizes that cells asked for, by the places of their items: they stay with their items while others come and go.
struct MeasuredSizes: Sendable {
  private(set) var runs: SummedList<SizeRun>

  /// Makes the sizes of items of which none was measured.
  init(of itemCount: Int) { runs = SummedList(itemCount > 0 ? [SizeRun(count: itemCount)] : []) }

  /// How many items were measured.
  var count: Int { runs.length }

  // MARK: Questions

  /// The size of an item, or nothing where it was not measured.
  ///
  /// - Complexity: O(log n).
  func size(ofItem item: Int) -> MeasuredSize? {
    let position = runs.position(ofElement: item)
    return runs[position].size(ofItem: item - position.firstElement)
  }

  /// The sizes of some items, one after the other; nothing where one was not measured, or is not there.
  ///
  /// - Complexity: O(log n + m) for m items.
  func sizes(ofItems items: Range<Int>) -> [MeasuredSize?] {
    var sizes = [MeasuredSize?](repeating: nil, count: items.count)
    guard runs.leafCount > 0 else { return sizes }
    var position = runs.position(ofElement: items.lowerBound)
    while true {
      let run = runs[position]
      let offset = position.firstElement - items.lowerBound
      for rank in run.rank(ofItem: max(0, -offset))..<run.sizes.count {
        let place = Int(run.sizes[rank].place) + offset
        guard place < items.count else { return sizes }
        sizes[place] = run.sizes[rank].size
      }
      guard position.leaf + 1 < runs.leafCount, offset + run.count < items.count else { return sizes }
      position = runs.position(ofLeaf: position.leaf + 1)
    }
  }

  /// How many items within a range were measured.
  ///
  /// - Complexity: O(log n).
  func count(in items: Range<Int>) -> Int { rank(ofItem: items.upperBound) - rank(ofItem: items.lowerBound) }

  /// The first item from a place on that was measured.
  ///
  /// - Complexity: O(log n).
  func firstItem(from item: Int) -> Int? {
    let rank = rank(ofItem: item)
    return rank < count ? self.item(ofRank: rank) : nil
  }

  /// The last item that was measured.
  ///
  /// - Complexity: O(log n).
  var lastItem: Int? { count > 0 ? item(ofRank: count - 1) : nil }

  /// Whether an item keeps its size whatever its cell asks for.
  ///
  /// - Complexity: O(log n + r) for r items beside it that changed their minds.
  func isFrozen(item: Int) -> Bool {
    let position = runs.position(ofElement: item)
    return runs[position].isFrozen(item: item - position.firstElement)
  }

  private func rank(ofItem item: Int) -> Int {
    guard runs.leafCount > 0 else { return 0 }
    let position = runs.position(ofElement: item)
    return position.start + runs[position].rank(ofItem: item - position.firstElement)
  }

  private func item(ofRank rank: Int) -> Int {
    let position = runs.position(atOffset: rank)
    return position.firstElement + Int(runs[position].sizes[rank - position.start].place)
  }

  // MARK: Changes

  /// Takes the size of an item.
  ///
  /// - Complexity: O(log n + ``SizeRun/most``).
  mutating func record(_ size: MeasuredSize, ofItem item: Int, epoch: UInt32) -> SizeRun.Outcome {
    let position = runs.isolate(item)
    return runs.update(leaf: position.leaf) { $0.record(size, ofItem: item - position.firstElement, epoch: epoch) }
  }

  /// Takes in which items came and went.
  ///
  /// - Complexity: O(k (log n + ``SizeRun/most``)) for k edits; where runs are cut or joined also O(b) for b blocks.
  mutating func splice(_ edits: SectionEdits) {
    for range in edits.removals.reversed() where !range.isEmpty {
      runs.removeElements(range)
      join(around: range.lowerBound)
    }
    for range in edits.insertions where !range.isEmpty {
      if runs.leafCount == 0 {
        runs.replaceLeaves(0..<0, with: [SizeRun(count: range.count)])
      } else {
        runs.insertElements(range.count, at: range.lowerBound)
      }
    }
  }

  /// Makes one run of short neighbours.
  private mutating func join(around item: Int) {
    guard runs.leafCount > 1 else { return }
    let leaf = runs.position(ofElement: item).leaf
    for left in [leaf - 1, leaf] where left >= 0 && left + 1 < runs.leafCount {
      var joined = runs[leaf: left]
      let other = runs[leaf: left + 1]
      guard joined.isBlank && other.isBlank || joined.count + other.count <= SizeRun.most / 2 else { continue }
      joined.append(other)
      runs.replaceLeaves(left..<(left + 2), with: [joined])
      return
    }
  }
}
