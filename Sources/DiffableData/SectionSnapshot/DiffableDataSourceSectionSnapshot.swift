internal import DataStructures

/// The tree of items of one section: which item is a child of which, in order, and which items are expanded.
///
/// A value: copies are independent, and copying takes O(1). Every identifier is there at most once. Naming a parent or an
/// anchor that is not there, the same identifier twice in one call, or one to be added that is there already, is a
/// mistake of the caller and stops the program with a sentence that names it.
///
/// Nodes and identifiers are kept in pieces of 256 that copies share. The first change after a copy copies, beside the
/// pieces it changes, the list of them, O(n / 256). The complexities below leave that out and say what is expected; n
/// counts the items, k those that a call touches, d is the depth of an item and w the most siblings on its way up, itself
/// included. Hashing an identifier counts as O(1).
public struct DiffableDataSourceSectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
  var outline = Outline<ItemID>()

  /// Makes an empty snapshot.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Adds items as the last children of another, or as the last of those without a parent; none is expanded.
  ///
  /// - Precondition: The parent is there; of the items none is, nor named twice.
  /// - Complexity: O(k + d log w).
  public mutating func append(_ items: [ItemID], to parent: ItemID? = nil) {
    outline.insert(items, at: .last(in: parent.map { handle(of: $0) } ?? OutlineNode.none))
  }

  /// Adds items before another, as its siblings; none is expanded.
  ///
  /// - Precondition: The other item is there; of the items none is, nor named twice.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ items: [ItemID], before anchor: ItemID) {
    outline.insert(items, at: .before(handle(of: anchor)))
  }

  /// Adds items after another and everything below it, as its siblings; none is expanded.
  ///
  /// - Precondition: The other item is there; of the items none is, nor named twice.
  /// - Complexity: O(k + d log w).
  public mutating func insert(_ items: [ItemID], after anchor: ItemID) {
    outline.insert(items, at: .after(handle(of: anchor)))
  }

  /// Removes items and everything below them; unknown ones are ignored.
  ///
  /// - Complexity: O(k + r d log w) for r named items, and k with all that is below them.
  public mutating func delete(_ items: [ItemID]) {
    for item in items {
      if let handle = outline.handle(of: item) { outline.remove(handle) }
    }
  }

  /// Removes every item.
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
