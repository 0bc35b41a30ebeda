import CollectionLayout
import Geometry

/// The gallery's measures as layouts.
nonisolated enum GalleryLayout {
  /// The kind of the headers of sections.
  static let headerKind = "header"

  /// The layout of a measure.
  ///
  /// - Parameters:
  ///   - zoom: how photographs are placed, and how large.
  ///   - hasHeaders: whether sections are named.
  ///   - facts: what the layout is told of photographs.
  static func makeLayout(_ zoom: GalleryZoom, hasHeaders: Bool, input: LayoutInput) -> CompositionalLayout {
    CompositionalLayout { section, environment in
      var rules = GalleryLayout.makeSection(zoom, environment) { input.aspectRatios(ofSection: section) }
      rules.contentInsets = DirectionalInsets(all: Metrics.margin)
      guard hasHeaders else { return rules }
      rules.contentInsets.top = 0
      rules.supplementariesFollowContentInsets = false
      var header = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(Metrics.headerHeight)),
        elementKind: headerKind, alignment: .top)
      header.pinToVisibleBounds = true
      rules.boundarySupplementaryItems = [header]
      return rules
    }
  }

  /// The room between photographs, in points.
  static func spacing(of kind: GalleryLayoutKind) -> Double {
    switch kind {
    case .grid: Metrics.spacing
    case .justified, .mosaic: Metrics.narrowSpacing
    case .list: 0
    }
  }

  /// Columns are equal and gaps take the odd pixels in a grid, so that one size of picture fits every cell.
  private static func makeSection(
    _ zoom: GalleryZoom, _ environment: LayoutEnvironment, shapes: () -> @Sendable (Int) -> Double
  ) -> CollectionLayoutSection {
    let spacing = spacing(of: zoom.kind)
    switch (zoom.kind, zoom.currentStep) {
    case (.grid, .columns(let count)): return makeGridSection(.count(count))
    case (.grid, .width(let width)): return makeGridSection(.minimumWidth(width))
    case (.mosaic, .width(let width)): return .mosaic(spacing: spacing, minimumUnitWidth: width)
    case (.list, .height(let height)):
      var list = CollectionLayoutListConfiguration(appearance: .plain)
      list.rowHeight = .absolute(height)
      list.separatorConfiguration.topSeparatorVisibility = .hidden
      list.separatorConfiguration.bottomSeparatorInsets.leading = RowCell.textInset(ofRow: height)
      return .list(using: list, layoutEnvironment: environment)
    case (_, .height(let height)):
      return .justified(targetRowHeight: height, spacing: spacing, lineSpacing: spacing, aspectRatio: shapes())
    case (_, .columns(let count)): return makeGridSection(.count(count))
    case (_, .width(let width)): return makeGridSection(.minimumWidth(width))
    }
  }

  private static func makeGridSection(_ columns: GridLayout.Columns) -> CollectionLayoutSection {
    .grid(
      columns: columns, columnSpacing: Metrics.spacing, rowSpacing: Metrics.spacing, heightRatio: Metrics.cellAspect,
      captionHeight: Metrics.captionHeight, remainder: .gaps)
  }
}
