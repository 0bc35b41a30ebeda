import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("At rest the loop makes what a motion will need, and nothing waits for that")
struct PreparingForMotionTests {
  /// Has so many steps to do.
  private final class Maker: FrameParticipant {
    var left = 0
    var done = 0
    var onStep: (() -> Void)?

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

    func prepareLetter(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {
      prepared.append((letter, style))
    }
  }

  @Test("All steps are done without a frame; none in a frame")
  func steps() {
    let stage = Stage(root: View())
    let maker = Maker()
    maker.left = 1_000
    stage.window.addParticipant(maker)
    stage.run(frames: 3)
    #expect(maker.done == 0)
    stage.run(milliseconds: 100)
    #expect(maker.done == 1_000)
    #expect(stage.display.presentedFrames == 3)
  }

  @Test("Input ends it, and is answered before the next step")
  func input() {
    let stage = Stage(root: View())
    let maker = Maker()
    maker.left = 100
    stage.window.addParticipant(maker)
    stage.run(frames: 1)
    var frames: [Int] = []
    maker.onStep = {
      frames.append(stage.display.presentedFrames)
      if maker.done == 5 { stage.send(.exposed) }
    }
    stage.run(milliseconds: 100)
    #expect(frames == Array(repeating: 1, count: 5) + Array(repeating: 2, count: 95))
  }

  @Test("A frame that is wanted meanwhile comes first")
  func frame() {
    let stage = Stage(root: View())
    let maker = Maker()
    maker.left = 10
    stage.window.addParticipant(maker)
    stage.run(frames: 1)
    var frames: [Int] = []
    maker.onStep = {
      frames.append(stage.display.presentedFrames)
      stage.window.setNeedsFrame()
    }
    stage.run(milliseconds: 500)
    #expect(frames == Array(1...10))
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
    paint(LettersAhead.fewestLines - 1, caption)
    paint(1, title)
    #expect(!resources.prepareLetter())
    paint(LettersAhead.fewestLines, caption)
    var steps = 0
    while resources.prepareLetter() { steps += 1 }
    #expect(steps == 94)
    #expect(painter.prepared.map(\.letter) == (33...126).map { Unicode.Scalar(UInt8($0)) })
    #expect(painter.prepared.allSatisfy { $0.style == caption })
    resources.scaleChanged()
    #expect(!resources.prepareLetter())
    paint(LettersAhead.fewestLines, title)
    #expect(resources.prepareLetter() && painter.prepared.last?.style == title)
  }
}
