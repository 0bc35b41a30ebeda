public import CollectionLayout
public import DiffableData

/// A map from the flat indices of items before an update to those after it, in runs of items that remain adjacent.
public struct ItemIndexMap: Hashable, Sendable {
  /// A run of items that are adjacent before and after the update.
  public struct Run: Hashable, Sendable {
    /// The flat indices before the update.
    public let old: Range<Int>
    /// The flat index of the first item after the update.
    public let new: Int
  }

  /// The runs, sorted by old indices and disjoint.
  public let runs: [Run]

  /// Creates a map from runs in any order.
  ///
  /// - Precondition: No two runs share an item, neither before nor after the update.
  public init(_ mappings: some Sequence<(old: Range<Int>, new: Int)>) {
    self.runs = mappings.lazy.filter { !$0.old.isEmpty }.map { Run(old: $0.old, new: $0.new) }
      .sorted { $0.old.lowerBound < $1.old.lowerBound }
  }

  /// Creates the map of a changeset.
  ///
  /// - Parameters:
  ///   - changes: The changeset.
  ///   - old: The item counts before the update.
  ///   - new: The item counts after the update.
  /// - Complexity: O(s + c) for s sections and c changes.
  public init(_ changes: Changeset, from old: ItemCounts, to new: ItemCounts) {
    var mappings: [(old: Range<Int>, new: Int)] = []
    var changed: [Int: SectionChange] = [:]
    for change in changes.sections { changed[change.oldSection] = change }
    for section in 0..<old.numberOfSections {
      guard let target = changes.section(afterUpdateOf: section), target < new.numberOfSections else { continue }
      let items = old.items(inSection: section)
      let start = new.items(inSection: target).lowerBound
      guard let change = changed[section] else {
        mappings.append((items, start))
        continue
      }
      ItemIndexMap.appendRuns(change, items, start, to: &mappings)
    }
    // Both lists are in the order of the old items.
    var merged: [Run] = []
    merged.reserveCapacity(mappings.count + changes.itemMoves.count)
    var position = 0
    for move in changes.itemMovesByOrigin {
      guard let from = old.index(section: move.from.section, item: move.from.item),
        let to = new.index(section: move.to.section, item: move.to.item)
      else { continue }
      while position < mappings.count, mappings[position].old.lowerBound < from {
        merged.append(Run(old: mappings[position].old, new: mappings[position].new))
        position += 1
      }
      merged.append(Run(old: from..<(from + move.count), new: to))
    }
    for mapping in mappings[position...] { merged.append(Run(old: mapping.old, new: mapping.new)) }
    self.runs = merged.contains { $0.old.isEmpty } ? merged.filter { !$0.old.isEmpty } : merged
  }

  /// Appends the runs of items that stay in a section.
  ///
  /// A run ends at every deletion and every insertion.
  private static func appendRuns(
    _ change: SectionChange, _ items: Range<Int>, _ start: Int, to mappings: inout [(old: Range<Int>, new: Int)]
  ) {
    let arrivals = change.arrivals.ranges
    var arrival = 0
    // The new index of the next item that stays.
    var new = 0
    func add(_ staying: Range<Int>) {
      var old = staying.lowerBound
      while old < staying.upperBound {
        while arrival < arrivals.count, arrivals[arrival].lowerBound <= new {
          new = max(new, arrivals[arrival].upperBound)
          arrival += 1
        }
        let gap = arrival < arrivals.count ? arrivals[arrival].lowerBound - new : Int.max
        let count = min(gap, staying.upperBound - old)
        mappings.append(((items.lowerBound + old)..<(items.lowerBound + old + count), start + new))
        old += count
        new += count
      }
    }
    var old = 0
    for gone in change.departures.ranges {
      if old < gone.lowerBound { add(old..<gone.lowerBound) }
      old = gone.upperBound
    }
    if old < items.count { add(old..<items.count) }
  }

  /// Returns the new index of an item, or nil if the item was deleted.
  ///
  /// - Complexity: O(log s) for s runs.
  public func newIndex(of item: Int) -> Int? {
    let position = firstRunIndex(after: item) - 1
    guard position >= 0, runs[position].old.contains(item) else { return nil }
    return runs[position].new + item - runs[position].old.lowerBound
  }

  /// Returns the new index of an item or, if the item was deleted, of the next item that remains, otherwise of the last
  /// one.
  ///
  /// Returns nil if no item remains.
  ///
  /// - Complexity: O(log s) for s runs.
  public func newIndex(atOrAround item: Int) -> Int? {
    if let same = newIndex(of: item) { return same }
    let next = firstRunIndex(after: item)
    if next < runs.count { return runs[next].new }
    return runs.last.map { $0.new + $0.old.count - 1 }
  }

  /// Returns the new indices of a set of items, without the deleted ones.
  ///
  /// - Complexity: O(s + r log r) for s runs of the map and r runs of items. For very many runs O(s + r), and one bit
  ///   per item.
  public func mapped(_ items: IndexRuns) -> IndexRuns {
    guard let first = items.first else { return items }
    var ranges: [Range<Int>] = []
    var position = max(0, firstRunIndex(after: first) - 1)
    for range in items.ranges {
      while position < runs.count, runs[position].old.upperBound <= range.lowerBound { position += 1 }
      var next = position
      while next < runs.count, runs[next].old.lowerBound < range.upperBound {
        let common = range.clamped(to: runs[next].old)
        let new = runs[next].new + common.lowerBound - runs[next].old.lowerBound
        ranges.append(new..<(new + common.count))
        next += 1
      }
    }
    return ranges.count > ItemIndexMap.manyRuns ? IndexRuns(marking: ranges) : IndexRuns(joining: ranges)
  }

  /// The number of runs from which a bit set is used instead of sorting.
  private static let manyRuns = 4_096

  /// Returns the index of the first run that starts after an item.
  private func firstRunIndex(after item: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].old.lowerBound > item { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ItemIndexMap {
  /// The distance within which a remaining item is searched for around a deleted one.
  private static let searchDistance = 1_000

  /// Creates the map of a few items by individual queries, for updates that move too many items to map them all.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - anchors: Items that need a neighbour if they are deleted: the next item that remains, or the one before.
  ///   - count: The number of items before the update.
  ///   - newIndex: Returns the new index of an item, or nil if the item was deleted.
  /// - Complexity: One query per item, and up to 2,000 for each deleted anchor.
  public init(of items: IndexRuns, around anchors: [Int], in count: Int, newIndex: (Int) -> Int?) {
    var known: [Int: Int] = [:]
    items.forEach { item in if let new = newIndex(item) { known[item] = new } }
    for anchor in anchors where anchor >= 0 && anchor < count {
      if let (item, new) = ItemIndexMap.survivor(near: anchor, in: count, newIndex) { known[item] = new }
    }
    self.init(known.map { (old: $0.key..<($0.key + 1), new: $0.value) })
  }

  /// Returns the first item at or after an index that remains, or the last one before it, with its new index.
  private static func survivor(
    near anchor: Int, in count: Int, _ newIndex: (Int) -> Int?
  ) -> (item: Int, new: Int)? {
    for item in anchor..<min(count, anchor + searchDistance) { if let new = newIndex(item) { return (item, new) } }
    for item in (max(0, anchor - searchDistance)..<anchor).reversed() {
      if let new = newIndex(item) { return (item, new) }
    }
    return nil
  }
}
