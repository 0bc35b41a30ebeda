/// Neighbouring items of one chunk that came to stand where they are.
struct PlacedRun: Hashable, Sendable {
  /// The chunk's position in its section.
  var chunk: Int
  /// The items' slots in the chunk.
  var slots: Range<Int>
}
