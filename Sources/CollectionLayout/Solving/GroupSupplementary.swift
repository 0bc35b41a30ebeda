/// A view that belongs to an item of a group, to a group within it or to the whole group.
struct GroupSupplementary: Hashable, Sendable {
  /// The name of its kind.
  var kind: String
  /// The places of what it belongs to: one, or those of a group.
  var slots: Range<Int>
  /// Which one of its kind it is among those whose first place is the same.
  var ordinal: Int
  /// From the group's corner; it may reach out of the group.
  var frame: PixelFrame
  var zIndex: Int
}
