import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("DrawContext: paths, lines, text and images")
struct DrawContextPathTests {
  /// A view that draws with a closure.
  final class Canvas: View {
    var content: (DrawContext) -> Void
    init(frame: Rect = .zero, _ content: @escaping (DrawContext) -> Void) {
      self.content = content
      super.init(frame: frame)
    }
    override func draw(in context: DrawContext) { content(context) }
  }

  private func harness(_ root: View, scale: Double = 1) -> WindowHarness {
    let harness = WindowHarness(
      root: root, size: Size(width: 200, height: 120), scale: DisplayScale(pixelsPerPoint: scale))
    harness.run(frames: 1)
    return harness
  }

  @Test("A path is painted in its color at its place, smoothed", arguments: [1, 2])
  func pixels(scale: Int) throws {
    let view = Canvas { $0.fill(Path(ellipseIn: Rect(x: 20, y: 10, width: 40, height: 40)), Color(hex: 0xFF8000)) }
    let image = try harness(view, scale: Double(scale)).display.readPixels()
    #expect(image.color(40 * scale, 30 * scale) == Color(hex: 0xFF8000))
    #expect(image.color(21 * scale, 11 * scale) == .black && image.color(62 * scale, 30 * scale) == .black)
    let edge = (0..<(8 * scale)).map { image.color(40 * scale + $0, 10 * scale).red }
    #expect(edge.contains { $0 > 0 && $0 < 255 }, "the edge is smoothed")
  }

  @Test("The same path is painted once, also at another whole pixel, in another color and by another view")
  func reuse() {
    let star = Path(lines: [Point(x: 0, y: 30), Point(x: 15, y: 0), Point(x: 30, y: 30)])
    let views = (0..<3).map { index in
      Canvas(frame: Rect(x: Double(index) * 40, y: 0, width: 40, height: 40)) {
        $0.fill(star, Color(hex: 0x102030 * UInt32(index + 1)))
      }
    }
    let root = View()
    views.forEach(root.addSubview)
    let harness = harness(root)
    #expect(harness.display.textureCounts.created == 1)
    for step in 1...20 {
      views[0].frame.origin.y = Double(step)
      // The next path is equal, and not the same array.
      views[1].content = {
        $0.fill(Path(lines: [Point(x: 0, y: 30), Point(x: 15, y: 0), Point(x: 30, y: 30)]), .white)
      }
      views[1].setNeedsDisplay()
      harness.run(frames: 1)
    }
    #expect(harness.display.textureCounts.created == 1)
    #expect(harness.display.frames.last?.commands.map(\.destination.y) == [20, 0, 0])
    views[2].content = { $0.stroke(star, .white) }
    views[2].setNeedsDisplay()
    harness.run(frames: 1)
    #expect(harness.display.textureCounts.created == 2)
  }

  @Test("A line along whole pixels is a filled rectangle, and any other one is smoothed")
  func lines() {
    let view = Canvas {
      $0.strokeLine(from: Point(x: 10, y: 20.5), to: Point(x: 90, y: 20.5), .white)
      $0.strokeLine(from: Point(x: 30, y: 5), to: Point(x: 30, y: 50), .white, style: StrokeStyle(lineWidth: 4))
      $0.strokeLine(from: Point(x: 10, y: 40), to: Point(x: 90, y: 40), .white)
      $0.strokeLine(from: Point(x: 10, y: 60), to: Point(x: 10, y: 60), .white)
    }
    let harness = harness(view)
    #expect(
      harness.lastFrameCommands == [
        "fill 10,20 80x1 #ffffffff", "fill 28,5 4x45 #ffffffff", "texture 0.1 0,0 80x2 -> 10,39 80x2 blended",
      ])
  }

  @Test("Unused paths are evicted within the limit, and those of the frame remain")
  func eviction() {
    var size = 0.0
    let view = Canvas { context in
      for index in 0..<3 {
        context.fill(Path(Rect(x: 0.5, y: 0.5, width: 600 + size, height: 600 + Double(index))), .white)
      }
    }
    let harness = harness(view)
    for step in 1...40 {
      size = Double(step)
      view.setNeedsDisplay()
      harness.run(frames: 1)
      #expect(harness.display.textureBytes < 20 << 20)
    }
    #expect(harness.display.textureCounts.created == 123 && harness.display.textureCounts.staleCommands == 0)
  }

  @Test("Lost textures and another scale paint paths again")
  func lostTextures() throws {
    let view = Canvas { $0.fill(Path(ellipseIn: Rect(x: 0, y: 0, width: 20, height: 20)), .white) }
    let harness = harness(view)
    harness.display.loseTextures()
    harness.sendEvent(.texturesLost)
    harness.run(frames: 1)
    #expect(try harness.display.readPixels().color(10, 10) == .white)
    harness.resize(to: Size(width: 200, height: 120), scale: DisplayScale(pixelsPerPoint: 2))
    harness.run(frames: 1)
    #expect(try harness.display.readPixels().color(35, 20) == .white)
    #expect(harness.display.textureCounts.staleCommands == 0)
  }

  @Test("Text is drawn where a label draws it", arguments: [Label.Alignment.leading, .center, .trailing], [1.0, 1.5])
  func text(alignment: Label.Alignment, scale: Double) throws {
    let style = TextStyle(size: 14)
    let rect = Rect(x: 12, y: 8, width: 91, height: 30)
    let label = Label(style: style, color: Color(hex: 0x40FF60), alignment: alignment)
    label.text = "Chart"
    label.frame = rect
    let root = View()
    root.addSubview(label)
    let expected = try harness(root, scale: scale).display.readPixels()
    let view = Canvas {
      $0.drawText("Chart", in: rect, style: style, color: Color(hex: 0x40FF60), alignment: alignment)
    }
    let drawn = try harness(view, scale: scale).display.readPixels()
    #expect(drawn.contentDigest == expected.contentDigest)
  }

  @Test("Text is truncated, and turned about the center of its rectangle")
  func turnedText() throws {
    let (style, rect) = (TextStyle(size: 10), Rect(x: 40, y: 40, width: 60, height: 20))
    let view = Canvas {
      $0.drawText("Axis", in: rect, style: style, color: .white, alignment: .center, angle: -.pi / 2)
      $0.drawText("A text that is far too long", in: rect, style: style, color: .white)
    }
    let commands = harness(view).display.frames.last?.commands ?? []
    // Four blocks of 5 pixels, 10 high, about 70, 50.
    #expect(commands.first?.destination == .at(65, 40, 10, 20))
    #expect((commands.last?.destination.width ?? 0) <= 60 && commands.last?.destination.x == 40)
  }

  /// A rasterizer of blocks that renders lines later, or never.
  private final class LateRasterizer: TextRasterizer {
    private let blocks = BlockTextRasterizer()
    var isAvailable = true

    func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool { true }
    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }
    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }
    func startRendering(of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void) -> Bool {
      let bitmap = isAvailable ? blocks.bitmap(for: request.text, style: request.style, scale: request.scale) : nil
      completion(bitmap.map { RenderedLine(bitmap: $0, layers: .colors) })
      return true
    }
    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? { nil }
  }

  @Test("Text that another thread renders is drawn later, and text that cannot be rendered is given up")
  func lateText() {
    for isAvailable in [true, false] {
      let rasterizer = LateRasterizer()
      rasterizer.isAvailable = isAvailable
      var results: [Bool] = []
      let view = Canvas { _ in }
      view.content = { [unowned view] in
        results.append($0.drawText("??", in: view.bounds, style: TextStyle(size: 10), color: .white))
        if results.last == false { view.setNeedsDisplay() }
      }
      let harness = WindowHarness(root: view, text: rasterizer)
      harness.runUntilIdle()
      #expect(results.first == false && results.last == true)
      #expect(isAvailable ? results.count < 10 : results.count == 242, "\(results.count)")
      #expect(harness.lastFrameCommands.count == (isAvailable ? 1 : 0) && harness.runUntilIdle() == 0)
    }
  }

  @Test("An image is drawn in a rectangle with an opacity")
  func image() throws {
    let picture = try plain(4, 4, Color(hex: 0x0080FF))
    let view = Canvas {
      $0.draw(picture, in: Rect(x: 10, y: 10, width: 4, height: 4))
      $0.draw(picture, in: Rect(x: 20, y: 10, width: 40, height: 20), opacity: 0.5)
    }
    let image = try harness(view).display.readPixels()
    #expect(image.color(12, 12) == Color(hex: 0x0080FF))
    #expect(image.color(40, 20) == Color(red: 0, green: 64, blue: 128))
  }
}
