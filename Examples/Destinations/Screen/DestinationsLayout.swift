import CollectionLayout
import Geometry

/// Two columns of cells that tell their height, each row as high as its higher cell.
nonisolated enum DestinationsLayout {
  static let margin = 24.0
  static let columnSpacing = 20.0

  /// The width of a cell in a view, in points.
  static func cellWidth(in width: Double) -> Double { max(1, (width - 2 * margin - columnSpacing) / 2) }

  /// The height of a picture of three to two, in points.
  static func pictureHeight(width: Double) -> Double { (width * 2 / 3).rounded() }

  static var layout: CompositionalLayout {
    CompositionalLayout { _, environment in
      let width = cellWidth(in: environment.effectiveContentSize.width)
      let height = CollectionLayoutDimension.estimated(pictureHeight(width: width) + 94)
      let item = CollectionLayoutItem(layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: height))
      var row = CollectionLayoutGroup.horizontal(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: height), repeatingSubitem: item, count: 2)
      row.interItemSpacing = .fixed(columnSpacing)
      var section = CollectionLayoutSection(group: row)
      section.interGroupSpacing = 28
      section.contentInsets = DirectionalInsets(all: margin)
      return section
    }
  }
}
