import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The viewer controller, without a window")
struct ViewerControllerTests {
  /// A viewer of photographs on a simulated clock.
  private final class Fixture {
    let host = ViewerDouble()
    let clock = SimulatedClock(kind: .virtual)
    let library: LibraryModel
    let pipeline: ImagePipeline
    let grid: CollectionView
    let dataSource: DiffableDataSource<GallerySection, PhotoID>
    let controller: ViewerController
    /// The photographs of the library.
    let photographs: [PhotoID]

    init(count: Int = 20) throws {
      let feed = FakeFeed()
      feed.appendBatch(feed.photos(count, byteCount: 2_000_000), FakeFeed.end)
      library = LibraryModel(feed: feed)
      photographs = library.takeChanges().added
      pipeline = try ImagePipeline(
        ImagePipelineConfiguration(workers: 2, mode: .modelled, decodeDelay: .milliseconds(10)),
        decoders: GatedDecoder(isOpen: true) { GatedDecoder.generatedImage(for: $0.key) }, waker: TestWaker())
      grid = CollectionView(
        layout: GalleryLayout.makeLayout(GalleryZoom(.grid), input: LayoutInput()))
      grid.frame = Rect(x: 0, y: 0, width: 400, height: 300)
      grid.allowsSelection = true
      grid.allowsMultipleSelection = true
      let registration = CellRegistration<CollectionViewCell, PhotoID> { _, _, _ in }
      dataSource = DiffableDataSource(collectionView: grid) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      let library = library
      controller = ViewerController(
        host: host, grid: grid, dataSource: dataSource, library: library, pipeline: pipeline,
        thumbnails: ThumbnailLoader(pipeline: pipeline, background: .black, reference: { library.reference(to: $0) }) {
          _ in nil
        })
      show(photographs)
    }

    isolated deinit { pipeline.shutdown() }

    /// Shows photographs in the grid.
    func show(_ items: [PhotoID]) {
      var snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>()
      snapshot.appendSections([.all])
      snapshot.appendItems(items, toSection: .all)
      dataSource.apply(snapshot, animatingDifferences: false)
      controller.updateIndex()
    }

    /// Advances the fade animation, and collects pictures.
    func runFrames(_ count: Int) {
      for _ in 0..<count {
        clock.advance(by: .milliseconds(16))
        host.now = clock.now()
        controller.update(at: host.now)
        controller.apply(pipeline.collect(at: host.now))
      }
    }

    var hasPicture: Bool {
      guard let state = controller.state, let size = PixelSize(width: 400, height: 300),
        case .picture = controller.pictures.state(of: state.item, in: size)
      else { return false }
      return true
    }

    /// The texts of the bar: the name, and the position and the size.
    var texts: [String] {
      (controller.state?.view.subviews ?? []).flatMap(\.subviews).compactMap { ($0 as? Label)?.text }.filter {
        !$0.isEmpty
      }
    }
  }

  @Test("A photograph of the grid opens over the screen with the focus, and others do not")
  func opens() throws {
    let fixture = try Fixture()
    fixture.controller.open(PhotoID(rawValue: 1_000))
    #expect(!fixture.controller.isShown && fixture.host.log == [])
    fixture.controller.open(fixture.photographs[3])
    let view = try #require(fixture.controller.openView)
    #expect(fixture.host.log == ["will open", "focus PictureViewer"])
    #expect(fixture.host.subviews.count == 1 && fixture.host.subviews[0] === view && view.frame == fixture.host.bounds)
    #expect(fixture.controller.openItem == fixture.photographs[3])
    #expect(fixture.texts == ["IMG_3.JPG", "4 of 20   2.0 MB"])
    fixture.host.noticeText = "Copied 1 path"
    fixture.controller.showContent()
    #expect(fixture.texts == ["IMG_3.JPG", "Copied 1 path"], "the viewer covers the title bar")
    fixture.controller.open(fixture.photographs[4])
    #expect(fixture.host.subviews.count == 1 && fixture.controller.openView !== view)
    fixture.host.frame.size.width = 500
    fixture.controller.layout()
    #expect(fixture.controller.openView?.frame == fixture.host.bounds)
  }

  @Test("Steps end at the first and the last photograph")
  func steps() throws {
    let fixture = try Fixture()
    fixture.controller.open(fixture.photographs[3])
    let view = try #require(fixture.controller.state?.view)
    for (steps, index) in [(1, 4), (-2, 2), (-9, 0), (100, 19), (1, 19)] {
      view.onStep(steps)
      #expect(fixture.controller.openItem == fixture.photographs[index])
    }
    view.onEnd(false)
    #expect(fixture.controller.openItem == fixture.photographs[0])
    view.onEnd(true)
    #expect(fixture.controller.openItem == fixture.photographs[19] && fixture.controller.openView === view)
  }

  @Test("The viewer fades in and out; while it fades out it has no input, and its pictures are not requested")
  func fades() throws {
    let fixture = try Fixture()
    fixture.controller.open(fixture.photographs[3])
    let view = try #require(fixture.controller.state?.view)
    #expect(view.opacity == 0)
    fixture.runFrames(5)
    #expect(view.opacity > 0 && view.opacity < 1 && fixture.controller.isAnimating(at: fixture.host.now))
    fixture.runFrames(20)
    #expect(view.opacity == 1 && !fixture.controller.isAnimating(at: fixture.host.now) && fixture.hasPicture)
    view.onStep(5)
    fixture.host.log = []
    fixture.controller.close()
    #expect(!fixture.controller.isOpen && fixture.controller.isShown && !view.isUserInteractionEnabled)
    #expect(fixture.controller.openView == nil && fixture.controller.openItem == nil)
    #expect(fixture.host.log == ["focus CollectionView"])
    fixture.controller.close()
    #expect(fixture.host.log.count == 1, "it is closed once")
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.pipeline.collect(at: fixture.clock.now()).isEmpty, "requests were cancelled")
    fixture.runFrames(20)
    #expect(!fixture.controller.isShown && fixture.host.subviews.isEmpty)
  }

  @Test("Without motion it opens and closes at once")
  func reducedMotion() throws {
    let fixture = try Fixture()
    fixture.grid.reducesMotion = true
    fixture.controller.open(fixture.photographs[3])
    #expect(fixture.controller.state?.view.opacity == 1)
    fixture.controller.close()
    #expect(!fixture.controller.isShown && fixture.host.subviews.isEmpty)
  }

  @Test("The focus moves to the photograph viewed last, and the selection only if the opened one was the only selected")
  func selection() throws {
    for (selected, opened, expected) in [([3], 3, [5]), ([3], 7, [3]), ([2, 3], 3, [2, 3]), ([], 3, [])] {
      let fixture = try Fixture()
      fixture.grid.select(.replace(IndexRuns(selected)))
      fixture.controller.open(fixture.photographs[opened])
      fixture.controller.state?.view.onStep(2)
      fixture.controller.close()
      #expect(fixture.grid.selection.lead == opened + 2)
      #expect(fixture.grid.selection.items == IndexRuns(expected), "\(selected), \(opened)")
    }
  }

  @Test(
    "After random updates the same photograph is viewed, or the one at its index, until none remains",
    arguments: TestScale.seeds(0..<12))
  func updates(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let fixture = try Fixture()
    var items = fixture.photographs
    fixture.controller.open(items[7])
    for step in 0..<200 where !items.isEmpty {
      let viewed = try #require(fixture.controller.openItem)
      let index = try #require(items.firstIndex(of: viewed))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: fixture.controller.state?.view.onStep(.random(in: -3...3, using: &random))
      case 1: items.shuffle(using: &random)
      case 2: items.insert(PhotoID(rawValue: UInt32(1_000 + step)), at: .random(in: 0...items.count, using: &random))
      case 3: items.remove(at: index)
      default: items.remove(at: .random(in: 0..<items.count, using: &random))
      }
      let stepped = fixture.controller.openItem
      fixture.show(items)
      guard !items.isEmpty else { break }
      let expected = stepped.flatMap { items.contains($0) ? $0 : nil } ?? items[min(index, items.count - 1)]
      #expect(fixture.controller.openItem == expected, "step \(step)")
      #expect(
        fixture.controller.state?.index.map { items[$0] } == expected && fixture.controller.state?.count == items.count)
    }
    fixture.show([])
    #expect(!fixture.controller.isOpen && fixture.controller.openItem == nil)
  }
}

/// A screen that records the calls.
private final class ViewerDouble: View, ViewerHost {
  var log: [String] = []
  var now = FrameInstant.zero
  var noticeText: String?
  let openAddress: ((String) -> Void)? = nil
  let isFullScreen = false
  let coversViewer = false
  let theme = Theme.dark
  let resources: RenderResources? = RenderResources(
    display: RecordingDisplay(size: Size(width: 400, height: 300)), text: BlockTextRasterizer())

  init() { super.init(frame: Rect(x: 0, y: 0, width: 400, height: 300)) }

  var frameInstant: FrameInstant { now }
  func viewerWillOpen() { log.append("will open") }
  func moveKeyboardFocus(to view: View) { log.append("focus \(type(of: view))") }
  func pictureFrame(of item: PhotoID) -> Rect? { item.rawValue == 4 ? Rect(x: 10, y: 20, width: 80, height: 60) : nil }
  func toggleFullScreen() { log.append("full screen") }
  func setScreenSaverDisabled(_ isDisabled: Bool) { log.append("screen saver \(isDisabled ? "disabled" : "enabled")") }
  func setPointerHidden(_ isHidden: Bool) { log.append("pointer \(isHidden ? "hidden" : "visible")") }
  func showPictureMenu(at point: Point) { log.append("menu") }
}
