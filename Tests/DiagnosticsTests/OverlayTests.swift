import CVitrineAllocations
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("The overlay draws the frames' figures within its panel and requests no frames")
struct OverlayTests {
  /// A participant that moves for a number of frames, some of which are late.
  final class LateFrameParticipant: FrameParticipant {
    var remainingFrames: Int
    init(frames: Int) { remainingFrames = frames }
    var needsFrames: Bool { remainingFrames > 0 }
    var isTracked: Bool { remainingFrames > 0 }
    func update(at target: FrameInstant) { remainingFrames -= 1 }
    func collect(_ budget: FrameBudget) {
      budget.clock.spend(.milliseconds(remainingFrames % 7 == 0 ? 30 : 2.5))
    }
  }

  /// Returns an overlay in the corner of a window, after a number of frames.
  static func makeHarness(
    level: Int, width: Double = 420, scale: Double = 1, frames: Int = 300, _ figures: OverlayFigures = OverlayFigures()
  ) -> (WindowHarness, FrameOverlay) {
    let overlay = FrameOverlay()
    let root = View()
    root.addSubview(overlay)
    let harness = WindowHarness(
      root: root, size: Size(width: width, height: 300), scale: DisplayScale(pixelsPerPoint: scale))
    overlay.loop = harness.loop
    overlay.figures = { figures }
    overlay.textureBytes = { figures.bitmapBytes }
    harness.window.addParticipant(LateFrameParticipant(frames: frames))
    harness.runUntilIdle()
    // The overlay is shown afterwards, so that it draws only the frames before.
    overlay.level = level
    overlay.frame = Rect(
      x: 10, y: 20, width: min(width - 20, overlay.preferredSize.width), height: overlay.preferredSize.height)
    harness.run(frames: 1)
    return (harness, overlay)
  }

  static var largeFigures: OverlayFigures {
    var figures = OverlayFigures()
    figures.items = 1_000_000_000
    figures.visibleCells = 1_200
    figures.pooledCells = 1_200
    figures.visibleCellsWithoutImage = 1_200
    figures.decoding = 16
    figures.queued = 123_456_789
    figures.decoded = 999_999_999
    figures.bitmapBytes = 2_000_000_000_000
    return figures
  }

  @Test("Level 0 draws nothing")
  func levelZero() {
    let (harness, overlay) = Self.makeHarness(level: 0)
    #expect(harness.lastFrameCommands.isEmpty)
    #expect(overlay.isHidden)
  }

  @Test(
    "Every level draws within its panel, for any figures and scales",
    arguments: [1, 2, 3, 4], [1, 1.5, 2])
  func withinPanel(level: Int, scale: Double) throws {
    for figures in [OverlayFigures(), Self.largeFigures] {
      let (harness, overlay) = Self.makeHarness(level: level, scale: scale, figures)
      let panel = harness.display.info.scale.pixelRect(overlay.frame)
      let commands = try #require(harness.display.frames.last?.commands)
      #expect(commands.count > 20)
      for command in commands where command.kind != .endClip {
        let rect = command.destination
        #expect(
          rect.x >= panel.x && rect.y >= panel.y && rect.maxX <= panel.maxX && rect.maxY <= panel.maxY,
          "level \(level): \(command) leaves \(panel)")
      }
      // The glyphs of a row are in ascending order: text on the right does not overlap text on the left.
      let letters = commands.filter { $0.kind == .texture && $0.destination.x > panel.x + 8 }
      for (left, right) in zip(letters, letters.dropFirst()) where left.destination.y == right.destination.y {
        #expect(left.destination.x < right.destination.x)
      }
    }
  }

  @Test("Each level draws more than the previous one, in a taller panel")
  func levels() {
    var lastCount = 0
    var lastHeight = 0.0
    for level in 1...4 {
      let (harness, overlay) = Self.makeHarness(level: level)
      #expect(harness.lastFrameCommands.count > lastCount)
      #expect(overlay.preferredSize.height > lastHeight)
      lastCount = harness.lastFrameCommands.count
      lastHeight = overlay.preferredSize.height
    }
  }

  @Test("In a window narrower than the panel, drawing is clipped to the panel", arguments: 1...4)
  func narrow(level: Int) throws {
    let (harness, overlay) = Self.makeHarness(level: level, width: 200, Self.largeFigures)
    let panel = harness.display.info.scale.pixelRect(overlay.frame)
    let commands = try #require(harness.display.frames.last?.commands)
    let clip = try #require(commands.firstIndex { $0.kind == .clip })
    #expect(commands[clip].destination == panel)
    #expect(commands.last?.kind == .endClip)
    for command in commands[..<clip] { #expect(command.destination.maxX <= panel.maxX) }
  }

  @Test("The overlay requests no frames, so that an idle loop stays idle", arguments: 1...4)
  func requestsNoFrames(level: Int) {
    let (harness, _) = Self.makeHarness(level: level)
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 60_000)
    #expect(harness.display.presentedFrames == frames)
  }

  @Test("The overlay draws before the first frame is recorded", arguments: 1...4)
  func firstFrame(level: Int) {
    let (harness, _) = Self.makeHarness(level: level, frames: 0)
    #expect(harness.display.textureCounts.staleCommands == 0)
    #expect(harness.lastFrameCommands.count > 10)
  }

  @Test("Late frames are marked in the graph and labelled in the critical color")
  func hitches() {
    let (harness, _) = Self.makeHarness(level: 2)
    let critical = harness.display.frames.last?.commands.filter { $0.color == OverlayPalette.critical } ?? []
    // The frame that draws the graph is not part of it yet.
    let late = (1...240).count { harness.loop.history.record(atAge: $0).hitch > .zero }
    #expect(late > 10)
    #expect(critical.count { $0.kind == .fill && $0.destination.height == Int32(OverlayMetrics.markHeight) } == late)
    #expect(critical.contains { $0.kind == .texture })
  }

  @Test("From level 2 on, the last late frame is described in words")
  func lastHitch() throws {
    let (harness, overlay) = Self.makeHarness(level: 2)
    let hitch = try #require(overlay.summary.lastHitch)
    let last = (0..<harness.loop.history.count).map(harness.loop.history.record).first { $0.hitch > .zero }
    #expect(hitch.index == last?.index && hitch.hitch == last?.hitch && hitch.hitchCause != nil)
    // The description remains when no further frame is late.
    harness.run(frames: 300)
    #expect(overlay.summary.lastHitch?.index == hitch.index)
    let words = GlyphLine()
    var writer = GlyphLineTextWriter(line: words)
    HitchCause.forced(SlackRefusal(reason: .cost, cost: .milliseconds(7), remaining: .milliseconds(3.9), frame: 1))
      .write(to: &writer)
    let text = String(decoding: (0..<words.count).map { words[$0] }, as: UTF8.self)
    #expect(text == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
  }

  @Test("Before the first late frame, the overlay shows which frames count and which do not")
  func counted() {
    func text(_ write: (GlyphLine) -> Void) -> String {
      let line = GlyphLine()
      write(line)
      return String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
    }
    let history = FrameHistory()
    #expect(text { FrameOverlay.writeLateFrames(history, .measured, in: $0) } == "nothing has moved yet")
    for index in 0..<360 {
      var record = RunReportTests.record(index)
      record.isFirstAfterIdle = index % 120 == 0
      record.isTracked = index >= 45
      history.append(record, interval: .milliseconds(10))
    }
    #expect(text { FrameOverlay.writeLateFrames(history, .measured, in: $0) } == "none of 313 frames that moved")
    history.append(RunReportTests.record(360, hitchMs: 3), interval: .milliseconds(10))
    #expect(text { FrameOverlay.writeLateFrames(history, .measured, in: $0) } == "1 of 314 frames that moved")
    #expect(text { FrameOverlay.writeUncountedFrames(history, in: $0) } == "3 first after rest  44 at rest")
    #expect(text { FrameOverlay.writeLateFrames(history, .none, in: $0) } == "not measured: no cost is modelled")
  }

  @Test("The summary has rates and percentiles of the last frames, and none for an empty history")
  func summary() {
    let summary = OverlaySummary()
    summary.update(from: FrameHistory(), isSorted: true)
    #expect(summary.count == 0 && summary.rate == nil && summary.commitPercentile(99) == 0 && summary.lastHitch == nil)
    let history = RunReportTests.history((0..<300).map { RunReportTests.record($0) })
    summary.update(from: history, isSorted: true)
    #expect(summary.count == OverlayMetrics.frameCount)
    #expect(summary.rate.map { ($0 - 100).magnitude < 0.01 } == true)
    #expect(
      (summary.commitPercentile(50) - 2.8).magnitude < 0.001 && (summary.overrunPercentile(100) + 7.2).magnitude < 0.001
    )
  }

  @Test("Resident memory is read from the kernel once every 30 frames")
  func resident() throws {
    let memory = ResidentMemory()
    let bytes = try #require(memory.bytes(atFrame: 0))
    #expect(bytes > 1 << 20 && bytes < 1 << 36)
    #expect(memory.bytes(atFrame: 29) == bytes)
    #expect(memory.bytes(atFrame: 30) != nil)
  }

  @Test("Percentiles of input latency and allocations are over the frames that have a value")
  func latencyAndAllocations() {
    let summary = OverlaySummary()
    let history = FrameHistory()
    summary.update(from: history, isSorted: true)
    #expect(summary.inputLatencyCount == 0 && summary.allocationCount == 0)
    for number in 0..<1_000 {
      var record = RunReportTests.record(number)
      // The values are not in ascending order.
      let rank = number * 37 % 100
      record.allocations = number < 900 ? nil : Int32(rank)
      // Only old frames respond to input, before those that the summary reads.
      record.inputInstant = number < 100 ? record.shown - .milliseconds(Double(rank + 1)) : nil
      history.append(record, interval: .milliseconds(10))
      if number == 50 { summary.update(from: history, isSorted: false) }
    }
    summary.update(from: history, isSorted: true)
    #expect(summary.inputLatencyCount == 100 && summary.allocationCount == 100)
    #expect(
      summary.inputLatencyPercentile(50) == 50 && summary.inputLatencyPercentile(95) == 95
        && summary.inputLatencyPercentile(100) == 100)
    #expect(
      summary.allocationPercentile(50) == 49 && summary.allocationPercentile(99) == 98
        && summary.allocationPercentile(100) == 99)
  }

  @Test(
    "Numbers are sorted in place, in the same order as by the standard library", arguments: [0, 1, 2, 5, 240, 1_000])
  func sorting(count: Int) {
    var random = SeededGenerator(seed: 7)
    let numbers = (0..<count).map { _ in Int64.random(in: -50...50, using: &random) }
    let buffer = UnsafeMutableBufferPointer<Int64>.allocate(capacity: count + 1)
    defer { buffer.deallocate() }
    _ = buffer.initialize(from: numbers + [.min])
    ShellSort.sort(buffer, count: count)
    #expect(Array(buffer) == numbers.sorted() + [.min])
  }

  @Test(
    "Drawing the overlay again allocates nothing",
    .enabled(if: allocations_are_counted(), "a sanitizer has its own allocator"),
    arguments: 1...4)
  func allocatesNothing(level: Int) {
    let (harness, overlay) = Self.makeHarness(level: level, Self.largeFigures)
    let context = DrawContext(list: DisplayList(capacity: 8_192), resources: harness.resources)
    // Rasterizes the glyphs and creates everything that is created once.
    for _ in 0..<2 { overlay.render(in: context) }
    let before = allocations_of_this_thread()
    for _ in 0..<5 { overlay.render(in: context) }
    #expect(allocations_of_this_thread() == before)
    // Allocations are counted at all.
    withExtendedLifetime(FrameHistory()) {}
    #expect(allocations_of_this_thread() > before)
  }

  @Test("Drawing the figures of another frame uploads only digits that were not drawn before")
  func uploads() {
    let (harness, _) = Self.makeHarness(level: 4)
    let initialCount = harness.display.textureCounts.created
    harness.run(frames: 20)
    #expect(harness.display.textureCounts.created <= initialCount + 10, "digits that were not drawn before")
    #expect(initialCount <= 94 + 2)
  }
}
