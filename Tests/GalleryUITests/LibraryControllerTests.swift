import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The library controller, without a window")
struct LibraryControllerTests {
  private let feed = FakeFeed()
  private let host = LibraryDouble()
  private let clock = SimulatedClock(kind: .virtual)
  private let library: LibraryModel
  private let grid: CollectionView
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  private let controller: LibraryController

  init() {
    library = LibraryModel(feed: feed, pathToReveal: PhotoPath("/pictures/IMG_30.JPG"))
    grid = CollectionView(layout: GalleryLayout.makeLayout(GalleryZoom(.grid), input: LayoutInput()))
    let registration = CellRegistration<CollectionViewCell, PhotoID> { _, _, _ in }
    dataSource = DiffableDataSource(collectionView: grid) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    controller = LibraryController(library: library, grid: grid, dataSource: dataSource)
    controller.host = host
    grid.frame = Rect(x: 0, y: 0, width: 400, height: 300)
  }

  private var budget: FrameBudget {
    FrameBudget(clock: clock, limit: clock.now() + .milliseconds(12), target: clock.now() + .milliseconds(16))
  }

  /// The photographs in the grid, by their number from 0 on.
  private var shown: [Int] { dataSource.displayedSnapshot().itemIdentifiers.map { Int($0.rawValue) - 1 } }

  private func find(_ count: Int) {
    feed.appendBatch(feed.photos(count, byteCount: 5), FakeFeed.end)
    _ = controller.collectChanges(budget)
  }

  @Test("Found photographs are inserted, changed ones are reported, and frames without events report nothing")
  func changes() {
    feed.appendBatch(feed.photos(3))
    _ = controller.collectChanges(budget)
    #expect(shown == [0, 1, 2] && host.log == ["changed"])
    _ = controller.collectChanges(budget)
    #expect(host.log == ["changed"])
    let items = dataSource.displayedSnapshot().itemIdentifiers
    feed.appendBatch(
      .headers([
        HeaderResult(ordinal: 1, identity: FakeFeed.identity(1, version: 2), header: ImageHeader(format: .png))
      ]))
    let changes = controller.collectChanges(budget)
    #expect(changes.hasEvents && changes.changed == [items[1]])
    #expect(host.changed == [items[1]] && host.replaced == [items[1]])
    #expect(host.log == ["changed", "photographs", "changed"])
  }

  @Test("The requested photograph is opened once when it is in the grid, which then scrolls to it")
  func reveals() {
    controller.revealWantedItem()
    #expect(grid.selection.lead == nil && !host.log.contains("opened"))
    find(40)
    #expect(grid.selection.lead == nil && host.log.count { $0 == "opened" } == 1)
    controller.revealWantedItem()
    #expect(grid.selection.lead == 30 && host.log.count { $0 == "opened" } == 1)
    grid.focusItem(at: 0)
    controller.revealWantedItem()
    #expect(grid.selection.lead == 0, "a photograph is revealed once")
  }

  @Test("A rescan waits for the end of the current one, and reports removed photographs")
  func rescans() {
    find(5)
    controller.rescan()
    controller.rescan()
    #expect(feed.rescanCount == 1)
    let items = dataSource.displayedSnapshot().itemIdentifiers
    find(3)
    #expect(shown == [0, 1, 2] && host.removed == Set(items[3...]))
    controller.rescanIfRequested()
    controller.rescanIfRequested()
    #expect(feed.rescanCount == 2)
  }

  @Test("A sort waits for a rescan, and scrolls to the top unless the user acts meanwhile", arguments: [false, true])
  func sorts(acts: Bool) {
    library.open(feed, pathToReveal: nil)
    find(200)
    grid.reducesMotion = true
    runFrame()
    grid.scroll(to: 900, animated: false)
    #expect(grid.contentOffset == 900)
    controller.rescan()
    controller.userDidAct(at: clock.now())
    host.log = []
    controller.sort(by: .size)
    controller.sort(by: .size)
    #expect(library.sorting == .size && library.isSorting && host.log == ["activity"], "requested once")
    if acts { controller.userDidAct(at: clock.now() + .milliseconds(1)) }
    find(200)
    for _ in 0..<3 { runFrame() }
    #expect(!library.isSorting && grid.contentOffset == (acts ? 900 : 0))
  }

  /// Evaluates the grid's scroll position in the next frame.
  private func runFrame() {
    clock.advance(by: .milliseconds(16))
    grid.update(at: clock.now())
    grid.layoutIfNeeded()
    grid.layout()
  }

  @Test("Another library starts at the top, after work on the photographs of the last one has ended")
  func opens() {
    find(40)
    var counts: [Int] = []
    host.onClose = { [dataSource, library] in
      counts = [library.count, dataSource.displayedSnapshot().numberOfItems]
    }
    let next = FakeFeed()
    next.appendBatch(next.photos(2), FakeFeed.end)
    controller.open(next, pathToReveal: nil)
    #expect(counts == [0, 40] && shown.isEmpty && grid.contentOffset == 0)
    controller.revealWantedItem()
    #expect(grid.selection.lead == nil)
    _ = controller.collectChanges(budget)
    #expect(shown.count == 2)
  }

  @Test("Shuffled photographs stay in their section")
  func shuffles() {
    find(50)
    controller.shuffle(seed: 1)
    #expect(shown != Array(0..<50) && shown.sorted() == Array(0..<50))
  }
}

/// A screen that records the calls.
private final class LibraryDouble: LibraryHost {
  var layoutDependsOnAspectRatios: Bool { false }
  var log: [String] = []
  private(set) var changed: [PhotoID] = []
  private(set) var replaced: [PhotoID] = []
  private(set) var removed: Set<PhotoID> = []
  var onClose: () -> Void = {}

  func libraryDidChange() { log.append("changed") }
  func libraryDidClose() { onClose() }

  func photographsDidChange(_ changed: [PhotoID], replaced: [PhotoID]) {
    self.changed += changed
    self.replaced += replaced
    log.append("photographs")
  }

  func photographsWereRemoved(_ items: [PhotoID]) { removed.formUnion(items) }
  func captionsDidChange() { log.append("captions") }
  func libraryActivityDidChange() { log.append("activity") }
  func openWantedPhotograph(_ item: PhotoID) { log.append("opened") }
  func isViewing(_ item: PhotoID) -> Bool { log.contains("opened") }
}
