import DiffableData
import PhotoLibrary

/// What was arranged beside the frames.
nonisolated struct ArrangedLibrary: Sendable {
  /// What is to be shown.
  var snapshot: DiffableDataSourceSnapshot<GallerySection, PhotoID>
  /// The arrangement that goes on from there, where that is another one.
  var arrangement: LibraryArrangement?
  /// Whether all photographs stand in another order.
  var isSorted = false
}
