internal import VitrineDataStructures

/// The tree of items of one section: parents and children, in order, and which items are expanded.
///
/// Copies are independent, and copying takes O(1). Identifiers are unique. Naming a parent or an anchor that does not
/// exist, adding an item that already exists, or naming an item twice in one call is a programming error that stops the
/// program with a message.
///
/// Nodes and identifiers are stored in chunks of 256 that copies share. The first change after a copy copies the
/// changed chunks and the list of all chunks, O(n / 256). The complexities below are expected ones and omit this cost.
/// n is the number of items, k the number of items that a call changes, d the depth of an item, and w the maximum
/// number of siblings of an item and its ancestors. Hashing an identifier counts as O(1).
public struct DiffableDataSourceSectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
  var outline = Outline<ItemID>()

  /// Creates an empty snapshot.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Appends items to the children of another item, or to the root items.
  ///
  /// The new items are collapsed.
  ///
  /// - Precondition: The parent exists. None of the items exists or is named twice.
  /// - Complexity: O(k + d log w).
  public mutating func append(_ items: [ItemID], to parent: ItemID? = nil) {
    outline.insert(items, at: .last(in: parent.map { handle(of: $0) } ?? OutlineNode.none))
  }

  /// Inserts items before another item, as its siblings.
  ///
  /// The new items are collapsed.
  ///
  /// - Precondition: The other item exists. None of the new items exists or is named twice.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ items: [ItemID], before anchor: ItemID) {
    outline.insert(items, at: .before(handle(of: anchor)))
  }

  /// Inserts items after another item and its descendants, as its siblings.
  ///
  /// The new items are collapsed.
  ///
  /// - Precondition: The other item exists. None of the new items exists or is named twice.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ items: [ItemID], after anchor: ItemID) {
    outline.insert(items, at: .after(handle(of: anchor)))
  }

  /// Deletes items with their descendants.
  ///
  /// Items that do not exist are ignored.
  ///
  /// - Complexity: O(k + r d log w) for r named items, where k includes their descendants.
  public mutating func delete(_ items: [ItemID]) {
    for item in items {
      if let handle = outline.handle(of: item) { outline.remove(handle) }
    }
  }

  /// Deletes all items.
  ///
  /// - Complexity: O(1), or O(n) for items that no copy shares.
  public mutating func deleteAll() { outline = Outline() }

  func handle(of item: ItemID) -> OutlineNode.Handle {
    guard let handle = outline.handle(of: item) else {
      failPrecondition("There is no item \(item) in the section snapshot.")
    }
    return handle
  }
}

extension DiffableDataSourceSectionSnapshot {
  /// Replaces the children of an item by the items of another snapshot.
  ///
  /// The item stays expanded or collapsed.
  ///
  /// - Precondition: The item exists. No item of the other snapshot exists in this one, except those that are replaced.
  /// - Complexity: O(k + d log w), where k counts the removed and the added items.
  public mutating func replace(childrenOf parent: ItemID, using snapshot: DiffableDataSourceSectionSnapshot) {
    let parent = handle(of: parent)
    outline.removeChildren(of: parent)
    outline.insert(OutlineWalk(through: snapshot.outline), at: .last(in: parent))
  }

  /// Inserts the items of another snapshot before an item.
  ///
  /// Its root items become siblings of the item.
  ///
  /// Expanded items stay expanded.
  ///
  /// - Precondition: The item exists, and no item of the other snapshot does.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ snapshot: DiffableDataSourceSectionSnapshot, before anchor: ItemID) {
    outline.insert(OutlineWalk(through: snapshot.outline), at: .before(handle(of: anchor)))
  }

  /// Inserts the items of another snapshot after an item and its descendants.
  ///
  /// Its root items become siblings of the item.
  ///
  /// Expanded items stay expanded.
  ///
  /// - Precondition: The item exists, and no item of the other snapshot does.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ snapshot: DiffableDataSourceSectionSnapshot, after anchor: ItemID) {
    outline.insert(OutlineWalk(through: snapshot.outline), at: .after(handle(of: anchor)))
  }

  /// Appends the items of another snapshot to the children of an item, or to the root items.
  ///
  /// Expanded items stay expanded.
  ///
  /// - Precondition: The parent exists, and no item of the other snapshot does.
  /// - Complexity: O(k + d log w).
  public mutating func append(_ snapshot: DiffableDataSourceSectionSnapshot, to parent: ItemID? = nil) {
    let parent = parent.map { handle(of: $0) } ?? OutlineNode.none
    outline.insert(OutlineWalk(through: snapshot.outline), at: .last(in: parent))
  }

  /// Returns the subtree of an item as a snapshot, including which items are expanded.
  ///
  /// - Parameters:
  ///   - parent: The item.
  ///   - includingParent: Whether the item is included as the root. Default: false.
  /// - Precondition: The item exists.
  /// - Complexity: O(k).
  public func snapshot(of parent: ItemID, includingParent: Bool = false) -> DiffableDataSourceSectionSnapshot {
    let parent = handle(of: parent)
    var part = DiffableDataSourceSectionSnapshot()
    if includingParent {
      part.outline.insert(OutlineWalk(of: parent, in: outline), at: .last(in: OutlineNode.none))
    } else {
      part.outline.insert(OutlineWalk(below: parent, in: outline), at: .last(in: OutlineNode.none))
    }
    return part
  }
}

extension DiffableDataSourceSnapshot {
  /// Replaces the items of a section by the visible items of its tree.
  ///
  /// A section that does not exist is appended.
  ///
  /// The common start and end of both lists are not changed. An item in another section is moved.
  ///
  /// - Complexity: O(v + k log n + n / 512) for v visible items, k of which are not in the common start and end, and
  ///   O(c) for the c previous items of the section.
  public mutating func showVisibleItems(
    of outline: DiffableDataSourceSectionSnapshot<ItemID>, inSection section: SectionID
  ) {
    if indexOfSection(section) == nil { appendSections([section]) }
    let last = itemIdentifiers(inSection: section)
    let next = outline.visibleItems
    let shorter = min(last.count, next.count)
    let prefix = (0..<shorter).first { last[$0] != next[$0] } ?? shorter
    let rest = shorter - prefix
    let suffix = (0..<rest).first { last[last.count - 1 - $0] != next[next.count - 1 - $0] } ?? rest

    let coming = Array(next[prefix..<(next.count - suffix)])
    let isComing = Set(coming)
    let going = last[prefix..<(last.count - suffix)].filter { !isComing.contains($0) }
    if !going.isEmpty { deleteItems(going) }
    guard !coming.isEmpty else { return }
    if prefix > 0 {
      insertItems(coming, afterItem: next[prefix - 1])
    } else if suffix > 0 {
      insertItems(coming, beforeItem: next[next.count - suffix])
    } else {
      appendItems(coming, toSection: section)
    }
  }
}
