import BenchmarkSupport
import CollectionLayout
import CollectionUI
import DataStructures
import DiffableData
import FramePacing
import Geometry
import Rendering
import SDLBackend
import Views

/// One run of the scene on a display: 1280 x 800 points, six columns of pictures of 180 x 135 points with a line of type
/// that is cut, 256 different pictures, 36 to 42 cells in sight.
@MainActor
struct SceneRun {
  private let options: SceneOptions
  private let way: SceneWay

  private static let size = Size(width: 1_280, height: 800)
  private static let speed = 2_000.0
  private static let warmUp = 60
  private static let pictures = 256

  init(_ options: SceneOptions, _ way: SceneWay) {
    self.options = options
    self.way = way
  }

  /// Shows the scene for its time.
  ///
  /// - Throws: `DisplayError` where there is no display.
  func run() throws -> SceneReading {
    let display = try SDLDisplay(
      configuration: SDLDisplayConfiguration(
        title: "Vitrine's scene", size: SceneRun.size, isHeadless: options.kind == .headless, renderer: .memory,
        redraw: way == .damage ? .damage : .whole))
    defer { display.close() }
    return try run(on: display)
  }

  private func run(on display: SDLDisplay) throws -> SceneReading {
    let clock = MonotonicClock()
    let view = CollectionView(
      layout: GridLayout(
        columns: .count(6), columnSpacing: 20, rowSpacing: 10,
        sectionInsets: Insets(top: 10, left: 50, bottom: 10, right: 50), heightRatio: 0.75,
        captionHeight: PictureCell.captionHeight))
    let window = Window(root: view, resources: RenderResources(display: display, text: display.textRasterizer))
    let loop = CommitLoop(
      window: window, display: display, events: display.events, clock: clock,
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1 / Double(options.refreshRate)), isMeasured: false, reason: "a benchmark"))
    let watch = SceneWatch(view, speed: SceneRun.speed)
    window.addFirstParticipant(watch)
    window.addParticipant(view)
    window.resize(to: SceneRun.size)
    let source = try source(of: view)
    _ = loop.run(LoopLimits(frames: SceneRun.warmUp))
    watch.isMeasuring = true
    let moved = display.redrawStatistics.movedFrames
    let start = ProcessTime.now
    _ = loop.run(LoopLimits(duration: .seconds(Double(options.seconds))))
    let end = ProcessTime.now
    let memory = ProcessMemory.residentNow
    var reading = watch.finished()
    reading.processorTime = end - start
    (reading.resident, reading.mostResident) = memory
    reading.allocated = ProcessMemory.allocated
    reading.movedFrames = display.redrawStatistics.movedFrames - moved
    reading.hasRightPixels = try hasRightPixels(display, loop)
    withExtendedLifetime(source) {}
    return reading
  }

  private func source(of view: CollectionView) throws -> DiffableDataSource<Int, Int> {
    guard let size = PixelSize(width: 180, height: 135) else {
      failPrecondition("A picture of the benchmark has no size.")
    }
    let pictures = try ScenePictures(size: size, count: SceneRun.pictures)
    let registration = CellRegistration<PictureCell, Int> { cell, _, item in
      cell.show(pictures[item], "Photograph \(item), summer by the sea")
    }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<options.sizes[0]), toSection: 0)
    source.applySnapshotUsingReloadData(snapshot)
    return source
  }

  /// Whether the frame on screen is the one that is drawn when nothing of it is there.
  private func hasRightPixels(_ display: SDLDisplay, _ loop: CommitLoop) throws -> Bool {
    let shown = try display.readPixels()
    display.draw(DisplayList(), background: Color(hex: 0xFF00FF))
    let empty = try display.readPixels()
    let drawn = try loop.lastFramePixels()
    return shown.contentDigest == drawn.contentDigest && shown.contentDigest != empty.contentDigest
  }
}
