public import CollectionLayout
public import DiffableData
public import struct FoundationEssentials.IndexPath

/// The paths of items in display order, made as they are asked for: a million neighbours take no more room than one.
public struct IndexPathRuns: RandomAccessCollection, Hashable, Sendable {
  /// The items by flat index.
  public let items: IndexRuns
  private let counts: ItemCounts

  /// Makes the paths of items.
  ///
  /// - Parameters:
  ///   - items: the items by flat index; those that are not there are left out.
  ///   - counts: how many items each section has.
  public init(_ items: IndexRuns, in counts: ItemCounts) {
    self.items = items.intersection(IndexRuns(0..<counts.total))
    self.counts = counts
  }

  /// Always zero.
  public var startIndex: Int { 0 }
  /// How many there are.
  public var endIndex: Int { items.count }

  /// The path of an item.
  ///
  /// - Complexity: O(log r + log s) for r runs and s sections.
  public subscript(position: Int) -> IndexPath {
    let index = items.index(at: position)
    let place = counts.position(of: index) ?? (section: 0, item: index)
    return IndexPath(item: place.item, section: place.section)
  }

  /// Whether an item is among them.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ path: IndexPath) -> Bool {
    guard path.count == 2, let index = counts.index(section: path.section, item: path.item) else { return false }
    return items.contains(index)
  }
}
