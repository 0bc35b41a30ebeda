import CollectionUI
import ExampleSupport

/// The layout: a row of cards, then sections of rows, in a column of readable width.
nonisolated enum OutlineLayout {
  static let rowHeight = 48.0
  static let headerHeight = 56.0
  static let cardSize = Size(width: 176, height: 144)
  static let cardSpacing = 16.0
  static let headerKind = CollectionLayoutListConfiguration.headerKind

  /// Returns the distance from the side of the window to the column, in points.
  static func margin(in width: Double) -> Double { max(24, ((width - 760) / 2).rounded()) }

  static var layout: CompositionalLayout {
    CompositionalLayout { section, environment in
      let margin = margin(in: environment.effectiveContentSize.width)
      return section == 0 ? favoritesSection(margin) : continentSection(margin, environment)
    }
  }

  private static func favoritesSection(_ margin: Double) -> CollectionLayoutSection {
    let card = CollectionLayoutSize(width: .absolute(cardSize.width), height: .absolute(cardSize.height))
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var section = CollectionLayoutSection(group: .horizontal(layoutSize: card, repeatingSubitem: item, count: 1))
    section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    section.interGroupSpacing = cardSpacing
    section.contentInsets = DirectionalEdgeInsets(top: 0, leading: margin, bottom: 16, trailing: margin)
    section.boundarySupplementaryItems = [header]
    // The cards scroll below the header across the full width.
    section.supplementariesFollowContentInsets = false
    return section
  }

  private static func continentSection(_ margin: Double, _ environment: LayoutEnvironment) -> CollectionLayoutSection {
    var list = CollectionLayoutListConfiguration(appearance: .plain)
    list.showsSeparators = false
    list.rowHeight = .absolute(rowHeight)
    var section = CollectionLayoutSection.list(using: list, layoutEnvironment: environment)
    // The background of a row extends beyond the column, so that its content is aligned with the column.
    let inset = margin - OutlineStyle.inset
    section.contentInsets = DirectionalEdgeInsets(top: 0, leading: inset, bottom: 16, trailing: inset)
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

/// The metrics and text styles of rows, cards and headers, on a grid of four points.
nonisolated enum OutlineStyle {
  static let cornerRadius = 8.0
  /// The distance from the side of a row to its content.
  static let inset = 12.0
  /// The horizontal position of region names and of destination pictures.
  static let indent = 40.0
  static let pictureSize = Size(width: 48, height: 32)

  static let headerStyle = TextStyle(size: 20, weight: .semibold)
  static let regionStyle = TextStyle(size: 15, weight: .semibold)
  static let nameStyle = TextStyle(size: 14)
  static let detailStyle = TextStyle(size: 12, hasMonospacedDigits: true)

  /// Returns the vertical offset that aligns the baseline of one style with that of another in a label of the same
  /// height.
  @MainActor
  static func baselineOffset(
    of style: TextStyle, alignedWith other: TextStyle, in resources: RenderResources
  ) -> Double {
    let scale = resources.scale
    func baseline(_ style: TextStyle) -> Double {
      let metrics = resources.text.metrics(style, scale: scale)
      return scale.length(ofPixels: Int32(metrics.ascent)) - scale.length(
        ofPixels: Int32(metrics.ascent + metrics.descent)) / 2
    }
    return scale.snapped(baseline(other) - baseline(style))
  }
}
