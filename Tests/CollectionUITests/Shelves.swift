import CollectionLayout
import Geometry

/// Layouts whose first section scrolls across, above rows.
enum Shelves {
  static func section(
    _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension
  ) -> CollectionLayoutSection {
    let size = CollectionLayoutSize(width: width, height: height)
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    return CollectionLayoutSection(
      group: .horizontal(layoutSize: size, repeatingSubitem: item, count: 1))
  }

  /// Pages of half the width and 100 points high, above rows of 40 points.
  static func layout(_ behavior: OrthogonalScrollingBehavior) -> CompositionalLayout {
    var shelf = section(.fractionalWidth(0.5), .absolute(100))
    shelf.orthogonalScrollingBehavior = behavior
    let rows = section(.fractionalWidth(1), .absolute(40))
    let strip = shelf
    return CompositionalLayout { section, _ in section == 0 ? strip : rows }
  }
}
