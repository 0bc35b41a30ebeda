import BenchmarkSupport
import CollectionUI
import Glibc
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineScrollPhysics
import VitrineViews

/// `bench scroll --scene`: measures a scene on a real display in both redraw modes, alternately.
@MainActor
struct SceneProgram {
  private let options: SceneOptions

  init(_ options: SceneOptions) { self.options = options }

  /// Performs a single run, or all runs in separate processes.
  func run() throws {
    if options.kind == .window, getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil {
      throw CommandError(
        "--scene window needs a window system: set DISPLAY or WAYLAND_DISPLAY, or take --scene headless")
    }
    if let mode = options.only {
      Output.line(try SceneRun(options, mode).run().line)
      return
    }
    Output.line(
      "1280 x 800 points, six columns of pictures of 180 x 135 with a line of type, 2,000 points a second, "
        + "\(options.refreshRate) Hz, \(options.seconds) s a run after 60 frames; \(options.kind.rawValue).")
    Output.line("Processor time is the process's own, user's and system's; the parts of a frame are wall times.")
    var summary = SceneSummary()
    for _ in 0..<options.repeats {
      for size in options.sizes {
        for mode in SceneRedrawMode.allCases { summary.add(try reading(mode, size), mode, size: size) }
      }
      if let peer = options.peer {
        for mode in SceneRedrawMode.allCases { summary.addPeerTime(try time(of: peer, mode), mode) }
      }
    }
    for line in summary.table.lines { Output.line("  " + line) }
    if let line = summary.itemLine { Output.line("  " + line) }
    for line in summary.peerLines { Output.line("  " + line) }
  }

  private func time(of peer: String, _ mode: SceneRedrawMode) throws(CommandError) -> Double {
    let arguments = [peer, mode.peerArgument, "\(options.refreshRate)", "\(options.seconds)"]
    guard let time = ShellCommand.output(arguments).flatMap(ScenePeer.time(in:)) else {
      throw CommandError("\(peer): it printed no time")
    }
    return time
  }

  private func reading(_ mode: SceneRedrawMode, _ size: Int) throws(CommandError) -> SceneReading {
    guard let text = CurrentExecutable.output(options.arguments(of: mode, size: size)),
      let reading = text.split(separator: "\n").lazy.compactMap({ SceneReading(line: String($0)) }).first
    else { throw CommandError("the scene could not be shown (\(options.kind.rawValue), \(size) items)") }
    return reading
  }
}

// MARK: - Runs

/// One run of the scene on a display.
///
/// The display has 1280 x 800 points and shows six columns of images of 180 x 135 points with a truncated line of text,
/// 256 different images, and 36 to 42 visible cells.
@MainActor
private struct SceneRun {
  private let options: SceneOptions
  private let mode: SceneRedrawMode

  private static let size = Size(width: 1_280, height: 800)
  private static let speed = 2_000.0
  private static let warmUp = 60
  private static let pictures = 256

  init(_ options: SceneOptions, _ mode: SceneRedrawMode) {
    self.options = options
    self.mode = mode
  }

  /// Shows the scene for the duration of the run.
  ///
  /// - Throws: `DisplayError` if there is no display.
  func run() throws -> SceneReading {
    let display = try SDLDisplay(
      configuration: SDLDisplayConfiguration(
        title: "Vitrine's scene", size: SceneRun.size, isHeadless: options.kind == .headless, renderer: .memory,
        redraw: mode == .damage ? .damage : .whole))
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
    let window = Window(rootView: view, resources: RenderResources(display: display, text: display.textRasterizer))
    let loop = CommitLoop(
      window: window, display: display, events: display.events, clock: clock,
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1 / Double(options.refreshRate)), isMeasured: false, reason: "a benchmark"))
    let recorder = SceneRecorder(view, speed: SceneRun.speed)
    window.addFirstParticipant(recorder)
    window.addParticipant(view)
    window.resize(to: SceneRun.size)
    let source = try source(of: view)
    _ = loop.run(LoopLimits(frames: SceneRun.warmUp))
    recorder.isMeasuring = true
    let moved = display.redrawStatistics.movedFrames
    let start = ProcessTime.now
    _ = loop.run(LoopLimits(duration: .seconds(Double(options.seconds))))
    let end = ProcessTime.now
    let memory = ProcessMemory.residentBytes
    var reading = recorder.finalReading()
    reading.processorTime = end - start
    (reading.resident, reading.peakResident) = memory
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
    let pictures = try SceneBitmaps(size: size, count: SceneRun.pictures)
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

  /// Returns whether the displayed frame equals a full redraw.
  private func hasRightPixels(_ display: SDLDisplay, _ loop: CommitLoop) throws -> Bool {
    let shown = try display.readPixels()
    display.draw(DisplayList(), background: Color(hex: 0xFF00FF))
    let empty = try display.readPixels()
    let drawn = try loop.lastFramePixels()
    return shown.contentDigest == drawn.contentDigest && shown.contentDigest != empty.contentDigest
  }
}

/// Scrolls the scene and accumulates its frames.
@MainActor
private final class SceneRecorder: FrameParticipant {
  /// The frames so far.
  private(set) var reading = SceneReading()
  /// Whether frames are accumulated.
  var isMeasuring = false

  private let view: CollectionView
  private let speed: Double
  private var commits: [Int64] = []
  private var lastShown: FrameInstant?
  /// The times of the parts, in their order.
  ///
  /// An array, because a dictionary would require lookups in every frame.
  private var times = [Int](repeating: 0, count: SceneReading.Part.allCases.count)

  init(_ view: CollectionView, speed: Double) {
    self.view = view
    self.speed = speed
    commits.reserveCapacity(1 << 16)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    guard view.scroll.phase(at: target) == .idle else { return }
    view.applyScrollEvent(.steady(velocity: speed), at: target)
  }

  func frameDidEnd(_ record: FrameRecord) {
    guard isMeasuring else { return }
    reading.frames += 1
    if record.hitch > .zero { reading.hitches += 1 }
    if record.hitchClass == .commitLate || record.hitchClass == .slackOverrun { reading.ownHitches += 1 }
    if let lastShown {
      let gap = Int((record.shown - lastShown).nanoseconds)
      reading.longestGap = max(reading.longestGap, gap)
      if gap > SceneReading.longGap { reading.longGaps += 1 }
    }
    lastShown = record.shown
    commits.append(record.commit.nanoseconds)
    let (events, upload, raster) = (
      record.duration(of: .events), record.duration(of: .upload), record.duration(of: .raster)
    )
    times[0] += Int(events.nanoseconds)
    times[1] += Int((record.commit - events - upload - raster).nanoseconds)
    times[2] += Int(upload.nanoseconds)
    times[3] += Int(raster.nanoseconds)
    times[4] += Int(record.duration(of: .slack).nanoseconds)
    times[5] += Int(record.duration(of: .present).nanoseconds)
  }

  /// Returns the frames so far with their percentile.
  func finalReading() -> SceneReading {
    var reading = reading
    for (part, time) in zip(SceneReading.Part.allCases, times) { reading.parts[part] = time }
    reading.percentile99Commit = Percentiles(ofNanoseconds: commits).map { Int($0.p99.nanoseconds) } ?? 0
    return reading
  }
}

/// Decoded images of a cell's size: noise over gradients, so that no two pixels are copies of each other.
@MainActor
private final class SceneBitmaps {
  private var pictures: [Bitmap] = []

  /// Creates a number of images.
  init(size: PixelSize, count: Int) throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<count { pictures.append(try SceneBitmaps.makeBitmap(size, using: &random)) }
  }

  /// Returns the image of an item.
  subscript(item: Int) -> Bitmap { pictures[item % pictures.count] }

  private static func makeBitmap(_ size: PixelSize, using random: inout SplitMix64) throws -> Bitmap {
    let tone = UInt32(truncatingIfNeeded: random.next()) & 0x7F_7F_7F
    return try Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let noise = UInt32(truncatingIfNeeded: random.next()) & 0x1F_1F_1F
          words[y * size.width + x] = 0xFF00_0000 | (tone &+ noise &+ UInt32(x / 4) &+ UInt32(y / 4) << 8)
        }
      }
    }
  }
}
