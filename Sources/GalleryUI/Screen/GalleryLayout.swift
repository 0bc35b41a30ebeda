import CollectionLayout
import Geometry

/// The grid's measures as a layout.
enum GalleryLayout {
  /// A grid of so many columns, or of as many as fit.
  static func grid(columns: Int?) -> any CollectionLayout {
    GridLayout()
  }
}
