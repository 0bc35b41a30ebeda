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
    case .cards: CompositionalLayout(section: cards)
    case .justified: justified
    }
  }

  /// Rows of pictures whose ratios lie in memory, as a catalogue has them.
  private static var justified: CompositionalLayout {
    let ratios = (0..<65_536).map(aspectRatio)
    return CompositionalLayout(
      section: .justified(targetRowHeight: 110, spacing: 8, lineSpacing: 8) { ratios[$0 & 65_535] })
  }

  /// Mostly 3:2 and 4:3, some upright, a few panoramas, in no order.
  private static func aspectRatio(of item: Int) -> Double {
    switch SplitMix64.mix(UInt64(item)) % 20 {
    case 0..<9: 1.5
    case 9..<14: 4.0 / 3
    case 14..<16: 2.0 / 3
    case 16..<18: 0.75
    case 18: 1
    default: 2.5
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

  private static var cards: CollectionLayoutSection {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: .estimated(26)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(26)), subitems: [item])
    return CollectionLayoutSection(group: group)
  }

  /// How high a cell is that tells its height: one time and a half what was estimated at most, in no order.
  static func measuredHeight(_ kind: LayoutKind, of item: Int) -> Double {
    let least = kind == .cards ? 16 : 8
    return Double(least + Int(SplitMix64.mix(UInt64(item)) % UInt64(least)))
  }

  private static func list(height: CollectionLayoutDimension) -> any CollectionLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: height)
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CompositionalLayout(section: CollectionLayoutSection(group: group))
  }
}
