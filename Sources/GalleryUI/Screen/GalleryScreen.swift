public import CollectionUI
import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
public import ImagePipeline
import PhotoLibrary
public import Rendering
public import Views

/// The gallery's window: a bar, the grid of photographs, what stands there when there are none, and the overlay.
public final class GalleryScreen: View {
  /// The grid.
  public let grid: CollectionView
  /// The photographs.
  public let library: LibraryModel

  /// Asked to fill the screen with the window, or to stop that.
  public var onToggleFullScreen: () -> Void = {}

  /// How many sections there are.
  public var sectionCount: Int { dataSource.shownSnapshot().numberOfSections }

  let dataSource: DiffableDataSource<GallerySection, PhotoID>
  let thumbnails: ThumbnailLoader
  let pipeline: ImagePipeline
  let moment: FrameMoment
  let sizes: PictureSizes
  let facts = LayoutFacts()
  /// How photographs are placed, and how large.
  var zoom: GalleryZoom
  var zoomWheel = ZoomWheel()
  var awaitedPictures = AwaitedPictures()
  var captionsAhead = CaptionsAhead()
  /// What cells and pictures are drawn with, once there is a window.
  var resources: RenderResources? { uploaded.resources }
  private let uploaded: UploadedPictures
  /// The photograph to bring into view once it has a place.
  var itemToReveal: PhotoID?
  private let theme: Theme
  private let bar: TitleBar
  private let empty: EmptyView
  private let overlay = FrameOverlay()

  /// Makes the screen of a library.
  ///
  /// - Parameters:
  ///   - library: the photographs, and by what they are grouped.
  ///   - pipeline: where their pictures come from.
  ///   - layout: how they are placed.
  ///   - columns: how many columns a grid has; as many as fit unless told.
  ///   - overlayLevel: how much of the frames is shown, 0 to 4.
  public init(
    library: LibraryModel, pipeline: ImagePipeline, layout: GalleryLayoutKind = .grid, columns: Int?,
    overlayLevel: Int
  ) {
    let theme = Theme.dark
    self.theme = theme
    self.library = library
    self.pipeline = pipeline
    zoom = GalleryZoom(layout, columns: columns)
    let hasHeaders = library.arrangement.grouping != .none
    grid = CollectionView(layout: GalleryLayout.layout(zoom, hasHeaders: hasHeaders, facts: facts))
    bar = TitleBar(theme: theme)
    empty = EmptyView(theme: theme)
    let sizes = PictureSizes(layout, grid: grid)
    self.sizes = sizes
    let thumbnails = ThumbnailLoader(
      pipeline: pipeline, background: theme.background, previews: library.previews,
      photo: { library.reference(to: $0) },
      size: { sizes.size(of: $0) })
    self.thumbnails = thumbnails
    let moment = FrameMoment(grid: grid)
    self.moment = moment
    let uploaded = UploadedPictures()
    self.uploaded = uploaded
    let source = PhotoCellSource(
      library: library, thumbnails: thumbnails, moment: moment, sizes: sizes, isUploaded: { uploaded.contains($0) })
    dataSource = DiffableDataSource(collectionView: grid) { view, path, item in source.cell(view, path, item) }
    super.init()
    sizes.follow(dataSource)
    backgroundColor = theme.background
    grid.indicator.color = theme.indicator
    grid.delegate = self
    dataSource.prefetching = self
    grid.register(SeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind)
    if hasHeaders { nameSections() }
    addSubview(grid)
    addSubview(empty)
    addSubview(bar)
    addSubview(overlay)
    empty.isHidden = true
    overlay.level = overlayLevel
    overlay.figures = { [weak self] in self?.overlayFigures ?? OverlayFigures() }
  }

  /// Gives sections their headers, from one registration.
  private func nameSections() {
    let registration = SupplementaryRegistration<SectionHeaderView>(elementKind: GalleryLayout.headerKind) {
      [weak dataSource] header, _, path in
      guard let dataSource, let section = dataSource.sectionIdentifier(for: path.section) else { return }
      let count = dataSource.shownSnapshot().numberOfItems(inSectionAt: path.section)
      header.show(title: section.title, count: Counted.number(count))
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  /// Joins a window: takes part in its frames and gets its keys.
  public func join(_ window: Window, loop: CommitLoop) {
    window.backgroundColor = theme.background
    window.firstResponder = grid
    uploaded.resources = window.resources
    overlay.loop = loop
    bar.measure = { [weak window] label in window.map { label.measuredWidth(in: $0.resources) } ?? 0 }
    window.addParticipant(self)
    window.addParticipant(grid)
    showTitle()
  }

  // MARK: Layout

  public override func layoutSubviews() {
    let barHeight = min(Metrics.barHeight, bounds.height)
    bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: barHeight)
    grid.frame = Rect(x: 0, y: barHeight, width: bounds.width, height: bounds.height - barHeight)
    empty.frame = grid.frame
    // Its lines depend on the scale too.
    if !empty.isHidden { empty.setNeedsLayout() }
    let size = overlay.preferredSize
    overlay.frame = Rect(
      x: max(0, bounds.width - size.width - Metrics.margin), y: barHeight + Metrics.margin,
      width: min(size.width, bounds.width), height: size.height)
    grid.layoutIfNeeded()
  }

  // MARK: Input

  public override func handle(_ event: InputEvent) -> Bool {
    if handleZoom(event) { return true }
    switch event.kind {
    case .keyDown(.function(3), _, isRepeat: false):
      overlay.level = (overlay.level + 1) % 5
      setNeedsLayout()
      return true
    case .keyDown(.function(5), _, isRepeat: false):
      pipeline.resumeDecoding()
      library.askForRescan()
      rescanIfAsked()
      return true
    case .keyDown(.function(11), _, isRepeat: false):
      onToggleFullScreen()
      return true
    case .keyDown(.character("q"), .control, _), .keyDown(.character("w"), .control, _):
      overlay.loop?.quit()
      return true
    default:
      return false
    }
  }

  // MARK: Figures

  /// Whether every photograph on screen shows its picture or why there is none, and the library is not still empty.
  public var isFullyShown: Bool {
    guard !grid.visibleCells.isEmpty else { return library.isComplete && library.count == 0 }
    return awaitedPictures.count(in: grid) == 0
  }

  /// Visible cells without their picture, times milliseconds, over the run.
  public var placeholderCellMilliseconds: Double { awaitedPictures.cellMilliseconds }

  /// Of these the ones of cells that showed nothing at all.
  public var blankCellMilliseconds: Double { awaitedPictures.blankCellMilliseconds }

  /// Items whose picture could not be had, each counted once: by its file or by its decoding.
  ///
  /// - Complexity: O(those that failed by their decoding).
  public var failedCount: Int {
    library.failed.count + thumbnails.failures.count { !library.failed.contains($0) }
  }

  private var overlayFigures: OverlayFigures {
    let images = pipeline.statistics
    return OverlayFigures(
      items: grid.itemCount, visibleCells: grid.visibleCells.count, pooledCells: grid.pooledCount,
      waitingForPicture: awaitedPictures.count(in: grid), decoding: images.running, queued: images.queueDepth,
      decoded: images.decoded, bitmapBytes: images.cacheBytes, textureBytes: resources?.display.textureBytes ?? 0)
  }

  // MARK: Texts

  /// How many photographs there are, and how many of them cannot be shown; nothing where there are none.
  private var countText: String {
    guard library.count > 0 else { return "" }
    let failed = failedCount
    let count = Counted.things(library.count, "photograph")
    return failed == 0 ? count : "\(count), \(Counted.number(failed)) cannot be shown"
  }

  func showTitle() {
    let isStopped = pipeline.decoderCondition.isStopped
    bar.show(
      title: library.title, count: countText,
      status: isStopped ? "Decoding stopped after many crashes; F5 goes on" : library.status)
    bar.progress = library.progress
    if library.count == 0, library.isComplete {
      let texts = library.emptyTexts
      empty.show(headline: texts.headline, hint: texts.hint)
    } else {
      empty.isHidden = true
    }
  }
}
