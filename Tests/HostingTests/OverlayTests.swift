import CAllocations
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("The overlay shows the frames' figures within its panel, and asks for no frame")
struct OverlayTests {
  /// Moves for a number of frames, some of which are late.
  final class Stumbler: FrameParticipant {
    var left: Int
    init(frames: Int) { left = frames }
    var needsFrames: Bool { left > 0 }
    var isTracked: Bool { left > 0 }
    func update(at target: FrameInstant) { left -= 1 }
    func collect(_ budget: FrameBudget) {
      budget.clock.spend(.milliseconds(left % 7 == 0 ? 30 : 2.5))
    }
  }

  /// An overlay in the corner of a window, after some frames.
  static func stage(
    level: Int, width: Double = 420, scale: Double = 1, frames: Int = 300, _ figures: OverlayFigures = OverlayFigures()
  ) -> (WindowHarness, FrameOverlay) {
    let overlay = FrameOverlay()
    let root = View()
    root.addSubview(overlay)
    let stage = WindowHarness(
      root: root, size: Size(width: width, height: 300), scale: DisplayScale(pixelsPerPoint: scale))
    overlay.loop = stage.loop
    overlay.figures = { figures }
    overlay.textureBytes = { figures.bitmapBytes }
    stage.window.addParticipant(Stumbler(frames: frames))
    stage.runUntilIdle()
    // Shown when they are over: what it draws is of the frames before.
    overlay.level = level
    overlay.frame = Rect(
      x: 10, y: 20, width: min(width - 20, overlay.preferredSize.width), height: overlay.preferredSize.height)
    stage.run(frames: 1)
    return (stage, overlay)
  }

  static var large: OverlayFigures {
    var figures = OverlayFigures()
    figures.items = 1_000_000_000
    figures.visibleCells = 1_200
    figures.pooledCells = 1_200
    figures.waitingForPicture = 1_200
    figures.decoding = 16
    figures.queued = 123_456_789
    figures.decoded = 999_999_999
    figures.bitmapBytes = 2_000_000_000_000
    return figures
  }

  @Test("Level 0 draws nothing")
  func off() {
    let (stage, overlay) = Self.stage(level: 0)
    #expect(stage.lastFrameCommands.isEmpty)
    #expect(overlay.isHidden)
  }

  @Test(
    "Every level draws within its panel, whatever the figures and the scale",
    arguments: [1, 2, 3, 4], [1, 1.5, 2])
  func withinPanel(level: Int, scale: Double) throws {
    for figures in [OverlayFigures(), Self.large] {
      let (stage, overlay) = Self.stage(level: level, scale: scale, figures)
      let panel = stage.display.info.scale.pixelRect(overlay.frame)
      let commands = try #require(stage.display.frames.last?.commands)
      #expect(commands.count > 20)
      for command in commands where command.kind != .endClip {
        let place = command.destination
        #expect(
          place.x >= panel.x && place.y >= panel.y && place.maxX <= panel.maxX && place.maxY <= panel.maxY,
          "level \(level): \(command) leaves \(panel)")
      }
      // In a row letters come one after the other: what stands at the right does not run into what stands at the left.
      let letters = commands.filter { $0.kind == .texture && $0.destination.x > panel.x + 8 }
      for (left, right) in zip(letters, letters.dropFirst()) where left.destination.y == right.destination.y {
        #expect(left.destination.x < right.destination.x)
      }
    }
  }

  @Test("Each level shows more than the last, in a higher panel")
  func levels() {
    var lastCount = 0
    var lastHeight = 0.0
    for level in 1...4 {
      let (stage, overlay) = Self.stage(level: level)
      #expect(stage.lastFrameCommands.count > lastCount)
      #expect(overlay.preferredSize.height > lastHeight)
      lastCount = stage.lastFrameCommands.count
      lastHeight = overlay.preferredSize.height
    }
  }

  @Test("In a window narrower than the panel nothing is drawn beyond it", arguments: 1...4)
  func narrow(level: Int) throws {
    let (stage, overlay) = Self.stage(level: level, width: 200, Self.large)
    let panel = stage.display.info.scale.pixelRect(overlay.frame)
    let commands = try #require(stage.display.frames.last?.commands)
    let clip = try #require(commands.firstIndex { $0.kind == .clip })
    #expect(commands[clip].destination == panel)
    #expect(commands.last?.kind == .endClip)
    for command in commands[..<clip] { #expect(command.destination.maxX <= panel.maxX) }
  }

  @Test("It asks for no frame: a loop that rests goes on resting", arguments: 1...4)
  func rests(level: Int) {
    let (stage, _) = Self.stage(level: level)
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 60_000)
    #expect(stage.display.presentedFrames == frames)
  }

  @Test("With no frame behind it yet it draws what it can", arguments: 1...4)
  func firstFrame(level: Int) {
    let (stage, _) = Self.stage(level: level, frames: 0)
    #expect(stage.display.textureCounts.staleCommands == 0)
    #expect(stage.lastFrameCommands.count > 10)
  }

  @Test("Late frames are marked in the graph and called critical")
  func hitches() {
    let (stage, _) = Self.stage(level: 2)
    let critical = stage.display.frames.last?.commands.filter { $0.color == OverlayPalette.critical } ?? []
    // The frame that draws the graph is not in it yet.
    let late = (1...240).count { stage.loop.history.record(atAge: $0).hitch > .zero }
    #expect(late > 10)
    #expect(critical.count { $0.kind == .fill && $0.destination.height == Int32(OverlayMetrics.markHeight) } == late)
    #expect(critical.contains { $0.kind == .texture })
  }

  @Test("From level 2 on the last late frame is told in words, within the panel however many they are")
  func lastHitch() throws {
    let (stage, overlay) = Self.stage(level: 2)
    let hitch = try #require(overlay.summary.lastHitch)
    let last = (0..<stage.loop.history.count).map(stage.loop.history.record).first { $0.hitch > .zero }
    #expect(hitch.index == last?.index && hitch.hitch == last?.hitch && hitch.hitchCause != nil)
    // It stays when no frame is late any more.
    stage.run(frames: 300)
    #expect(overlay.summary.lastHitch?.index == hitch.index)
    let words = GlyphLine()
    var writer = GlyphLineTextWriter(line: words)
    HitchCause.forced(SlackRefusal(reason: .cost, cost: .milliseconds(7), remaining: .milliseconds(3.9), frame: 1))
      .write(to: &writer)
    let text = String(decoding: (0..<words.count).map { words[$0] }, as: UTF8.self)
    #expect(text == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
  }

  @Test("While no frame was late it says which frames count, and which do not")
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

  @Test("What the last frames have in common: rates and percentiles, and nothing of none")
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

  @Test("The kernel says what is resident, once in so many frames")
  func resident() throws {
    let memory = ResidentMemory()
    let bytes = try #require(memory.bytes(atFrame: 0))
    #expect(bytes > 1 << 20 && bytes < 1 << 36)
    #expect(memory.bytes(atFrame: 29) == bytes)
    #expect(memory.bytes(atFrame: 30) != nil)
  }

  @Test("How soon input was answered and how often frames allocated is told of as many as there are")
  func answersAndAllocations() {
    let summary = OverlaySummary()
    let history = FrameHistory()
    summary.update(from: history, isSorted: true)
    #expect(summary.inputLatencyCount == 0 && summary.allocationCount == 0)
    for number in 0..<1_000 {
      var record = RunReportTests.record(number)
      // In another order than that of their size.
      let rank = number * 37 % 100
      record.allocations = number < 900 ? nil : Int32(rank)
      // Answers are few, and longer ago than frames are looked at.
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

  @Test("Numbers are sorted where they lie, as the standard library sorts them", arguments: [0, 1, 2, 5, 240, 1_000])
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
    "Drawing it once more allocates nothing",
    .enabled(if: allocations_are_counted(), "a sanitizer has its own allocator"),
    arguments: 1...4)
  func allocatesNothing(level: Int) {
    let (stage, overlay) = Self.stage(level: level, Self.large)
    let context = DrawContext(list: DisplayList(capacity: 8_192), resources: stage.resources)
    // Letters are painted, and what is made once is made.
    for _ in 0..<2 { overlay.render(in: context) }
    let before = allocations_of_this_thread()
    for _ in 0..<5 { overlay.render(in: context) }
    #expect(allocations_of_this_thread() == before)
    // It is counted at all.
    withExtendedLifetime(FrameHistory()) {}
    #expect(allocations_of_this_thread() > before)
  }

  @Test("Drawing the figures of one more frame uploads nothing anew")
  func letters() {
    let (stage, _) = Self.stage(level: 4)
    let made = stage.display.textureCounts.created
    stage.run(frames: 20)
    #expect(stage.display.textureCounts.created <= made + 10, "digits that were not drawn before")
    #expect(made <= 94 + 2)
  }
}
