/// The size of one item that was measured.
struct ItemSize: Hashable, Sendable {
  /// The item, counted from the first of its chunk.
  var place: Int32
  var size: MeasuredSize
}
