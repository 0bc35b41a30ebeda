import CollectionUI
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineThreads
import VitrineViews

/// A factory of collection view layouts for the gallery.
nonisolated enum GalleryLayout {
  /// The element kind of section headers.
  static let headerKind = "header"

  /// Creates the layout for a zoom level.
  ///
  /// - Parameters:
  ///   - zoom: The kind of layout and its zoom level.
  ///   - input: The photographs and their aspect ratios. Their sections determine whether there are headers.
  static func makeLayout(_ zoom: GalleryZoom, input: LayoutInput) -> CompositionalLayout {
    CompositionalLayout { section, environment in
      var rules = GalleryLayout.makeSection(zoom, environment) { input.aspectRatios(ofSection: section) }
      rules.contentInsets = DirectionalEdgeInsets(all: Metrics.margin)
      guard input.hasHeaders else { return rules }
      rules.contentInsets.top = 0
      rules.contentInsets.trailing = input.trailingInset(inWidth: environment.containerSize.width)
      rules.supplementariesFollowContentInsets = false
      var header = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(Metrics.headerHeight)),
        elementKind: headerKind, alignment: .top)
      header.pinToVisibleBounds = true
      rules.boundarySupplementaryItems = [header]
      return rules
    }
  }

  /// Returns the spacing between photographs, in points.
  static func spacing(of kind: GalleryLayoutKind) -> Double {
    switch kind {
    case .grid: Metrics.spacing
    case .justified, .mosaic: Metrics.narrowSpacing
    case .list: 0
    }
  }

  /// Creates the layout of a section.
  ///
  /// In a grid, columns have equal widths and the gaps absorb the remaining pixels, so that all cells show pictures of
  /// the same size.
  private static func makeSection(
    _ zoom: GalleryZoom, _ environment: LayoutEnvironment, aspectRatio: () -> @Sendable (Int) -> Double
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
      return .justified(targetRowHeight: height, spacing: spacing, lineSpacing: spacing, aspectRatio: aspectRatio())
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

/// A kind of gallery layout.
package enum GalleryLayoutKind: String, CaseIterable, Sendable {
  /// Cells of equal size, with names.
  case grid
  /// Rows that fill the width, with each picture in its own aspect ratio.
  case justified
  /// Large pictures among small ones.
  case mosaic
  /// One row per photograph, with its details.
  case list
}

/// The photographs and aspect ratios with which a layout works, as of the last layout pass.
///
/// The main thread sets them directly before a layout pass. The closures of a layout read the contents at the time of
/// their creation.
nonisolated final class LayoutInput: Sendable {
  /// The photographs by position, and their aspect ratios by identifier.
  struct Contents: Sendable {
    var snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>()
    var aspectRatios = PhotoAspectRatios()
    /// Whether sections have headers.
    var hasHeaders = false
    /// Whether sections are months, which the timeline labels.
    var hasMonths = false

    /// Creates the contents for a layout pass.
    init(
      snapshot: DiffableDataSourceSnapshot<GallerySection, PhotoID> = DiffableDataSourceSnapshot(),
      aspectRatios: PhotoAspectRatios = PhotoAspectRatios()
    ) {
      self.snapshot = snapshot
      self.aspectRatios = aspectRatios
      hasHeaders = snapshot.sectionIdentifier(at: 0)?.hasHeader ?? false
      hasMonths =
        switch snapshot.sectionIdentifier(at: 0) {
        case .month, .undated: true
        case .all, .folder, nil: false
        }
    }
  }

  private let storage = Lock(Contents())

  /// The current contents.
  var contents: Contents {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  /// Whether sections have headers.
  var hasHeaders: Bool { storage.withLock { $0.hasHeaders } }

  /// Returns the maximum width of the timeline's labels, in points: that of the short names of months, or 0 for none.
  ///
  /// Names of folders would take too much space, and those of single photographs say too little.
  ///
  /// - Parameter width: The width of the grid, in points. A narrow one has no labels, because photographs need the space.
  func timelineLabelWidth(inWidth width: Double) -> Double {
    width >= LayoutInput.minimumLabelledWidth && storage.withLock { $0.hasMonths } ? Metrics.timelineLabelWidth : 0
  }

  /// Returns the distance between the photographs and the edge at which the timeline is, in points.
  func trailingInset(inWidth width: Double) -> Double {
    let labelWidth = timelineLabelWidth(inWidth: width)
    return labelWidth > 0 ? ScrollIndicator.inset(forLabelWidth: labelWidth) : Metrics.margin
  }

  private static let minimumLabelledWidth = 560.0

  /// Returns a closure that returns the aspect ratio, width divided by height, of the item at a given index of a
  /// section.
  func aspectRatios(ofSection section: Int) -> @Sendable (Int) -> Double {
    let contents = contents
    return { item in
      contents.snapshot.itemIdentifier(section: section, item: item).map { Double(contents.aspectRatios[$0]) } ?? 1
    }
  }
}

/// The sizes of the photographs' pictures in their cells, in pixels.
final class PictureSizes {
  private weak var grid: CollectionView?
  private weak var dataSource: DiffableDataSource<GallerySection, PhotoID>?
  /// The kind of layout.
  var kind: GalleryLayoutKind {
    didSet { if kind != oldValue { uniform = nil } }
  }
  /// The number of pixels per point.
  var scale = DisplayScale.one
  /// The size of all pictures, if they have the same size.
  ///
  /// It is computed once per layout pass.
  private var uniform: PixelSize??
  /// The size of all pictures when ``haveChanged()`` was last called.
  private var lastReportedSize: PixelSize??

  init(_ kind: GalleryLayoutKind, grid: CollectionView) {
    self.kind = kind
    self.grid = grid
  }

  /// Sets the data source with which items are located.
  func setDataSource(_ dataSource: DiffableDataSource<GallerySection, PhotoID>) { self.dataSource = dataSource }

  /// Discards the cached size before a layout pass.
  func invalidate() { uniform = nil }

  /// Returns whether sizes may have changed since the last call.
  ///
  /// Returns false the first time.
  func haveChanged() -> Bool {
    guard kind == .grid || kind == .list else { return true }
    let size = uniformSize
    defer { lastReportedSize = size }
    return lastReportedSize.map { $0 != size } ?? false
  }

  private var uniformSize: PixelSize? {
    if let uniform { return uniform }
    let size = grid.flatMap { self.size(in: $0.firstItemSize) }
    uniform = size
    return size
  }

  /// Returns the size of a photograph's picture, or nil if its cell is too small or there is no such photograph.
  func size(of item: PhotoID) -> PixelSize? {
    switch kind {
    case .grid, .list:
      return uniformSize
    case .justified, .mosaic:
      guard let frame = dataSource?.indexPath(for: item).flatMap({ grid?.frameOfItem(at: $0) }) else { return nil }
      return size(in: frame.size)
    }
  }

  /// Returns the size of the picture in a cell of the given size, or nil if the cell is too small.
  func size(in cell: Size) -> PixelSize? {
    let area =
      switch kind {
      case .grid: Rect(x: 0, y: 0, width: cell.width, height: cell.height - Metrics.captionHeight)
      case .justified, .mosaic: Rect(x: 0, y: 0, width: cell.width, height: cell.height)
      case .list: RowCell.pictureArea(in: cell)
      }
    let pixels = scale.pixelRect(area)
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))?
      .scaled(toMaximumArea: Metrics.maximumPictureArea)
  }
}
