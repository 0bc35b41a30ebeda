import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("An idle loop prepares for motion")
struct MotionPreparationTests {
  /// A participant that works once in the slack of each frame.
  private final class SlackLoad: FrameParticipant {
    private let clock: SimulatedClock
    private var frame = 0
    var cost = FrameDuration.zero
    var hasSteps = true
    let isTracked = true

    init(clock: SimulatedClock) { self.clock = clock }

    func performSlackStep(_ budget: FrameBudget) -> Bool {
      guard let index = budget.slack?.index, index != frame else { return false }
      frame = index
      clock.spend(cost)
      return hasSteps
    }
  }

  /// A participant with a number of preparation steps.
  private final class StepParticipant: FrameParticipant {
    var remainingSteps = 0
    var completedSteps = 0
    var onStep: (() -> Void)?
    /// The instant at which the participant needs a frame.
    var due: FrameInstant?
    var nextFrame: FrameInstant? { due }

    func update(at target: FrameInstant) { if let due, due <= target { self.due = nil } }

    func prepareForMotion() -> Bool {
      guard remainingSteps > 0 else { return false }
      remainingSteps -= 1
      completedSteps += 1
      onStep?()
      return true
    }
  }

  /// A rasterizer of blocks that records the glyphs that it prepares.
  private final class GlyphRecordingRasterizer: TextRasterizer {
    private let blocks = BlockTextRasterizer()
    var prepared: [(letter: Unicode.Scalar, style: TextStyle)] = []

    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }

    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }

    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
      blocks.bitmap(for: text, style: style, scale: scale)
    }

    func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {
      prepared.append((letter, style))
    }
  }

  private let harness = WindowHarness(root: View())
  private let participant = StepParticipant()

  init() { harness.window.addParticipant(participant) }

  @Test("All steps are performed without a frame, and none in a frame")
  func allSteps() {
    participant.remainingSteps = 1_000
    harness.run(frames: 3)
    #expect(participant.completedSteps == 0)
    harness.run(milliseconds: 100)
    #expect(participant.completedSteps == 1_000)
    #expect(harness.display.presentedFrames == 3)
  }

  @Test("Input is handled before the next step")
  func inputComesFirst() {
    participant.remainingSteps = 100
    harness.run(frames: 1)
    var frames: [Int] = []
    participant.onStep = {
      frames.append(harness.display.presentedFrames)
      if participant.completedSteps == 5 { harness.sendEvent(.exposed) }
    }
    harness.run(milliseconds: 100)
    #expect(frames == Array(repeating: 1, count: 5) + Array(repeating: 2, count: 95))
  }

  @Test("A requested frame is drawn before the next step")
  func frameComesFirst() {
    participant.remainingSteps = 10
    harness.run(frames: 1)
    var frames: [Int] = []
    participant.onStep = {
      frames.append(harness.display.presentedFrames)
      harness.window.setNeedsFrame()
    }
    harness.run(milliseconds: 500)
    #expect(frames == Array(1...10))
  }

  @Test("A scheduled frame is drawn on time between steps")
  func scheduledFrameComesFirst() {
    participant.remainingSteps = 100
    harness.run(frames: 1)
    let due = harness.clock.now() + .milliseconds(30)
    participant.due = due
    var shown: [Bool] = []
    participant.onStep = {
      shown.append(participant.due == nil)
      harness.clock.spend(.milliseconds(9))
    }
    harness.run(milliseconds: 2_000)
    #expect(shown.count == 100 && shown.firstIndex(of: true) == 4, "four steps of 9 ms take longer than 30 ms")
  }

  @Test("Nothing is prepared for a hidden window")
  func hiddenWindow() {
    participant.remainingSteps = 10
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 100)
    #expect(participant.completedSteps == 0)
    harness.sendEvent(.shown)
    harness.run(milliseconds: 100)
    #expect(participant.completedSteps == 10)
  }

  @Test("Slack overruns are counted once per frame")
  func overruns() {
    let load = SlackLoad(clock: harness.clock)
    harness.window.addParticipant(load)
    harness.run(frames: 5)
    #expect(harness.loop.slackOverruns == 0)
    load.cost = .milliseconds(2)
    harness.run(frames: 5)
    #expect(harness.loop.slackOverruns == 0)
    load.cost = .milliseconds(20)
    harness.run(frames: 5)
    #expect(harness.loop.slackOverruns == 5)
    // The search for a step counts too.
    load.hasSteps = false
    harness.run(frames: 5)
    #expect(harness.loop.slackOverruns == 10)
  }

  @Test("Rendered lines are evicted one at a time, least recently used first, with their textures")
  func lineEviction() {
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let resources = RenderResources(display: display, text: GlyphRecordingRasterizer())
    func render(_ number: Int) -> Int {
      let before = display.textureBytes
      resources.prepareLine("line \(number)", style: TextStyle(size: 100), width: 10_000, truncation: .byTruncatingTail)
      return display.textureBytes - before
    }
    var maximum = 0
    var number = 0
    while number < 1_000, render(number) > 0 {
      maximum = max(maximum, display.textureBytes)
      number += 1
    }
    #expect((10..<1_000).contains(number) && maximum <= LineCache.maximumBytes)
    for later in 0..<50 { #expect(abs(render(number + later)) <= maximum / 8) }
  }

  @Test("The glyphs of a style with enough lines are prepared once per scale")
  func glyphPrefetch() {
    let rasterizer = GlyphRecordingRasterizer()
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let resources = RenderResources(display: display, text: rasterizer)
    let (caption, title) = (TextStyle(size: 10), TextStyle(size: 20))
    func render(_ count: Int, _ style: TextStyle) {
      for number in 0..<count {
        resources.prepareLine("line \(number)", style: style, width: 90, truncation: .byTruncatingTail)
      }
    }
    render(GlyphPrefetchQueue.minimumLines - 1, caption)
    render(1, title)
    #expect(!resources.prepareGlyph())
    render(GlyphPrefetchQueue.minimumLines, caption)
    var steps = 0
    while resources.prepareGlyph() { steps += 1 }
    #expect(steps == 94)
    #expect(rasterizer.prepared.map(\.letter) == (33...126).map { Unicode.Scalar(UInt8($0)) })
    #expect(rasterizer.prepared.allSatisfy { $0.style == caption })
    resources.scaleDidChange()
    #expect(!resources.prepareGlyph())
    // Styles with one line each do not displace a style with many lines.
    for size in 30..<60 { render(1, TextStyle(size: Double(size))) }
    render(GlyphPrefetchQueue.minimumLines, title)
    #expect(resources.prepareGlyph() && rasterizer.prepared.last?.style == title)
  }
}

// MARK: - Idle resources

@Suite("Idle resources are released once after a timeout")
struct IdleReleaseTests {
  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  @Test("The timer fires once after the last frame, and again after the next frame")
  func idleTimer() {
    var timer = IdleTimer()
    let pause = IdleTimer.timeout.seconds
    func fires(_ seconds: Double) -> Bool { timer.fireIfDue(at: at(seconds)) }
    #expect(timer.due == nil)
    #expect(!fires(1_000))
    timer.recordFrame(at: at(1))
    timer.recordFrame(at: at(2))
    #expect(timer.due == at(2 + pause))
    #expect(!fires(1.9 + pause))
    #expect(fires(2 + pause))
    #expect(timer.due == nil)
    #expect(!fires(3 + pause))
    timer.recordFrame(at: at(100))
    #expect(!fires(100))
    #expect(fires(101 + pause))
  }

  @Test("All participants release idle resources, and textures that are not displayed are released without a frame")
  func releasesHiddenTextures() throws {
    final class ReleaseRecorder: FrameParticipant {
      var releaseCount = 0
      func releaseIdleResources() { releaseCount += 1 }
    }
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    let (displayed, prefetched) = (try Bitmap.square(20, .white), try Bitmap.square(30, .black))
    view.image = displayed
    let harness = WindowHarness(root: view)
    let recorders = [ReleaseRecorder(), ReleaseRecorder(), ReleaseRecorder()]
    for recorder in recorders { harness.window.addParticipant(recorder) }
    harness.resources.uploads.enqueuePrefetch(prefetched)
    harness.run(frames: 3)
    harness.run(milliseconds: 100)
    let textures = harness.resources.textures
    #expect(textures.texture(for: displayed) != nil && textures.texture(for: prefetched) != nil)
    let before = harness.display.presentedFrames
    harness.window.releaseIdleResources()
    #expect(recorders.allSatisfy { $0.releaseCount == 1 })
    #expect(textures.texture(for: displayed) != nil && textures.texture(for: prefetched) == nil)
    harness.run(milliseconds: 100)
    #expect(harness.display.presentedFrames == before && view.showsImage)
    // A simulated clock never releases idle resources, so that runs are reproducible.
    harness.run(milliseconds: 60_000)
    #expect(recorders.allSatisfy { $0.releaseCount == 1 })
  }

  @Test("The limit for idle textures depends on the size of the window, within a minimum and a maximum")
  func idleTextures() throws {
    let small = try #require(PixelSize(width: 1_280, height: 800))
    let large = try #require(PixelSize(width: 3_840, height: 2_160))
    let tiny = try #require(PixelSize(width: 4, height: 4))
    #expect(TextureCache.idleByteLimit(screen: small) == 5 * 1_280 * 800 * 4)
    #expect(TextureCache.idleByteLimit(screen: large) == TextureCache.maximumIdleBytes)
    #expect(TextureCache.idleByteLimit(screen: tiny) == 10 << 20)
  }
}

// MARK: - Memory pressure

@Suite("Memory pressure")
struct MemoryPressureTests {
  final class PressureRecorder: FrameParticipant {
    var instants: [FrameInstant] = []
    let clock: SimulatedClock
    init(_ clock: SimulatedClock) { self.clock = clock }
    func handleMemoryPressure() { instants.append(clock.now()) }
  }

  /// Reports memory pressure once, at an instant.
  private func simulateMemoryPressure(_ harness: WindowHarness, at instant: FrameInstant) {
    var isReported = false
    let clock = harness.clock
    harness.loop.isMemoryLow = {
      guard !isReported, clock.now() >= instant else { return false }
      isReported = true
      return true
    }
  }

  @Test("All participants are notified once, and the loop is idle again")
  func notifiesParticipants() {
    let harness = WindowHarness(root: View())
    let recorders = [PressureRecorder(harness.clock), PressureRecorder(harness.clock)]
    for recorder in recorders { harness.window.addParticipant(recorder) }
    harness.run(milliseconds: 100)
    simulateMemoryPressure(harness, at: harness.clock.now())
    harness.run(milliseconds: 100)
    #expect(recorders.allSatisfy { $0.instants.count == 1 })
    #expect(harness.display.presentedFrames == 1, "there were no textures to release")
  }

  @Test("A hidden window releases memory too")
  func hiddenWindow() {
    let harness = WindowHarness(root: View())
    let recorder = PressureRecorder(harness.clock)
    harness.window.addParticipant(recorder)
    harness.run(milliseconds: 100)
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 100)
    simulateMemoryPressure(harness, at: harness.clock.now())
    harness.run(milliseconds: 100)
    #expect(recorder.instants.count == 1)
  }

  @Test("Textures that are not displayed are released, displayed ones are kept, and one more frame is drawn")
  func textures() throws {
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    let displayed = try Bitmap.square(20, .white)
    let prefetched = try Bitmap.square(30, Color(hex: 0x336699))
    view.image = displayed
    let harness = WindowHarness(root: view)
    harness.resources.uploads.enqueuePrefetch(prefetched)
    harness.run(frames: 3)
    let textures = harness.resources.textures
    #expect(textures.texture(for: displayed) != nil && textures.texture(for: prefetched) != nil)
    harness.run(milliseconds: 100)
    let before = harness.display.presentedFrames
    simulateMemoryPressure(harness, at: harness.clock.now())
    harness.run(milliseconds: 100)
    #expect(textures.texture(for: displayed) != nil && textures.texture(for: prefetched) == nil)
    #expect(harness.display.presentedFrames == before + 1)
    #expect(view.showsImage)
    #expect(
      textures.upload(prefetched) != nil && textures.texture(for: prefetched) != nil, "the cache limit is unchanged")
  }
}
