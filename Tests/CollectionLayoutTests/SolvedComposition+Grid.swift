@testable import CollectionLayout
import Geometry

/// What a grid's only kind of body knows.
extension SolvedComposition {
  private var grid: GridBody? { sections.lazy.compactMap { $0.body as? GridBody }.first }

  /// The number of columns, at least 1 where there is a section.
  var columnCount: Int { grid?.lanes.count ?? 0 }

  /// The size of the widest item in points.
  var largestItemSize: Size {
    let widths = (0..<columnCount).compactMap { grid?.lanes.edges(of: $0) }.map { $0.right - $0.left }
    return Size(
      width: Double(widths.max() ?? 0) / environment.scale.pixelsPerPoint,
      height: Double(grid?.itemLength ?? 0) / environment.scale.pixelsPerPoint)
  }

  /// The distance from the top of a row to that of the next in points.
  var rowLength: Double { Double(grid?.pitch ?? 0) / environment.scale.pixelsPerPoint }
}
