import CollectionEngine
import CollectionLayout
public import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
public import ImagePipeline
import PhotoLibrary
public import Rendering
import ScrollPhysics
public import Views

/// The main view of the gallery: a title bar, the grid of photographs, and a view for an empty library.
public final class GalleryScreen: View {
  /// The grid of photographs.
  public let grid: CollectionView
  /// The model of the library.
  public let library: LibraryModel

  /// The number of sections.
  public var sectionCount: Int { dataSource.displayedSnapshot().numberOfSections }

  let dataSource: DiffableDataSource<GallerySection, PhotoID>
  let thumbnails: ThumbnailLoader
  let pipeline: ImagePipeline
  let frameContext: FrameContext
  let pictureSizes: PictureSizes
  let layoutInput = LayoutInput()
  /// The kind of layout and its zoom level.
  var zoom: GalleryZoom
  var zoomWheel = ZoomWheel()
  var zoomPinch = ZoomPinch()
  var pendingPictures = PendingPictureCounter()
  /// The speed at which the scroll thumb moves the content.
  var pace = ScrubPace()
  private let timeline: GalleryTimeline
  var captionPrefetchQueue = CaptionPrefetchQueue()
  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? { uploadedTextures.resources }
  private let uploadedTextures: UploadedTextureLookup
  /// The photograph to scroll to once it is in the grid.
  var itemToReveal: PhotoID?
  /// Whether it was scrolled to in this frame.
  var didRevealItem = false
  let theme: Theme
  let titleBar: TitleBar
  let emptyView: EmptyView

  // MARK: Interaction state

  /// A closure that copies the bytes of a text to the clipboard, and returns whether that succeeded.
  public var onCopy: ([UInt8]) -> Bool = { _ in false }
  /// The opener of dropped files.
  ///
  /// If nil, nothing can be opened.
  public var opener: (any LibraryOpener)?
  /// Whether the opener is checking dropped files.
  var isOpening = false
  /// The owner of the size of the selection.
  private(set) lazy var selectionBytes = SelectionByteCountController(host: self)
  /// The owner of the copying of paths.
  private(set) lazy var pathCopy = PathCopyController(host: self)
  /// The owner of the search by typing.
  private(set) lazy var nameSearch = NameSearchController(host: self)
  /// The current notice.
  var notice: Notice?
  /// The owner of the work on thumbnails of the whole library.
  private(set) lazy var libraryThumbnails = LibraryThumbnailController(host: self)
  /// The owner of the tool tip.
  private(set) lazy var toolTips = ToolTipController(host: self, theme: theme)
  /// The menu or list of keyboard shortcuts above all other views, which receives all input.
  var overlay: View?
  /// The photographs to which the context menu applies, or nil if it was never opened.
  var menuPaths: IndexPathRuns?
  /// The owner of the viewer.
  private(set) lazy var viewer = ViewerController(
    host: self, grid: grid, dataSource: dataSource, library: library, pipeline: pipeline, thumbnails: thumbnails,
    theme: theme)
  /// The number of grid updates that have been handled.
  var lastUpdateCount = 0
  /// The number of handled updates that changed the indices of items.
  var lastRenumberingCount = 0
  /// The time of the last event.
  var lastEventInstant = FrameInstant.zero
  /// The time of the last user action other than pointer movements, and its value when sorting was requested.
  var lastActionInstant = FrameInstant.zero
  var actionInstantBeforeSorting = FrameInstant.zero

  /// Creates the screen of a library.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - pipeline: The image pipeline.
  ///   - layout: The kind of layout. Default: a grid.
  ///   - columns: The initial number of columns of a grid, or nil for as many as fit.
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
      reference: { library.reference(to: $0) },
      size: { sizes.size(of: $0) })
    self.thumbnails = thumbnails
    let context = FrameContext(grid: grid)
    self.frameContext = context
    let textures = UploadedTextureLookup()
    self.uploadedTextures = textures
    let cellProvider = PhotoCellProvider(
      library: library, thumbnails: thumbnails, frameContext: context, sizes: sizes,
      isUploaded: { textures.contains($0) })
    dataSource = DiffableDataSource(collectionView: grid) { view, path, item in cellProvider.makeCell(view, path, item)
    }
    timeline = GalleryTimeline(grid: grid, dataSource: dataSource, library: library)
    super.init()
    sizes.setDataSource(dataSource)
    backgroundColor = theme.background
    grid.scrollIndicator.color = theme.indicator
    grid.scrollIndicator.scrubberStyle = theme.scrubber
    grid.scrollIndicator.scrubberDataSource = timeline
    grid.scrollIndicator.scrubberLabelInset = hasHeaders ? Metrics.headerHeight : 0
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

  /// Registers the section headers.
  private func registerHeaders() {
    let registration = SupplementaryRegistration<SectionHeaderView>(elementKind: GalleryLayout.headerKind) {
      [weak dataSource] header, _, path in
      guard let dataSource, let section = dataSource.sectionIdentifier(for: path.section) else { return }
      let count = dataSource.displayedSnapshot().numberOfItems(inSectionAt: path.section)
      header.show(title: section.title, count: CountFormat.number(count))
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  /// Attaches the screen to a window, so that it takes part in frames and receives keys.
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
    viewer.layout()
    // The line breaks depend on the scale too.
    if !emptyView.isHidden { emptyView.setNeedsLayout() }
    grid.layoutIfNeeded()
  }

  /// Sets the screen size of the pipeline, from which its memory budget is derived.
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
    // The overlay has already received the event.
    guard overlay == nil else { return false }
    if viewer.isOpen { return handleCommand(event) }
    return handleTyping(event) || handleZoom(event) || handleCommand(event)
  }

  // MARK: Thumbnails

  /// Whether the thumbnails of all photographs are made while nothing else is done.
  ///
  /// Has no effect if nothing is stored on disk. Default: false.
  public var makesLibraryThumbnails: Bool {
    get { libraryThumbnails.isEnabled }
    set { libraryThumbnails.isEnabled = newValue }
  }

  // MARK: Statistics

  /// The height of the title bar, in points.
  public static var barHeight: Double { Metrics.barHeight }

  /// The number of photographs on screen whose picture is pending.
  ///
  /// - Complexity: O(visible cells).
  public var pendingPictureCount: Int { pendingPictures.pendingCount(in: grid) }

  /// Whether every photograph on screen shows its picture or the reason why there is none.
  ///
  /// An empty grid counts as fully shown only if the library is complete and empty.
  public var isFullyShown: Bool {
    guard !grid.visibleCells.isEmpty else { return library.isComplete && library.count == 0 }
    return pendingPictures.pendingCount(in: grid) == 0
  }

  /// The sum over all visible cells of the time without a picture, in milliseconds.
  public var placeholderCellMilliseconds: Double { pendingPictures.cellMilliseconds }

  /// The part of ``placeholderCellMilliseconds`` in which cells were blank.
  public var blankCellMilliseconds: Double { pendingPictures.blankCellMilliseconds }

  /// The number of items that cannot be shown, either because of their file or because decoding failed.
  ///
  /// - Complexity: O(*k*) in the number of items whose decoding failed.
  public var failedCount: Int {
    library.failedItems.count + thumbnails.failures.count { !library.failedItems.contains($0) }
  }
}
