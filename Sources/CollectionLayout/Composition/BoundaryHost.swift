/// What boundary views stand at the edges of, in pixels of the content.
struct BoundaryHost: Hashable, Sendable {
  /// Where it begins and ends along the scroll axis, its boundary views included.
  var along: Range<Int>
  /// Where it begins and ends across the scroll axis, its boundary views included.
  var across: Range<Int>
}
