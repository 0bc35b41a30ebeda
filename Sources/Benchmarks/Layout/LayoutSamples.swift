import BenchmarkSupport
import CollectionLayout
import DataStructures
import Geometry

/// The layouts that are measured, as a gallery would set them up: about sixty items on a screen.
enum LayoutSamples {
  static let environment = LayoutEnvironment(containerSize: Size(width: 1_280, height: 800))

  static func layout(_ kind: LayoutKind) -> any CollectionLayout {
    switch kind {
    case .grid: GridLayout(columns: .count(9), columnSpacing: 8, rowSpacing: 8)
    case .groups: CompositionalLayout(section: groups)
    case .mosaic: CompositionalLayout(section: .mosaic(spacing: 8))
    case .list: list(height: .absolute(14))
    case .estimated: list(height: .estimated(14))
    case .justified:
      CompositionalLayout(
        section: .justified(targetRowHeight: 110, spacing: 8, lineSpacing: 8) { aspectRatio(of: $0) })
    }
  }

  /// Mostly 3:2 and 4:3, some upright, a few panoramas, in no order.
  static func aspectRatio(of item: Int) -> Double {
    let number = SplitMix64.mix(UInt64(truncatingIfNeeded: item))
    switch number % 20 {
    case 0..<9: return 1.5
    case 9..<14: return 4.0 / 3
    case 14..<16: return 2.0 / 3
    case 16..<18: return 0.75
    case 18: return 1
    default: return 2.5
    }
  }

  private static var groups: CollectionLayoutSection {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(1.0 / 9)),
      repeatingSubitem: item, count: 9)
    group.interItemSpacing = .fixed(8)
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 8
    return section
  }

  private static func list(height: CollectionLayoutDimension) -> any CollectionLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: height)
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CompositionalLayout(section: CollectionLayoutSection(group: group))
  }
}
