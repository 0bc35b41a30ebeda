public import struct FoundationEssentials.IndexPath
public import VitrineCollectionLayout
public import VitrineDiffableData

/// A collection of index paths in display order that are computed on access.
///
/// A million adjacent items use as much memory as one.
public struct IndexPathRuns: RandomAccessCollection, Hashable, Sendable {
  /// The items by flat index.
  public let items: IndexRuns
  private let counts: ItemCounts

  /// Creates the index paths of items.
  ///
  /// - Parameters:
  ///   - items: The items by flat index. Items that do not exist are ignored.
  ///   - counts: The number of items in each section.
  public init(_ items: IndexRuns, in counts: ItemCounts) {
    self.items = items.intersection(IndexRuns(0..<counts.total))
    self.counts = counts
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of index paths.
  public var endIndex: Int { items.count }

  /// The index path at a position.
  ///
  /// - Complexity: O(log r + log s) for r runs and s sections.
  public subscript(position: Int) -> IndexPath {
    let index = items.index(at: position)
    let location = counts.position(of: index) ?? (section: 0, item: index)
    return IndexPath(item: location.item, section: location.section)
  }

  /// Returns whether the collection contains an index path.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ path: IndexPath) -> Bool {
    guard path.count == 2, let index = counts.index(section: path.section, item: path.item) else { return false }
    return items.contains(index)
  }
}

extension IndexPath {
  /// Creates the index path of an item in a section.
  public init(item: Int, section: Int) {
    // An index path of two indexes needs no memory of its own, and an array of them would.
    self = IndexPath(index: section).appending(item)
  }

  /// The index of the section, which is the first index.
  ///
  /// - Precondition: The path has at least one index.
  public var section: Int { self[0] }

  /// The index of the item in its section, which is the second index.
  ///
  /// - Precondition: The path has at least two indexes.
  public var item: Int { self[1] }
}
