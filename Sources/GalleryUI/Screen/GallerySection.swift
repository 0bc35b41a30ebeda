/// The sections of the grid.
nonisolated enum GallerySection: Hashable, Sendable {
  /// All photographs in the order of their names.
  case all
}
