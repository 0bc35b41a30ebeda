import CollectionLayout
import Geometry

/// A strip of cards above sections of rows, in a column that is never too wide to read.
nonisolated enum OutlineLayout {
  static let rowHeight = 48.0
  static let headerHeight = 56.0
  static let cardSize = Size(width: 176, height: 144)
  static let cardSpacing = 16.0
  static let headerKind = CollectionLayoutListConfiguration.headerKind

  /// From the window's side to the column, for a width of the window.
  static func margin(in width: Double) -> Double { max(24, ((width - 760) / 2).rounded()) }

  static var layout: CompositionalLayout {
    CompositionalLayout { section, environment in
      let margin = margin(in: environment.effectiveContentSize.width)
      return section == 0 ? strip(margin) : rows(margin, environment)
    }
  }

  private static func strip(_ margin: Double) -> CollectionLayoutSection {
    let card = CollectionLayoutSize(width: .absolute(cardSize.width), height: .absolute(cardSize.height))
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var section = CollectionLayoutSection(group: .horizontal(layoutSize: card, repeatingSubitem: item, count: 1))
    section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    section.interGroupSpacing = cardSpacing
    section.contentInsets = DirectionalInsets(top: 0, leading: margin, bottom: 16, trailing: margin)
    section.boundarySupplementaryItems = [header]
    // The cards pass beneath it from side to side.
    section.supplementariesFollowContentInsets = false
    return section
  }

  private static func rows(_ margin: Double, _ environment: LayoutEnvironment) -> CollectionLayoutSection {
    var list = CollectionLayoutListConfiguration(appearance: .plain)
    list.showsSeparators = false
    list.rowHeight = .absolute(rowHeight)
    var section = CollectionLayoutSection.list(using: list, layoutEnvironment: environment)
    // The ground of a row reaches beyond the column, so that what is in it stands on the column's lines.
    let side = margin - OutlineStyle.inset
    section.contentInsets = DirectionalInsets(top: 0, leading: side, bottom: 16, trailing: side)
    section.boundarySupplementaryItems = [header]
    return section
  }

  private static var header: CollectionLayoutBoundarySupplementaryItem {
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(headerHeight)),
      elementKind: headerKind, alignment: .top)
    header.pinToVisibleBounds = true
    return header
  }
}
