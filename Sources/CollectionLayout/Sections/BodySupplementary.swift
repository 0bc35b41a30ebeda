/// A view that belongs to an item or a group of a section's body.
struct BodySupplementary: Hashable, Sendable {
  /// The name of its kind.
  var kind: String
  /// The item that it belongs to; the first of a group.
  var item: Int
  /// Where it is, like the frames of items.
  var frame: PixelFrame
  var zIndex: Int
}
