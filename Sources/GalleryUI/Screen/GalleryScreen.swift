public import CollectionUI
import CollectionEngine
import CollectionLayout
import DiffableData
public import struct FoundationEssentials.IndexPath
public import FramePacing
import Geometry
public import ImagePipeline
public import PhotoLibrary
public import Rendering
public import Views

/// The gallery's window: a bar, the grid of photographs, what stands there when there are none, and the overlay.
public final class GalleryScreen: View {
  /// The grid.
  public let grid: CollectionView
  /// The photographs.
  public let library: LibraryModel

  /// The bytes of pictures that a frame takes in at most.
  private static let bytesPerCollect = 16 << 20

  /// Asked to fill the screen with the window, or to stop that.
  public var onToggleFullScreen: () -> Void = {}

  private let theme: Theme
  private let bar: TitleBar
  private let empty: EmptyView
  private let overlay = FrameOverlay()
  private let thumbnails: ThumbnailLoader
  private let pipeline: ImagePipeline
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  private let moment: FrameMoment
  private var waitingCells = WaitingCells()
  private weak var resources: RenderResources?
  private var itemToReveal: PhotoID?
  private var captionsAhead = CaptionsAhead()

  /// Makes the screen of a library.
  ///
  /// - Parameters:
  ///   - library: the photographs.
  ///   - pipeline: where their pictures come from.
  ///   - columns: how many columns the grid has; as many as fit unless told.
  ///   - overlayLevel: how much of the frames is shown, 0 to 4.
  public init(library: LibraryModel, pipeline: ImagePipeline, columns: Int?, overlayLevel: Int) {
    let theme = Theme.dark
    self.theme = theme
    self.library = library
    self.pipeline = pipeline
    grid = CollectionView(layout: GalleryLayout.grid(columns: columns))
    bar = TitleBar(theme: theme)
    empty = EmptyView(theme: theme)
    let thumbnails = ThumbnailLoader(pipeline: pipeline, background: theme.background) { library.reference(to: $0) }
    self.thumbnails = thumbnails
    let moment = FrameMoment(grid: grid)
    self.moment = moment
    let source = PhotoCellSource(library: library, thumbnails: thumbnails, moment: moment)
    dataSource = DiffableDataSource(collectionView: grid) { view, path, item in source.cell(view, path, item) }
    super.init()
    backgroundColor = theme.background
    grid.indicator.color = theme.indicator
    grid.delegate = self
    dataSource.prefetching = self
    addSubview(grid)
    addSubview(empty)
    addSubview(bar)
    addSubview(overlay)
    empty.isHidden = true
    overlay.level = overlayLevel
    overlay.figures = { [weak self] in self?.overlayFigures ?? OverlayFigures() }
    var snapshot = dataSource.snapshot()
    snapshot.appendSections([.all])
    dataSource.apply(snapshot)
  }

  /// Joins a window: takes part in its frames and gets its keys.
  public func join(_ window: Window, loop: CommitLoop) {
    window.backgroundColor = theme.background
    window.firstResponder = grid
    resources = window.resources
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
    takePictureSize()
  }

  /// The cells may have another size in pixels: asks for the pictures on screen and ahead at that size.
  private func takePictureSize() {
    let scale = resources?.scale ?? .one
    let cell = grid.firstItemSize
    let area = scale.pixels(Rect(x: 0, y: 0, width: cell.width, height: cell.height - Metrics.captionHeight))
    let size = PixelSize(width: Int(area.width), height: Int(area.height))?.scaled(toArea: Metrics.largestPictureArea)
    if thumbnails.setPixelSize(size, at: moment.instant) { reconfigureVisible() }
  }

  private func reconfigureVisible() {
    dataSource.reconfigureItems(grid.visibleRange.compactMap { dataSource.itemIdentifier(atFlatIndex: $0) })
  }

  // MARK: Input

  public override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .keyDown(.function(3), _, isRepeat: false):
      overlay.level = (overlay.level + 1) % 5
      setNeedsLayout()
      return true
    case .keyDown(.function(5), _, isRepeat: false):
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
    return waitingCells.count(in: grid) == 0
  }

  /// Visible cells without their picture, times milliseconds, over the run.
  public var placeholderCellMilliseconds: Double { waitingCells.cellMilliseconds }

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
      waitingForPicture: waitingCells.count(in: grid), decoding: images.running, queued: images.queueDepth,
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

  private func showTitle() {
    bar.show(title: library.title, count: countText, status: library.status)
    bar.progress = library.progress
    if library.count == 0, library.isComplete {
      let texts = library.emptyTexts
      empty.show(headline: texts.headline, hint: texts.hint)
    } else {
      empty.isHidden = true
    }
  }
}

// MARK: - Frames

extension GalleryScreen: FrameParticipant {
  /// Whether something waits to be taken in.
  public var needsFrames: Bool { library.hasPending || pipeline.hasPendingArrivals }

  /// When the next picture arrives on a simulated clock.
  public var nextArrival: FrameInstant? { pipeline.nextArrival }

  /// Takes the frame's moment.
  public func update(at target: FrameInstant) { moment.instant = target }

  /// Takes in what was found and what was decoded.
  public func collect(_ budget: FrameBudget) {
    var found = budget.clock.uncounted { library.take() }
    // A simulation takes equal portions; beside a live window the time of the frame decides.
    while !budget.clock.kind.isSimulated, library.hasPending, budget.remaining > .zero { found.add(library.take()) }
    if let outcome = found.rescanned, !(outcome.arrived.isEmpty && outcome.removed.isEmpty) {
      dataSource.apply(outcome.snapshot)
      thumbnails.forget(outcome.removed)
    }
    if !found.added.isEmpty {
      var snapshot = dataSource.snapshot()
      snapshot.appendItems(found.added, toSection: .all)
      dataSource.apply(snapshot)
      if thumbnails.pixelSize == nil { setNeedsLayout() }
    }
    if let item = found.wantedArrived { itemToReveal = item }
    if !found.changed.isEmpty { dataSource.reconfigureItems(found.changed) }
    let failuresBefore = thumbnails.failures.count
    let arrived = budget.clock.uncounted {
      thumbnails.collect(at: budget.clock.now(), atMost: GalleryScreen.bytesPerCollect)
    }
    rescanIfAsked()
    if found.isNews || thumbnails.failures.count != failuresBefore { showTitle() }
    dataSource.reconfigureItems(arrived.items)
    for bitmap in arrived.bitmaps { resources?.uploads.enqueueAhead(bitmap) }
  }

  /// Brings the photograph that was asked for into view, now that places are computed for the window's size; and puts
  /// the requests of what is on screen in another order where the content began to pass by, or came to rest.
  public func layout() {
    revealWantedItem()
    guard moment.noteOffset() else { return }
    for case let cell as PhotoCell in grid.visibleCells {
      if let item = cell.item { thumbnails.setPlace(moment.place(of: cell.frame), of: item) }
    }
  }

  /// Reads the folders again if that was asked for and they are not being read.
  private func rescanIfAsked() {
    if library.rescanIfAsked(from: dataSource.snapshot) { showTitle() }
  }

  private func revealWantedItem() {
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    itemToReveal = nil
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Paints the caption of one item that will be seen, if that fits before the deadline.
  public func slackStep(_ budget: FrameBudget) -> Bool {
    guard let resources, budget.allows(captionsAhead.expectedCost), let item = captionsAhead.next() else {
      return false
    }
    let start = budget.clock.now()
    PhotoCell.prepareCaption(library.caption(of: item), cellWidth: grid.firstItemSize.width, in: resources)
    captionsAhead.note(budget.clock.now() - start)
    return true
  }

  /// Counts cells that still wait for their picture.
  public func frameDidEnd(_ record: FrameRecord) { waitingCells.count(in: grid, record) }
}

// MARK: - Pictures ahead

extension GalleryScreen: DataPrefetching {
  /// Asks for the pictures of items that will be seen.
  public func prefetchItems(_ items: [PhotoID]) {
    let distance = items.first.flatMap { dataSource.indexPath(for: $0) }.map(moment.distance) ?? 0
    let present = thumbnails.prefetch(items, distance: distance, at: moment.instant)
    for bitmap in present { resources?.uploads.enqueueAhead(bitmap) }
    captionsAhead.add(items)
  }

  /// Gives up pictures that will not be seen.
  public func cancelPrefetchingItems(_ items: [PhotoID]) { thumbnails.cancel(items) }
}

extension GalleryScreen: CollectionViewDelegate {
  /// Lets the picture of an item that left the screen wait for those that are there.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {
    guard let item = (cell as? PhotoCell)?.item else { return }
    thumbnails.postpone(item, at: moment.instant)
  }
}
