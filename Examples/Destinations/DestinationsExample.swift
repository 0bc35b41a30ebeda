import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath
import PictureServer
import VitrineDiagnostics
import VitrineHosting
import VitrineImages

@main
struct Main {
  static func main() { ExampleProgram<DestinationsExample>.main() }
}

/// The sample of "Make blazing fast lists and collection views", with a web server and the steps that lead to it.
final class DestinationsExample: Example {
  static let name = "destinations"
  static let title = "Destinations"
  static let summary = """
    Shows destinations whose pictures come from a web server on this machine, which it starts itself: a placeholder \
    first, the download begun before the post is seen, the picture prepared off the thread that draws, the post \
    reconfigured. \
    --step shows the ways that lead there, --story what each of them costs.
    """
  static let options = DestinationsSettings.options

  let rootView: View
  let grid: DestinationGrid
  let service: PictureService
  var pipeline: ImagePipeline { service.pipeline }
  var collectionView: CollectionView { grid.view }
  var barHeight: Double { DestinationsScreen.barHeight }
  /// The time that cells have waited for their picture.
  private(set) var placeholderTime = PlaceholderTime()
  /// The frame loop of the window, or nil before the window is open.
  private(set) var loop: CommitLoop?
  private let catalog: PictureCatalog
  private let ownsCatalog: Bool
  private let likes: LikeTicker
  private let clock: any FrameClock
  private let step: Step

  convenience init(_ settings: DestinationsSettings, host: Host) throws {
    let catalog = try PictureCatalog.open(settings)
    do {
      // A window can show pictures as they are generated. A simulated run is the same each time, so it waits for all of
      // them.
      if host.clock.kind.isSimulated {
        host.addInterruptHandler { catalog.stopGenerating() }
        try catalog.waitUntilGenerated()
      }
      try self.init(settings, host: host, catalog: catalog, ownsCatalog: true)
    } catch {
      catalog.close()
      throw error
    }
  }

  /// Creates the example on a host, whose interrupts also end waiting for downloads.
  convenience init(
    _ settings: DestinationsSettings, host: Host, catalog: PictureCatalog, ownsCatalog: Bool = false
  ) throws {
    try self.init(settings, clock: host.clock, waker: host.waker, catalog: catalog, ownsCatalog: ownsCatalog)
    host.addInterruptHandler { [weak pipeline = service.pipeline] in pipeline?.stopWaiting() }
  }

  /// Creates the example with a catalog, which the caller closes unless `ownsCatalog` is true.
  init(
    _ settings: DestinationsSettings, clock: any FrameClock, waker: any LoopWaker, catalog: PictureCatalog,
    ownsCatalog: Bool = false
  ) throws {
    self.clock = clock
    step = settings.step
    self.catalog = catalog
    self.ownsCatalog = ownsCatalog
    let service = try PictureService(settings, catalog, isSimulated: clock.kind.isSimulated, waker: waker)
    self.service = service
    do {
      likes = try LikeTicker(rate: settings.likeRate, seed: settings.hosting.seed, clock: clock, waker: waker)
    } catch {
      service.shutdown()
      throw error
    }
    let placeholders = Placeholders(theme: settings.theme)
    let assets = AssetStore(
      pipeline: service.pipeline, source: service.downloader.source, form: .display,
      placeholder: { placeholders.image(for: $0) })
    let naiveLoader =
      settings.step.decodesInPlace ? NaiveLoader(settings, service, catalog, placeholders, clock: clock) : nil
    let posts = PostStore(count: settings.count, seed: settings.hosting.seed, title: { catalog.title(of: $0) })
    let grid = DestinationGrid(posts, assets, step: settings.step, theme: settings.theme, naiveLoader: naiveLoader)
    self.grid = grid
    let screen = DestinationsScreen(grid.view, step: settings.step, theme: settings.theme)
    screen.onPictureSizeChange = { [weak grid, weak naiveLoader] size in
      naiveLoader?.size = size
      grid?.setPictureSize(size)
    }
    rootView = screen
    // The longer a cell stays in the pool, the more likely a late completion is caught writing to it.
    if settings.step == .settingTheCapturedCell { grid.view.cellQuarantine = 4 }
    grid.setInitialData()
  }

  func addParticipants(to window: Window, loop: CommitLoop) {
    self.loop = loop
    collectionView.delegate = self
    if !step.prefetchesCells { DemonstrationSwitches(collectionView).isCellPrefetchingEnabled = false }
    window.addParticipant(self)
  }

  var figures: RunFigures {
    var figures = RunFigures(of: collectionView)
    figures.library = { [self] in
      LibraryFigures(
        items: collectionView.itemCount, sections: collectionView.numberOfSections, failed: grid.failedCount)
    }
    figures.journal = pipeline.journal
    figures.workerTime = { [pipeline] in pipeline.decodingProcessorTime }
    figures.images = { [self] in
      guard let resources = loop?.window.resources else { return nil }
      var images = ImageFigures(of: pipeline, in: resources)
      images.placeholderCellMs = placeholderTime.cellMilliseconds
      return images
    }
    figures.bitmapBytes = { [pipeline] in pipeline.statistics.cacheBytes }
    figures.overlay = { [self] in
      var overlay = OverlayFigures(of: collectionView)
      overlay.add(pipeline)
      overlay.visibleCellsWithoutImage = PlaceholderTime.count(in: collectionView)
      return overlay
    }
    figures.isFullyShown = { [self] in
      !collectionView.visibleCells.isEmpty && PlaceholderTime.count(in: collectionView) == 0
    }
    return figures
  }

  func shutdown() {
    loop = nil
    likes.shutdown()
    // The catalog is closed before the server, whose threads may be waiting for a picture.
    if ownsCatalog { catalog.close() }
    service.shutdown()
  }
}

extension DestinationsExample: FrameParticipant {
  var needsFrames: Bool { pipeline.hasPendingArrivals || likes.nextLike.map { $0 <= clock.now() } ?? false }

  var nextArrival: FrameInstant? { [pipeline.nextArrival, likes.nextLike].compactMap { $0 }.min() }

  func hasArrivals(by now: FrameInstant) -> Bool {
    pipeline.hasPendingArrivals || nextArrival.map { $0 <= now } ?? false
  }

  /// Collects downloaded and prepared pictures, and likes.
  func collect(_ budget: FrameBudget) {
    let now = budget.clock.now()
    // On a simulated clock this waits for pending downloads. The wait is not counted; handling the results is.
    budget.clock.performUncounted { pipeline.advance(to: now) }
    _ = pipeline.collect(at: now, atMost: 16 << 20)
    let visible = collectionView.visibleCells.compactMap { $0.itemIdentifier as? DestinationPost.ID }
    for like in likes.takeLikes(by: now) where !visible.isEmpty {
      let id = visible[Int(like % UInt64(visible.count))]
      grid.posts.like(id, times: 1 + Int(like >> 60))
      grid.setPostNeedsUpdate(id)
    }
  }

  func frameDidEnd(_ record: FrameRecord) { placeholderTime.recordFrame(record, in: collectionView) }

  func handleMemoryPressure() { pipeline.handleMemoryPressure() }
}

extension DestinationsExample: CollectionViewDelegate {
  /// Retries a failed picture after a double click or Return.
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    grid.retry(at: indexPath)
  }
}
