/// What boundary views stand at the edges of, in pixels of the content.
struct BoundaryHost: Hashable, Sendable {
  /// Where it begins and ends along the scroll axis, its boundary views included.
  var along: Range<Int>
  /// Where its items begin and end along the scroll axis: what stands beside them is no longer.
  var items: Range<Int>
  /// Where it begins and ends across the scroll axis, its boundary views included.
  var across: Range<Int>
}
