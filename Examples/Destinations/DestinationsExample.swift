import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Hosting
import ImagePipeline
import PictureServer
import Rendering
import Views

/// The sample of "Make blazing fast lists and collection views", with a server, and with the ways that lead to it.
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

  let root: View
  let grid: DestinationGrid
  let supply: PictureSupply
  var pipeline: ImagePipeline { supply.pipeline }
  var collectionView: CollectionView { grid.view }
  /// For how long cells had no picture.
  private(set) var placeholderTime = PlaceholderTime()
  /// What makes the frames, once there is a window.
  private(set) var loop: CommitLoop?
  private let shelf: PictureShelf
  private let ownsShelf: Bool
  private let likes: LikeTicker
  private let clock: any FrameClock
  private let step: Step

  convenience init(_ settings: DestinationsSettings, host: Host) throws {
    host.overlayTop = DestinationsScreen.barHeight
    let shelf = try PictureShelf.open(settings)
    do {
      // In a window pictures may come as they are painted. A simulation repeats, however long that takes.
      if host.clock.kind.isSimulated {
        host.addInterruptHandler { shelf.stopPainting() }
        try shelf.waitUntilPainted()
      }
      try self.init(settings, host: host, shelf: shelf, ownsShelf: true)
    } catch {
      shelf.close()
      throw error
    }
  }

  /// Makes the program on a host; who asks it to end does not wait for what it waits for.
  convenience init(
    _ settings: DestinationsSettings, host: Host, shelf: PictureShelf, ownsShelf: Bool = false
  ) throws {
    try self.init(settings, clock: host.clock, waker: host.waker, shelf: shelf, ownsShelf: ownsShelf)
    host.addInterruptHandler { [weak pipeline = supply.pipeline] in pipeline?.stopWaiting() }
  }

  /// Makes the program around pictures that are there already, and are closed by who made them unless told.
  init(
    _ settings: DestinationsSettings, clock: any FrameClock, waker: any LoopWaker, shelf: PictureShelf,
    ownsShelf: Bool = false
  ) throws {
    self.clock = clock
    step = settings.step
    self.shelf = shelf
    self.ownsShelf = ownsShelf
    let supply = try PictureSupply(settings, shelf, isSimulated: clock.kind.isSimulated, waker: waker)
    self.supply = supply
    do {
      likes = try LikeTicker(rate: settings.likeRate, seed: settings.hosting.seed, clock: clock, waker: waker)
    } catch {
      supply.end()
      throw error
    }
    let placeholders = Placeholders(theme: settings.theme)
    let assets = AssetStore(
      pipeline: supply.pipeline, source: supply.web.source, form: .display,
      placeholder: { placeholders.placeholder(of: $0) })
    let wrongWays =
      settings.step.decodesInPlace ? WrongWays(settings, supply, shelf, placeholders, clock: clock) : nil
    let posts = PostStore(count: settings.count, seed: settings.hosting.seed, title: { shelf.title($0) })
    let grid = DestinationGrid(posts, assets, step: settings.step, theme: settings.theme, wrongWays: wrongWays)
    self.grid = grid
    let screen = DestinationsScreen(grid.view, step: settings.step, theme: settings.theme)
    screen.onPictureSize = { [weak grid, weak wrongWays] size in
      wrongWays?.size = size
      grid?.setPictureSize(size)
    }
    root = screen
    // The longer a cell lies in the pool, the likelier it is found there by who kept it.
    if settings.step == .settingTheCapturedCell { grid.view.cellQuarantine = 4 }
    grid.setInitialData()
  }

  func join(_ window: Window, _ loop: CommitLoop) {
    self.loop = loop
    collectionView.delegate = self
    if !step.prefetchesCells { collectionView.isCellPrefetchingEnabled = false }
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
      overlay.waitingForPicture = PlaceholderTime.count(in: collectionView)
      return overlay
    }
    figures.isFullyShown = { [self] in
      !collectionView.visibleCells.isEmpty && PlaceholderTime.count(in: collectionView) == 0
    }
    return figures
  }

  func end() {
    loop = nil
    likes.end()
    // Before the server, whose threads may wait for a picture.
    if ownsShelf { shelf.close() }
    supply.end()
  }
}

extension DestinationsExample: FrameParticipant {
  var needsFrames: Bool { pipeline.hasPendingArrivals || likes.next.map { $0 <= clock.now() } ?? false }

  var nextArrival: FrameInstant? { [pipeline.nextArrival, likes.next].compactMap { $0 }.min() }

  func hasArrivals(by now: FrameInstant) -> Bool {
    pipeline.hasPendingArrivals || nextArrival.map { $0 <= now } ?? false
  }

  /// Takes in what was downloaded and prepared, and who was liked.
  func collect(_ budget: FrameBudget) {
    let now = budget.clock.now()
    // On a simulated line it waits for what is due, which is not counted; what is done with it is.
    budget.clock.performUncounted { pipeline.advance(to: now) }
    _ = pipeline.collect(at: now, atMost: 16 << 20)
    let visible = collectionView.visibleCells.compactMap { $0.itemIdentifier as? DestinationPost.ID }
    for like in likes.take(by: now) where !visible.isEmpty {
      let id = visible[Int(like % UInt64(visible.count))]
      grid.posts.like(id, times: 1 + Int(like >> 60))
      grid.setPostNeedsUpdate(id)
    }
  }

  func frameDidEnd(_ record: FrameRecord) { placeholderTime.take(record, of: collectionView) }

  func handleMemoryPressure() { pipeline.handleMemoryPressure() }
}

extension DestinationsExample: CollectionViewDelegate, CollectionViewInteractionDelegate {
  /// A double click, or Return, tries again where there is no picture.
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    grid.retry(at: indexPath)
  }
}
