internal import Geometry

extension CollectionLayoutSection {
  /// A section of rows.
  ///
  /// - Parameters:
  ///   - configuration: how it looks.
  ///   - layoutEnvironment: the room; where it is narrow, sections stay less far away from its sides.
  /// - Complexity: O(1).
  public static func list(
    using configuration: CollectionLayoutListConfiguration, layoutEnvironment: LayoutEnvironment
  ) -> CollectionLayoutSection {
    let metrics = ListMetrics(configuration.appearance)
    var section = CollectionLayoutSection(content: ListContent(configuration: configuration))
    let side = metrics.sideMargin(in: layoutEnvironment.containerSize)
    section.contentInsets = DirectionalInsets(
      top: configuration.headerMode == .supplementary ? 0 : metrics.sectionMargin, leading: side,
      bottom: configuration.footerMode == .supplementary ? 0 : metrics.sectionMargin, trailing: side)
    if let header = header(of: configuration) { section.boundarySupplementaryItems.append(header) }
    if let footer = footer(of: configuration) { section.boundarySupplementaryItems.append(footer) }
    return section
  }

  private static func header(
    of configuration: CollectionLayoutListConfiguration
  ) -> CollectionLayoutBoundarySupplementaryItem? {
    guard configuration.headerMode == .supplementary else { return nil }
    let metrics = ListMetrics(configuration.appearance)
    let padding = usable(configuration.headerTopPadding ?? metrics.headerTopPadding) ?? 0
    let height = padding + (usable(configuration.headerHeight) ?? metrics.headerHeight)
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(height)),
      elementKind: CollectionLayoutListConfiguration.headerKind, alignment: .top)
    header.contentInsets.top = padding
    header.pinToVisibleBounds = metrics.pinsHeaders
    return header
  }

  private static func footer(
    of configuration: CollectionLayoutListConfiguration
  ) -> CollectionLayoutBoundarySupplementaryItem? {
    guard configuration.footerMode == .supplementary else { return nil }
    let height = usable(configuration.footerHeight) ?? ListMetrics(configuration.appearance).footerHeight
    return CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(height)),
      elementKind: CollectionLayoutListConfiguration.footerKind, alignment: .bottom)
  }

  /// A length in points that a layout may have, or nothing.
  private static func usable(_ points: Double?) -> Double? {
    points.flatMap { $0.isFinite && $0 >= 0 ? min($0, LayoutEnvironment.longestSide) : nil }
  }
}
