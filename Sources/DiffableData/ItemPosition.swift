/// The place of an item in a snapshot: which section, and which item of it, both counted from 0.
public struct ItemPosition: Hashable, Comparable, Sendable {
  /// The section's index.
  public var section: Int
  /// The item's index in its section.
  public var item: Int

  /// Makes a place from its indexes.
  ///
  /// - Complexity: O(1).
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// The order of display.
  ///
  /// - Complexity: O(1).
  public static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
