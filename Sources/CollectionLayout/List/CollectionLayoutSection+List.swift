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
    return section
  }
}
