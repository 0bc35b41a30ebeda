/// How long a group is of which an item was measured.
struct MeasuredGroup: Hashable, Sendable {
  /// The group, counted from the first of its chunk.
  var place: Int32
  /// Pixels along the flow.
  var length: Int32
  /// The pixels of all measured groups of the chunk before it.
  var before: Int32
}
