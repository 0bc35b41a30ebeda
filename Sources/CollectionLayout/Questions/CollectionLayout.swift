/// The rules by which items are placed; solved for a room and a number of items, they answer where each one is.
///
/// A value without memory: the same rules, room and counts give the same places.
public protocol CollectionLayout: Sendable {
  /// What answers where each item is.
  associatedtype Solution: SolvedLayout

  /// Solves the rules for a room and a number of items.
  ///
  /// Nothing is stored for each item: a solution for ten million takes no longer than one for ten.
  func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> Solution
}
