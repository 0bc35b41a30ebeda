import DiffableData
import PhotoLibrary
import Threads

/// What layouts are told of photographs: which stand in a section, and their shapes, as of when the layout was asked last.
///
/// The window's thread writes it just before the layout is asked; a layout's closures read what it held when they were
/// made.
nonisolated final class LayoutFacts: Sendable {
  /// The photographs by place and their shapes by name.
  struct Facts: Sendable {
    var snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>()
    var shapes = PhotoShapes()
  }

  private let facts = Lock(Facts())

  /// What is known now.
  var now: Facts {
    get { facts.withLock { $0 } }
    set { facts.withLock { $0 = newValue } }
  }

  /// Tells the width of each picture of a section for its height, by place.
  func shapes(ofSection section: Int) -> @Sendable (Int) -> Double {
    let facts = now
    return { item in
      facts.snapshot.itemIdentifier(section: section, item: item).map { Double(facts.shapes[$0]) } ?? 1
    }
  }
}
