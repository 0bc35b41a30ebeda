public import CollectionLayout
public import DiffableData

/// Which numbers items have after an update, in stretches of items that stay neighbours.
public struct ItemIndexMap: Hashable, Sendable {
  /// Neighbours that are neighbours afterwards.
  public struct Run: Hashable, Sendable {
    /// Their flat indices before.
    public let old: Range<Int>
    /// The first one's flat index afterwards.
    public let new: Int
  }

  /// Ascending by their places before, apart.
  public let runs: [Run]

  /// Makes a renumbering from stretches in any order.
  ///
  /// - Precondition: no two share an item, before or afterwards.
  public init(_ stretches: some Sequence<(old: Range<Int>, new: Int)>) {
    self.runs = stretches.lazy.filter { !$0.old.isEmpty }.map { Run(old: $0.old, new: $0.new) }
      .sorted { $0.old.lowerBound < $1.old.lowerBound }
  }

  /// Makes the renumbering of a difference.
  ///
  /// - Parameters:
  ///   - changes: the difference.
  ///   - old: how many items each section had.
  ///   - new: how many it has.
  /// - Complexity: O(s + c) for s sections and c changes.
  public init(_ changes: Changeset, from old: ItemCounts, to new: ItemCounts) {
    var stretches: [(old: Range<Int>, new: Int)] = []
    var changed: [Int: SectionChange] = [:]
    for change in changes.sections { changed[change.oldSection] = change }
    for section in 0..<old.numberOfSections {
      guard let target = changes.section(afterUpdateOf: section), target < new.numberOfSections else { continue }
      let items = old.items(inSection: section)
      let start = new.items(inSection: target).lowerBound
      guard let change = changed[section] else {
        stretches.append((items, start))
        continue
      }
      ItemIndexMap.appendRuns(change, items, start, to: &stretches)
    }
    // Both come in the order of the old items.
    var merged: [Run] = []
    merged.reserveCapacity(stretches.count + changes.itemMoves.count)
    var place = 0
    for move in changes.itemMovesByOrigin {
      guard let from = old.index(section: move.from.section, item: move.from.item),
        let to = new.index(section: move.to.section, item: move.to.item)
      else { continue }
      while place < stretches.count, stretches[place].old.lowerBound < from {
        merged.append(Run(old: stretches[place].old, new: stretches[place].new))
        place += 1
      }
      merged.append(Run(old: from..<(from + move.count), new: to))
    }
    for stretch in stretches[place...] { merged.append(Run(old: stretch.old, new: stretch.new)) }
    self.runs = merged.contains { $0.old.isEmpty } ? merged.filter { !$0.old.isEmpty } : merged
  }

  /// What stays in a section: between two that go, as far as nothing comes between them.
  private static func appendRuns(
    _ change: SectionChange, _ items: Range<Int>, _ start: Int, to stretches: inout [(old: Range<Int>, new: Int)]
  ) {
    let arrivals = change.arrivals.ranges
    var arrival = 0
    // Where the next item that stays comes to stand.
    var new = 0
    func add(_ staying: Range<Int>) {
      var old = staying.lowerBound
      while old < staying.upperBound {
        while arrival < arrivals.count, arrivals[arrival].lowerBound <= new {
          new = max(new, arrivals[arrival].upperBound)
          arrival += 1
        }
        let room = arrival < arrivals.count ? arrivals[arrival].lowerBound - new : Int.max
        let count = min(room, staying.upperBound - old)
        stretches.append(((items.lowerBound + old)..<(items.lowerBound + old + count), start + new))
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

  /// The new number of an item, or nothing when it is gone.
  ///
  /// - Complexity: O(log s) for s stretches.
  public func newIndex(of item: Int) -> Int? {
    let place = firstRunIndex(after: item) - 1
    guard place >= 0, runs[place].old.contains(item) else { return nil }
    return runs[place].new + item - runs[place].old.lowerBound
  }

  /// The new number of an item; where it is gone, that of the next one that stays, or else of the one before.
  ///
  /// - Complexity: O(log s) for s stretches.
  public func newIndex(atOrAround item: Int) -> Int? {
    if let same = newIndex(of: item) { return same }
    let next = firstRunIndex(after: item)
    if next < runs.count { return runs[next].new }
    return runs.last.map { $0.new + $0.old.count - 1 }
  }

  /// The new numbers of items; those that are gone have none.
  ///
  /// - Complexity: O(s + r log r) for s stretches and r runs; of very many, O(s + r) and a bit for each item.
  public func mapped(_ items: IndexRuns) -> IndexRuns {
    guard let first = items.first else { return items }
    var ranges: [Range<Int>] = []
    var place = max(0, firstRunIndex(after: first) - 1)
    for range in items.ranges {
      while place < runs.count, runs[place].old.upperBound <= range.lowerBound { place += 1 }
      var next = place
      while next < runs.count, runs[next].old.lowerBound < range.upperBound {
        let common = range.clamped(to: runs[next].old)
        let new = runs[next].new + common.lowerBound - runs[next].old.lowerBound
        ranges.append(new..<(new + common.count))
        next += 1
      }
    }
    return ranges.count > ItemIndexMap.manyRuns ? IndexRuns(marking: ranges) : IndexRuns(joining: ranges)
  }

  /// More runs than these are not sorted.
  private static let manyRuns = 4_096

  /// The first stretch that begins behind an item.
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
