import DiffableData
import PhotoLibrary
import Threads

/// What layouts are told of photographs: which stand in a section, and their shapes, as of when the layout was asked last.
///
/// The window's thread writes it just before the layout is asked; a layout's closures read what it held when they were
/// made.
nonisolated final class LayoutInput: Sendable {
  /// The photographs by place and their shapes by name.
  struct Contents: Sendable {
    var snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>()
    var aspectRatios = PhotoAspectRatios()
  }

  private let facts = Lock(Contents())

  /// What is known now.
  var contents: Contents {
    get { facts.withLock { $0 } }
    set { facts.withLock { $0 = newValue } }
  }

  /// Tells the width of each picture of a section for its height, by place.
  func aspectRatios(ofSection section: Int) -> @Sendable (Int) -> Double {
    let facts = contents
    return { item in
      facts.snapshot.itemIdentifier(section: section, item: item).map { Double(facts.aspectRatios[$0]) } ?? 1
    }
  }
}
