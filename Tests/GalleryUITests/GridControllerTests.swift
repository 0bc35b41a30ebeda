import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDecodingProtocol
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The grid controller, without a window")
struct GridControllerTests {
  /// A grid with photographs on a simulated clock.
  private final class Fixture {
    let host = GridDouble()
    let clock = SimulatedClock(kind: .virtual)
    let library: LibraryModel
    let pipeline: ImagePipeline
    let controller: GridController

    init(
      count: Int = 20, layout: GalleryLayoutKind = .grid,
      makeOutcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
    ) throws {
      let feed = FakeFeed()
      feed.appendBatch(feed.photos(count), FakeFeed.end)
      library = LibraryModel(feed: feed)
      pipeline = try ImagePipeline(
        ImagePipelineConfiguration(workers: 2, mode: .modelled, decodeDelay: .milliseconds(10)),
        decoders: GatedDecoder(isOpen: true, makeOutcome: makeOutcome), waker: TestWaker())
      controller = GridController(
        library: library, pipeline: pipeline, theme: .dark, layout: layout, columns: nil)
      controller.host = host
      controller.view.frame = Rect(x: 0, y: 40, width: 640, height: 440)
      insert(library.takeChanges().added)
      layOut()
    }

    isolated deinit { pipeline.shutdown() }

    var items: [PhotoID] { controller.dataSource.displayedSnapshot().itemIdentifiers }

    func insert(_ items: [PhotoID]) {
      var snapshot = controller.dataSource.snapshot()
      if snapshot.numberOfSections == 0 { snapshot.appendSections([.all]) }
      snapshot.appendItems(items, toSection: .all)
      controller.dataSource.apply(snapshot, animatingDifferences: false)
    }

    func delete(_ items: [PhotoID]) {
      var snapshot = controller.dataSource.snapshot()
      snapshot.deleteItems(items)
      controller.dataSource.apply(snapshot, animatingDifferences: false)
    }

    func layOut() {
      controller.view.layoutIfNeeded()
      controller.view.layout()
    }

    /// Collects the pictures that arrive within a second.
    func collect() -> GridController.Arrivals {
      clock.advance(by: .seconds(1))
      controller.update(at: clock.now())
      return controller.collectPictures(FrameBudget(clock: clock, limit: clock.now(), target: clock.now()))
    }
  }

  @Test("The host is notified once of all updates, and whether they change indices")
  func updates() throws {
    let fixture = try Fixture()
    fixture.controller.reportUpdates()
    fixture.host.updates = []
    fixture.controller.reportUpdates()
    #expect(fixture.host.updates == [])
    fixture.insert([PhotoID(rawValue: 100)])
    fixture.insert([PhotoID(rawValue: 101)])
    fixture.controller.reportUpdates()
    #expect(fixture.host.updates == [false])
    fixture.delete([fixture.items[3]])
    fixture.insert([PhotoID(rawValue: 102)])
    fixture.controller.reportUpdates()
    #expect(fixture.host.updates == [false, true])
    fixture.controller.dataSource.reconfigureItems(fixture.items)
    fixture.controller.reportUpdates()
    #expect(fixture.host.updates == [false, true])
  }

  @Test("Actions of the user are passed on with photographs, and points on the screen")
  func interaction() throws {
    let fixture = try Fixture()
    let (view, controller) = (fixture.controller.view, fixture.controller)
    #expect(view.delegate === controller && !controller.decidesOnEachItem)
    view.select(.replace(IndexRuns(2..<5)))
    #expect(fixture.host.added == IndexRuns(2..<5) && fixture.host.settleCount == 1)
    controller.collectionView(view, performPrimaryActionForItemAt: IndexPath(item: 3, section: 0))
    controller.collectionView(view, performPrimaryActionForItemAt: IndexPath(item: 20, section: 0))
    #expect(fixture.host.opened == [fixture.items[3]])
    let paths = IndexPathRuns(IndexRuns(2..<5), in: ItemCounts([20]))
    #expect(controller.collectionView(view, showContextMenuForItemsAt: paths, at: Point(x: 5, y: 6)))
    #expect(fixture.host.menus.map(\.paths) == [paths] && fixture.host.menus.map(\.point) == [Point(x: 5, y: 46)])
    controller.collectionView(view, didHoverItemAt: nil)
    #expect(fixture.host.hoverCount == 1)
  }

  @Test("The wheel zooms with Control only, and the usual size returns")
  func zoom() throws {
    let fixture = try Fixture()
    let controller = fixture.controller
    func turnWheel(_ notches: Double, _ modifiers: KeyModifiers) -> Bool {
      let wheel = WheelInput(location: Point(x: 20, y: 60), deltaX: 0, deltaY: notches, modifiers: modifiers)
      defer { fixture.layOut() }
      return controller.handleZoom(InputEvent(time: .zero, kind: .wheel(wheel)))
    }
    let width = controller.view.firstItemSize.width
    #expect(!turnWheel(1, []) && controller.view.firstItemSize.width == width)
    #expect(turnWheel(0.5, .control) && controller.view.firstItemSize.width == width, "half a step")
    #expect(turnWheel(0.5, .control) && controller.view.firstItemSize.width > width)
    controller.resetZoom()
    fixture.layOut()
    #expect(controller.view.firstItemSize.width == width)
    controller.zoom(by: -1, around: nil)
    fixture.layOut()
    #expect(controller.view.firstItemSize.width < width)
  }

  @Test("Only justified rows depend on aspect ratios", arguments: GalleryLayoutKind.allCases)
  func aspectRatios(kind: GalleryLayoutKind) throws {
    #expect(try Fixture(layout: kind).controller.dependsOnAspectRatios == (kind == .justified))
  }

  @Test("Prefetched pictures arrive once, and are not requested for another library")
  func pictures() throws {
    let fixture = try Fixture()
    fixture.controller.prefetchItems(Array(fixture.items[..<4]))
    let arrivals = fixture.collect()
    #expect(Set(arrivals.items) == Set(fixture.items[..<4]) && arrivals.bitmaps.count == 4)
    #expect(!arrivals.changesFailures && arrivals.others.isEmpty && fixture.collect().items.isEmpty)
    fixture.controller.prefetchItems(Array(fixture.items[4..<8]))
    fixture.controller.removePictures()
    #expect(fixture.collect().items.isEmpty)
  }

  @Test("Pictures that cannot be decoded are counted, until their photographs are removed")
  func failures() throws {
    let fixture = try Fixture { _ in .failure(.refused(.unsupportedFormat)) }
    #expect(fixture.controller.failedCount == 0)
    fixture.controller.prefetchItems(Array(fixture.items[..<3]))
    let arrivals = fixture.collect()
    #expect(arrivals.changesFailures && arrivals.bitmaps.isEmpty && fixture.controller.failedCount == 3)
    #expect(!fixture.collect().changesFailures)
    fixture.controller.removePictures(of: [fixture.items[0]])
    #expect(fixture.controller.failedCount == 2)
  }
}

/// A screen that records the calls.
private final class GridDouble: GridHost {
  func zoomDidChange() {}
  var updates: [Bool] = []
  private(set) var added = IndexRuns()
  private(set) var settleCount = 0
  private(set) var opened: [PhotoID] = []
  private(set) var menus: [(paths: IndexPathRuns, point: Point)] = []
  private(set) var hoverCount = 0

  func selectionDidChange(adding added: IndexRuns, removing removed: IndexRuns) { self.added = added }
  func selectionDidSettle() { settleCount += 1 }
  func openPhotograph(_ item: PhotoID) { opened.append(item) }
  func showMenu(for indexPaths: IndexPathRuns, at point: Point) { menus.append((indexPaths, point)) }
  func hoveredPhotoDidChange() { hoverCount += 1 }
  func gridDidUpdate(changesIndices: Bool) { updates.append(changesIndices) }
}
