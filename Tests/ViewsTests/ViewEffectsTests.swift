import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("View.alpha, View.transform and rounded clips")
struct ViewEffectsTests {
  private func box(_ rect: Rect, _ color: Color) -> View {
    let view = View(frame: rect)
    view.backgroundColor = color
    return view
  }

  private func harness(_ views: View..., scale: Double = 1) -> WindowHarness {
    let root = View()
    views.forEach(root.addSubview)
    let harness = WindowHarness(
      root: root, size: Size(width: 200, height: 120), scale: DisplayScale(pixelsPerPoint: scale))
    harness.window.backgroundColor = .black
    harness.run(frames: 1)
    return harness
  }

  @Test("A view and its subviews are blended as a whole")
  func alpha() throws {
    let parent = box(Rect(x: 10, y: 10, width: 60, height: 60), Color(hex: 0xFF0000))
    parent.addSubview(box(Rect(x: 20, y: 20, width: 60, height: 20), Color(hex: 0x0000FF)))
    parent.alpha = 0.5
    let harness = harness(parent)
    let image = try harness.display.readPixels()
    #expect(image.color(15, 15) == Color(red: 128, green: 0, blue: 0))
    #expect(image.color(40, 35) == Color(red: 0, green: 0, blue: 128), "the subview covers its superview")
    #expect(image.color(80, 35) == Color(red: 0, green: 0, blue: 128), "also outside of it")
    parent.alpha = 1
    harness.run(frames: 1)
    #expect(harness.lastFrameCommands == ["fill 10,10 60x60 #ff0000ff", "fill 30,30 60x20 #0000ffff"])
    parent.alpha = 0
    harness.run(frames: 1)
    #expect(harness.lastFrameCommands.isEmpty)
    parent.alpha = .nan
    #expect(parent.alpha == 1)
  }

  @Test("A single rectangle is blended without a layer")
  func simpleAlpha() {
    let view = box(Rect(x: 10, y: 10, width: 60, height: 60), Color(hex: 0xFF0000))
    view.alpha = 0.2
    #expect(harness(view).lastFrameCommands == ["fill 10,10 60x60 #ff000033 blended"])
  }

  @Test("Translation and scaling are about the center, on whole pixels", arguments: [1.0, 2])
  func uprightTransforms(scale: Double) {
    let view = box(Rect(x: 40, y: 20, width: 20, height: 10), .white)
    view.addSubview(box(Rect(x: 0, y: 0, width: 5, height: 5), Color(hex: 0xFF0000)))
    view.transform = Transform(translationX: 7.4, y: -3)
    let harness = harness(view, scale: scale)
    func rects() -> [PixelRect] { harness.display.frames.last?.commands.map(\.destination) ?? [] }
    #expect(rects()[0] == DisplayScale(pixelsPerPoint: scale).pixelRect(Rect(x: 47.4, y: 17, width: 20, height: 10)))
    view.transform = Transform(scaleX: 2, y: 3)
    harness.run(frames: 1)
    let whole = Int32(scale)
    #expect(
      rects() == [
        .at(30 * whole, 10 * whole, 40 * whole, 30 * whole), .at(30 * whole, 10 * whole, 10 * whole, 15 * whole),
      ])
    view.transform = Transform(scaleX: 0, y: 1)
    harness.run(frames: 1)
    #expect(rects().isEmpty)
    view.transform = .identity
    harness.run(frames: 1)
    #expect(rects()[0] == .at(40 * whole, 20 * whole, 20 * whole, 10 * whole))
  }

  @Test("Scaled text and clips keep their places")
  func scaledContent() {
    let view = View(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    let label = Label(style: TextStyle(size: 10), color: .white)
    label.text = "Text"
    label.frame = Rect(x: 10, y: 10, width: 80, height: 20)
    view.addSubview(label)
    view.transform = Transform(scaleX: 2, y: 2).concatenating(Transform(translationX: 50, y: 20))
    let commands = harness(view).display.frames.last?.commands ?? []
    #expect(commands.map(\.destination) == [.at(20, 30, 40, 20)])
    #expect(commands[0].source == .at(0, 0, 20, 10))
  }

  @Test("A rotated view is painted once, and shows its pixels turned")
  func rotation() throws {
    let view = box(Rect(x: 60, y: 40, width: 40, height: 20), Color(hex: 0xFF0000))
    view.addSubview(box(Rect(x: 0, y: 0, width: 10, height: 20), Color(hex: 0x00FF00)))
    view.transform = Transform(rotationAngle: .pi / 2)
    let harness = harness(view)
    let image = try harness.display.readPixels()
    // The center is at 80, 50; the green end is at the top.
    #expect(image.color(80, 32) == Color(hex: 0x00FF00) && image.color(80, 60) == Color(hex: 0xFF0000))
    #expect(image.color(65, 50) == .black && image.color(80, 28) == .black && image.color(80, 71) == .black)
    let created = harness.display.textureCounts.created
    for _ in 0..<3 {
      view.setNeedsDisplay()
      harness.run(frames: 1)
    }
    #expect(harness.display.textureCounts.created == created)
    view.transform = Transform(rotationAngle: .pi / 6)
    harness.run(frames: 1)
    let turned = try harness.display.readPixels()
    #expect(turned.color(80, 50) == Color(hex: 0xFF0000) && turned.color(58, 40) == .black)
    #expect((0..<200).contains { (1...254).contains(turned.color($0, 45).red) }, "edges are smoothed")
  }

  @Test("A rotated translucent view keeps its transparency")
  func translucentRotation() throws {
    let view = box(Rect(x: 60, y: 40, width: 40, height: 20), Color(hex: 0xFF0000, alpha: 128))
    view.transform = Transform(rotationAngle: .pi / 2)
    let harness = harness(view)
    harness.window.backgroundColor = .white
    harness.run(frames: 1)
    let color = try harness.display.readPixels().color(80, 50)
    #expect(color.red == 255 && (126...128).contains(color.green) && color.green == color.blue)
  }

  @Test("Hit testing and conversions follow the transform; invisible views receive no input")
  func hitTesting() {
    let view = box(Rect(x: 60, y: 40, width: 40, height: 20), .white)
    let inner = box(Rect(x: 30, y: 0, width: 10, height: 10), .white)
    view.addSubview(inner)
    let harness = harness(view)
    let root = harness.window.rootView
    #expect(
      root.hitTest(Point(x: 95, y: 45)) === inner && inner.convertFromWindow(Point(x: 95, y: 45)) == Point(x: 5, y: 5))
    view.transform = Transform(scaleX: 2, y: 2)
    // From 40, 30 to 120, 70.
    #expect(root.hitTest(Point(x: 41, y: 31)) === view && root.hitTest(Point(x: 119, y: 31)) === inner)
    #expect(inner.convertFromWindow(Point(x: 110, y: 40)) == Point(x: 5, y: 5))
    #expect(view.frameInWindow == Rect(x: 40, y: 30, width: 80, height: 40))
    #expect(inner.frameInWindow == Rect(x: 100, y: 30, width: 20, height: 20))
    view.transform = Transform(rotationAngle: .pi / 2)
    #expect(root.hitTest(Point(x: 80, y: 31)) === view && root.hitTest(Point(x: 62, y: 50)) === root)
    #expect(root.hitTest(Point(x: 87, y: 65)) === inner)
    for alpha in [0.009, 0] {
      view.alpha = alpha
      #expect(root.hitTest(Point(x: 80, y: 50)) === root)
    }
    (view.alpha, view.transform) = (0.02, Transform(scaleX: 0, y: 1))
    #expect(root.hitTest(Point(x: 80, y: 50)) === root)
  }

  /// A view that draws a picture with rounded corners.
  private final class RoundedPicture: View {
    override func draw(in context: DrawContext) {
      context.clipped(toRoundedRect: bounds, radius: 10) { $0.fill(bounds, .white) }
    }
  }

  @Test("A view that clips to its bounds clips its subviews and rounds an image over any background")
  func clipsToBounds() throws {
    let behind = box(Rect(x: 0, y: 0, width: 200, height: 60), Color(hex: 0x00FF00))
    let view = box(Rect(x: 20, y: 40, width: 80, height: 40), .white)
    view.addSubview(box(Rect(x: 60, y: 10, width: 60, height: 10), Color(hex: 0xFF0000)))
    let picture = ImageView(frame: Rect(x: 120, y: 40, width: 40, height: 40))
    picture.image = try plain(40, 40, .white)
    (picture.clipsToBounds, picture.clipCornerRadius) = (true, 20)
    let harness = harness(behind, view, picture)
    harness.runUntilIdle()
    let before = try harness.display.readPixels()
    #expect(before.color(110, 55) == Color(hex: 0xFF0000) && before.color(20, 40) == .white)
    #expect(before.color(121, 41) == Color(hex: 0x00FF00) && before.color(140, 60) == .white)
    #expect(before.color(121, 78) == .black)
    view.clipsToBounds = true
    harness.run(frames: 1)
    let square = try harness.display.readPixels()
    #expect(square.color(110, 55) == .black || square.color(110, 55) == Color(hex: 0x00FF00))
    #expect(square.color(90, 55) == Color(hex: 0xFF0000) && square.color(20, 40) == .white)
    view.clipCornerRadius = 10
    harness.run(frames: 1)
    #expect(try harness.display.readPixels().color(20, 40) == Color(hex: 0x00FF00))
  }

  @Test("A rounded clip leaves what is behind its corners", arguments: [1, 2])
  func roundedClip(scale: Int) throws {
    let behind = box(Rect(x: 0, y: 0, width: 200, height: 60), Color(hex: 0x00FF00))
    let view = RoundedPicture(frame: Rect(x: 20, y: 40, width: 80, height: 40))
    let image = try harness(behind, view, scale: Double(scale)).display.readPixels()
    #expect(image.color(20 * scale, 40 * scale) == Color(hex: 0x00FF00))
    #expect(image.color(20 * scale, 80 * scale - 1) == .black)
    #expect(image.color(50 * scale, 40 * scale) == .white && image.color(20 * scale, 60 * scale) == .white)
  }
}
