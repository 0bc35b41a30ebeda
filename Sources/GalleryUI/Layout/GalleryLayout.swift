import CollectionLayout
import Geometry

/// The grid's measures as a layout.
enum GalleryLayout {
  /// A grid of so many columns, or of as many as fit.
  ///
  /// Columns are equal and gaps take the odd pixels, so that one size of picture fits every cell.
  static func grid(columns: Int?) -> GridLayout {
    GridLayout(
      columns: columns.map { GridLayout.Columns.count($0) } ?? .minimumWidth(Metrics.minimumCellWidth),
      columnSpacing: Metrics.spacing, rowSpacing: Metrics.spacing,
      sectionInsets: Insets(
        top: Metrics.margin, left: Metrics.margin, bottom: Metrics.margin, right: Metrics.margin),
      heightRatio: Metrics.cellAspect, captionHeight: Metrics.captionHeight, remainder: .gaps)
  }
}
