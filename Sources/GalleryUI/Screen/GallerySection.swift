/// The sections of the grid.
enum GallerySection: Hashable, Sendable {
  /// All photographs in the order of their names.
  case all
}
