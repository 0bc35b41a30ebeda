internal import VitrineDataStructures

/// The sizes that cells prefer, by item; sizes stay with their items when others are inserted or removed.
struct MeasuredSizes: Sendable {
  private(set) var runs: SummedList<SizeRun>

  /// Creates the sizes of items of which none was measured.
  init(of itemCount: Int) { runs = SummedList(itemCount > 0 ? [SizeRun(count: itemCount)] : []) }

  /// The number of measured items.
  var count: Int { runs.length }

  // MARK: - Queries

  /// Returns the size of an item, or nil if it was not measured.
  ///
  /// - Complexity: O(log n).
  func size(ofItem item: Int) -> MeasuredSize? {
    let position = runs.position(ofElement: item)
    return runs[position].size(ofItem: item - position.firstElement)
  }

  /// Returns the sizes of a range of items, with nil for items that were not measured or do not exist.
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
        let place = Int(run.sizes[rank].index) + offset
        guard place < items.count else { return sizes }
        sizes[place] = run.sizes[rank].size
      }
      guard position.leaf + 1 < runs.leafCount, offset + run.count < items.count else { return sizes }
      position = runs.position(ofLeaf: position.leaf + 1)
    }
  }

  /// Returns the number of measured items in a range.
  ///
  /// - Complexity: O(log n).
  func count(in items: Range<Int>) -> Int { rank(ofItem: items.upperBound) - rank(ofItem: items.lowerBound) }

  /// Returns the first measured item at or after an index.
  ///
  /// - Complexity: O(log n).
  func firstItem(from item: Int) -> Int? {
    let rank = rank(ofItem: item)
    return rank < count ? self.item(ofRank: rank) : nil
  }

  /// The last measured item.
  ///
  /// - Complexity: O(log n).
  var lastItem: Int? { count > 0 ? item(ofRank: count - 1) : nil }

  /// Returns whether the size of an item is fixed.
  ///
  /// - Complexity: O(log n + r) for r items in the same run whose size changed.
  func isFrozen(item: Int) -> Bool {
    let position = runs.position(ofElement: item)
    return runs[position].isFrozen(item: item - position.firstElement)
  }

  /// Calls a closure with each measured item and its size, in ascending order.
  ///
  /// - Complexity: O(m + r) for m measured items in r runs.
  func forEach(_ body: (Int, MeasuredSize) -> Void) {
    guard count > 0 else { return }
    for leaf in 0..<runs.leafCount where !runs[leaf: leaf].isBlank {
      let position = runs.position(ofLeaf: leaf)
      for item in runs[position].sizes { body(position.firstElement + Int(item.index), item.size) }
    }
  }

  private func rank(ofItem item: Int) -> Int {
    guard runs.leafCount > 0 else { return 0 }
    let position = runs.position(ofElement: item)
    return position.start + runs[position].rank(ofItem: item - position.firstElement)
  }

  private func item(ofRank rank: Int) -> Int {
    let position = runs.position(atOffset: rank)
    return position.firstElement + Int(runs[position].sizes[rank - position.start].index)
  }

  // MARK: - Changes

  /// Records the size of an item.
  ///
  /// - Complexity: O(log n + ``SizeRun/maximumCount``).
  mutating func record(_ size: MeasuredSize, ofItem item: Int, burst: UInt32) -> SizeRun.Outcome {
    let position = runs.isolate(item)
    return runs.update(leaf: position.leaf) { $0.record(size, ofItem: item - position.firstElement, burst: burst) }
  }

  /// Permits the size of an item to change again.
  ///
  /// - Complexity: O(log n + r) for r items in the same run whose size changed.
  mutating func unfreeze(item: Int) {
    guard isFrozen(item: item) else { return }
    let position = runs.position(ofElement: item)
    runs.update(leaf: position.leaf) { $0.unfreeze(item: item - position.firstElement) }
  }

  /// Applies insertions and removals of items.
  ///
  /// - Complexity: O(k (log n + ``SizeRun/maximumCount``)) for k edits, plus O(b) for b blocks where runs are split or
  ///   joined.
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

  /// Joins a run with short neighbors.
  private mutating func join(around item: Int) {
    guard runs.leafCount > 1 else { return }
    let leaf = runs.position(ofElement: item).leaf
    for left in [leaf - 1, leaf] where left >= 0 && left + 1 < runs.leafCount {
      var joined = runs[leaf: left]
      let other = runs[leaf: left + 1]
      guard joined.isBlank && other.isBlank || joined.count + other.count <= SizeRun.maximumCount / 2 else { continue }
      joined.append(other)
      runs.replaceLeaves(left..<(left + 2), with: [joined])
      return
    }
  }
}

/// The layout of the unmeasured groups of a chunk.
struct MeasuredTemplate: Hashable, Sendable {
  /// The estimated length of the group, in pixels.
  let expectedLength: Int
  /// The layout of the group with that length.
  let slots: MeasuredSlots
  /// The space between groups, in pixels.
  let spacing: Int
  /// The sizes with which the group was laid out; empty if the estimates of the rules apply.
  var sizes: [MeasuredSize] = []

  /// Returns the size with which a slot was laid out, or nil if the estimate of the rules applies.
  func size(ofSlot slot: Int) -> MeasuredSize? { sizes.isEmpty ? nil : sizes[slot] }

  /// Returns the size of a slot in the layout.
  func placedSize(ofSlot slot: Int) -> MeasuredSize {
    MeasuredSize(width: slots.frames[slot].width, height: slots.frames[slot].height)
  }

  /// The distance between the starts of two such groups.
  var pitch: Int { slots.length + spacing }
}
