/// The place of one cell in a group.
struct GroupSlot: Hashable, Sendable {
  /// From the group's corner.
  var frame: PixelFrame
  var zIndex: Int
  /// Whether the cell is asked how wide it wants to be.
  var asksForWidth: Bool
  /// Whether the cell is asked how high it wants to be.
  var asksForHeight: Bool
}
