public import CollectionUI
import CollectionEngine
import CollectionLayout
import DiffableData
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
public import ImagePipeline
import PhotoLibrary
public import Rendering
import ScrollPhysics
public import Views

/// The gallery's window: a bar, the grid of photographs, and what stands there when there are none.
public final class GalleryScreen: View {
  /// The grid.
  public let grid: CollectionView
  /// The photographs.
  public let library: LibraryModel

  /// How many sections there are.
  public var sectionCount: Int { dataSource.shownSnapshot().numberOfSections }

  let dataSource: DiffableDataSource<GallerySection, PhotoID>
  let thumbnails: ThumbnailLoader
  let pipeline: ImagePipeline
  let frameContext: FrameContext
  let pictureSizes: PictureSizes
  let layoutInput = LayoutInput()
  /// How photographs are placed, and how large.
  var zoom: GalleryZoom
  var zoomWheel = ZoomWheel()
  var zoomPinch = ZoomPinch()
  var pendingPictures = PendingPictureCounter()
  /// How fast the thumb takes what is seen past.
  var pace = ScrubPace()
  private let timeline: GalleryTimeline
  var captionPrefetchQueue = CaptionPrefetchQueue()
  /// What cells and pictures are drawn with, once there is a window.
  var resources: RenderResources? { uploadedTextures.resources }
  private let uploadedTextures: UploadedTextureLookup
  /// The photograph to bring into view once it has a place.
  var itemToReveal: PhotoID?
  /// Whether that was done in this frame.
  var didRevealItem = false
  let theme: Theme
  let titleBar: TitleBar
  let emptyView: EmptyView

  // MARK: What is done with photographs

  /// Asked to put bytes of text where other programs paste from; says whether that could be done.
  public var onCopy: ([UInt8]) -> Bool = { _ in false }
  /// Opens what is dropped on the window; where there is none nothing can be.
  public var opener: (any LibraryOpener)?
  /// Whether it looks at something.
  var isOpening = false
  var selectionTotal = SelectionByteCount()
  /// Paths that are being copied.
  var pathCopy: PathCopy?
  var typeAhead = TypeAhead()
  /// The search for what was typed, until something or nothing is found.
  var search: NameSearch?
  /// Steps of it in the slack of this frame.
  var searchSteps = 0
  /// That nothing was found for what was typed.
  var hasNoMatch = false
  /// A line that is told for a while.
  var notice: Notice?
  var toolTipTimer = ToolTipTimer()
  var toolTip: ToolTip?
  /// A menu or a sheet over everything, which has all input.
  var overlay: View?
  var viewer: ViewerState?
  /// Updates of the grid when they were looked at last.
  var lastUpdateCount = 0
  /// Of these the ones that numbered photographs anew.
  var lastRenumberingCount = 0
  /// When the last event came in.
  var lastEventInstant = FrameInstant.zero
  /// When a hand last did more than move the pointer, and when it had before sorting was asked for.
  var lastActionInstant = FrameInstant.zero
  var actionBeforeSorting = FrameInstant.zero
  /// Where the pointer was last.
  var lastPointerLocation: Point?

  /// Makes the screen of a library.
  ///
  /// - Parameters:
  ///   - library: the photographs, and by what they are grouped.
  ///   - pipeline: where their pictures come from.
  ///   - layout: how they are placed.
  ///   - columns: how many columns a grid has; as many as fit unless told.
  public init(
    library: LibraryModel, pipeline: ImagePipeline, layout: GalleryLayoutKind = .grid, columns: Int?
  ) {
    let theme = Theme.dark
    self.theme = theme
    self.library = library
    self.pipeline = pipeline
    zoom = GalleryZoom(layout, columns: columns)
    let hasHeaders = library.arrangement.grouping != .none
    grid = CollectionView(layout: GalleryLayout.makeLayout(zoom, hasHeaders: hasHeaders, input: layoutInput))
    titleBar = TitleBar(theme: theme)
    emptyView = EmptyView(theme: theme)
    let sizes = PictureSizes(layout, grid: grid)
    self.pictureSizes = sizes
    let thumbnails = ThumbnailLoader(
      pipeline: pipeline, background: theme.background, previews: library.previews,
      photo: { library.reference(to: $0) },
      size: { sizes.size(of: $0) })
    self.thumbnails = thumbnails
    let moment = FrameContext(grid: grid)
    self.frameContext = moment
    let uploaded = UploadedTextureLookup()
    self.uploadedTextures = uploaded
    let source = PhotoCellProvider(
      library: library, thumbnails: thumbnails, frameContext: moment, sizes: sizes,
      isUploaded: { uploaded.contains($0) })
    dataSource = DiffableDataSource(collectionView: grid) { view, path, item in source.makeCell(view, path, item) }
    timeline = GalleryTimeline(grid: grid, dataSource: dataSource, library: library)
    super.init()
    sizes.setDataSource(dataSource)
    backgroundColor = theme.background
    grid.indicator.color = theme.indicator
    grid.indicator.scrubberStyle = theme.scrubber
    grid.indicator.scrubberDataSource = timeline
    grid.indicator.scrubberLabelInset = hasHeaders ? Metrics.headerHeight : 0
    grid.delegate = self
    grid.allowsMultipleSelection = true
    grid.allowsRubberBandSelection = true
    grid.allowsFocus = true
    grid.rubberBandColor = theme.accent
    dataSource.prefetching = self
    grid.register(SeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind)
    if hasHeaders { registerHeaders() }
    addSubview(grid)
    addSubview(emptyView)
    addSubview(titleBar)
    emptyView.isHidden = true
  }

  /// Gives sections their headers, from one registration.
  private func registerHeaders() {
    let registration = SupplementaryRegistration<SectionHeaderView>(elementKind: GalleryLayout.headerKind) {
      [weak dataSource] header, _, path in
      guard let dataSource, let section = dataSource.sectionIdentifier(for: path.section) else { return }
      let count = dataSource.shownSnapshot().numberOfItems(inSectionAt: path.section)
      header.show(title: section.title, count: CountFormat.number(count))
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  /// Joins a window: takes part in its frames and gets its keys.
  public func attach(to window: Window) {
    window.backgroundColor = theme.background
    window.firstResponder = grid
    uploadedTextures.resources = window.resources
    titleBar.measure = { [weak window] label in window.map { label.measuredWidth(in: $0.resources) } ?? 0 }
    window.addParticipant(self)
    window.addParticipant(grid)
    updateTitleBar()
  }

  // MARK: Layout

  public override func layoutSubviews() {
    updatePipelineScreenSize()
    let barHeight = min(Metrics.barHeight, bounds.height)
    titleBar.frame = Rect(x: 0, y: 0, width: bounds.width, height: barHeight)
    grid.frame = Rect(x: 0, y: barHeight, width: bounds.width, height: bounds.height - barHeight)
    emptyView.frame = grid.frame
    overlay?.frame = bounds
    layoutViewer()
    // Its lines depend on the scale too.
    if !emptyView.isHidden { emptyView.setNeedsLayout() }
    grid.layoutIfNeeded()
  }

  /// Keeps as many pictures in memory as fill some screens of this size.
  private func updatePipelineScreenSize() {
    guard let scale = resources?.scale else { return }
    pipeline.screen = PixelSize(width: Int(scale.pixel(bounds.width)), height: Int(scale.pixel(bounds.height)))
  }

  // MARK: Input

  public override func handle(_ event: InputEvent) -> Bool {
    if case .filesDropped(let paths) = event.kind {
      openDroppedFiles(paths)
      return true
    }
    // What lies over everything has had the event.
    guard overlay == nil else { return false }
    if viewer?.isOpen == true { return handleViewerKeys(event) }
    if handleTyping(event) || handleZoom(event) || handleKeys(event) { return true }
    guard case .keyDown(.function(5), _, isRepeat: false) = event.kind else { return false }
    rescanFolders()
    return true
  }

  // MARK: Figures

  /// The height of the bar above the photographs, in points.
  public static var barHeight: Double { Metrics.barHeight }

  /// Photographs on screen that wait for their picture.
  ///
  /// - Complexity: O(visible cells).
  public var pendingPictureCount: Int { pendingPictures.pendingCount(in: grid) }

  /// Whether every photograph on screen shows its picture or why there is none, and the library is not still empty.
  public var isFullyShown: Bool {
    guard !grid.visibleCells.isEmpty else { return library.isComplete && library.count == 0 }
    return pendingPictures.pendingCount(in: grid) == 0
  }

  /// Visible cells without their picture, times milliseconds, over the run.
  public var placeholderCellMilliseconds: Double { pendingPictures.cellMilliseconds }

  /// Of these the ones of cells that showed nothing at all.
  public var blankCellMilliseconds: Double { pendingPictures.blankCellMilliseconds }

  /// Items whose picture could not be had, each counted once: by its file or by its decoding.
  ///
  /// - Complexity: O(those that failed by their decoding).
  public var failedCount: Int {
    library.failedItems.count + thumbnails.failures.count { !library.failedItems.contains($0) }
  }
}
