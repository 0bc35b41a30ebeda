/// The sections.
nonisolated enum Shelf: Hashable, Sendable {
  /// The strip that scrolls across.
  case favourites
  /// The regions of a continent, by its number in the atlas.
  case continent(Int)
}
