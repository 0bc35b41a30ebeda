import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("At rest the loop makes what a motion will need, and nothing waits for that")
struct PreparingForMotionTests {
  /// Works once in the slack of each frame.
  private final class Worker: FrameParticipant {
    private let clock: SimulatedClock
    private var frame = 0
    var cost = FrameDuration.zero
    var finds = true
    let isTracked = true

    init(clock: SimulatedClock) { self.clock = clock }

    func performSlackStep(_ budget: FrameBudget) -> Bool {
      guard let index = budget.slack?.index, index != frame else { return false }
      frame = index
      clock.spend(cost)
      return finds
    }
  }

  /// Has so many steps to do.
  private final class Maker: FrameParticipant {
    var left = 0
    var done = 0
    var onStep: (() -> Void)?
    /// When it needs a frame.
    var due: FrameInstant?
    var nextFrame: FrameInstant? { due }

    func update(at target: FrameInstant) { if let due, due <= target { self.due = nil } }

    func prepareForMotion() -> Bool {
      guard left > 0 else { return false }
      left -= 1
      done += 1
      onStep?()
      return true
    }
  }

  /// Paints blocks, and writes down which letters it was to prepare.
  private final class Painter: TextRasterizer {
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

  private let stage = WindowHarness(root: View())
  private let maker = Maker()

  init() { stage.window.addParticipant(maker) }

  @Test("All steps are done without a frame; none in a frame")
  func steps() {
    maker.left = 1_000
    stage.run(frames: 3)
    #expect(maker.done == 0)
    stage.run(milliseconds: 100)
    #expect(maker.done == 1_000)
    #expect(stage.display.presentedFrames == 3)
  }

  @Test("Input ends it, and is answered before the next step")
  func input() {
    maker.left = 100
    stage.run(frames: 1)
    var frames: [Int] = []
    maker.onStep = {
      frames.append(stage.display.presentedFrames)
      if maker.done == 5 { stage.sendEvent(.exposed) }
    }
    stage.run(milliseconds: 100)
    #expect(frames == Array(repeating: 1, count: 5) + Array(repeating: 2, count: 95))
  }

  @Test("A frame that is wanted meanwhile comes first")
  func frame() {
    maker.left = 10
    stage.run(frames: 1)
    var frames: [Int] = []
    maker.onStep = {
      frames.append(stage.display.presentedFrames)
      stage.window.setNeedsFrame()
    }
    stage.run(milliseconds: 500)
    #expect(frames == Array(1...10))
  }

  @Test("What somebody needs a frame for at an instant has it then, whatever is still to be made")
  func instant() {
    maker.left = 100
    stage.run(frames: 1)
    let due = stage.clock.now() + .milliseconds(30)
    maker.due = due
    var shown: [Bool] = []
    maker.onStep = {
      shown.append(maker.due == nil)
      stage.clock.spend(.milliseconds(9))
    }
    stage.run(milliseconds: 2_000)
    #expect(shown.count == 100 && shown.firstIndex(of: true) == 4, "four steps of 9 ms reach beyond 30")
  }

  @Test("Nothing is made for a window that nobody sees")
  func hidden() {
    maker.left = 10
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 100)
    #expect(maker.done == 0)
    stage.sendEvent(.shown)
    stage.run(milliseconds: 100)
    #expect(maker.done == 10)
  }

  @Test("Slack that ends too late is counted, once a frame, and slack that ends in time is not")
  func overruns() {
    let worker = Worker(clock: stage.clock)
    stage.window.addParticipant(worker)
    stage.run(frames: 5)
    #expect(stage.loop.slackOverruns == 0)
    worker.cost = .milliseconds(2)
    stage.run(frames: 5)
    #expect(stage.loop.slackOverruns == 0)
    worker.cost = .milliseconds(20)
    stage.run(frames: 5)
    #expect(stage.loop.slackOverruns == 5)
    // Looking for a step is work as well.
    worker.finds = false
    stage.run(frames: 5)
    #expect(stage.loop.slackOverruns == 10)
  }

  @Test("Painted lines go one by one, the longest unused first, and their textures with them")
  func lines() {
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let resources = RenderResources(display: display, text: Painter())
    func paint(_ number: Int) -> Int {
      let before = display.textureBytes
      resources.prepareLine("line \(number)", style: TextStyle(size: 100), width: 10_000, truncation: .tail)
      return display.textureBytes - before
    }
    var most = 0
    var number = 0
    while number < 1_000, paint(number) > 0 {
      most = max(most, display.textureBytes)
      number += 1
    }
    #expect((10..<1_000).contains(number) && most <= LineCache.maximumBytes)
    for later in 0..<50 { #expect(abs(paint(number + later)) <= most / 8) }
  }

  @Test("Letters of a style that enough lines were painted in are rasterised, each once for a scale")
  func letters() {
    let painter = Painter()
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let resources = RenderResources(display: display, text: painter)
    let (caption, title) = (TextStyle(size: 10), TextStyle(size: 20))
    func paint(_ count: Int, _ style: TextStyle) {
      for number in 0..<count {
        resources.prepareLine("line \(number)", style: style, width: 90, truncation: .tail)
      }
    }
    paint(GlyphPrefetchQueue.minimumLines - 1, caption)
    paint(1, title)
    #expect(!resources.prepareGlyph())
    paint(GlyphPrefetchQueue.minimumLines, caption)
    var steps = 0
    while resources.prepareGlyph() { steps += 1 }
    #expect(steps == 94)
    #expect(painter.prepared.map(\.letter) == (33...126).map { Unicode.Scalar(UInt8($0)) })
    #expect(painter.prepared.allSatisfy { $0.style == caption })
    resources.scaleDidChange()
    #expect(!resources.prepareGlyph())
    // Styles of one line each leave room for one of many.
    for size in 30..<60 { paint(1, TextStyle(size: Double(size))) }
    paint(GlyphPrefetchQueue.minimumLines, title)
    #expect(resources.prepareGlyph() && painter.prepared.last?.style == title)
  }
}
