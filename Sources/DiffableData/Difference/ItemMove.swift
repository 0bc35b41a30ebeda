/// Neighbouring items that go together to where they are neighbours again.
///
/// They were in another section, or not in the same order among the items that stay.
public struct ItemMove: Hashable, Sendable {
  // A shuffle of a million items has as many moves: half the width is half the time to write them.
  private let fromSection: Int32
  private let fromItem: Int32
  private let toSection: Int32
  private let toItem: Int32
  private let length: Int32

  /// Makes a move from the places of its first item; no section holds as many as 2^31 items.
  ///
  /// - Complexity: O(1).
  public init(from: ItemPosition, to: ItemPosition, count: Int = 1) {
    fromSection = Int32(truncatingIfNeeded: from.section)
    fromItem = Int32(truncatingIfNeeded: from.item)
    toSection = Int32(truncatingIfNeeded: to.section)
    toItem = Int32(truncatingIfNeeded: to.item)
    length = Int32(truncatingIfNeeded: count)
  }

  /// The place of the first item in the old snapshot.
  ///
  /// - Complexity: O(1).
  public var from: ItemPosition { ItemPosition(section: Int(fromSection), item: Int(fromItem)) }

  /// The place of the first item in the new snapshot.
  ///
  /// - Complexity: O(1).
  public var to: ItemPosition { ItemPosition(section: Int(toSection), item: Int(toItem)) }

  /// How many items go.
  ///
  /// - Complexity: O(1).
  public var count: Int { Int(length) }

  /// The new place of an item by its old one, or nothing when it is not among them.
  func destination(of old: ItemPosition) -> ItemPosition? {
    guard old.section == from.section, old.item >= from.item, old.item < from.item + count else { return nil }
    return ItemPosition(section: to.section, item: to.item + old.item - from.item)
  }
}
