import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A label draws its line in one colour, unless that has its own")
struct LabelTests {
  /// Paints blocks; a line of question marks counts as one in colours.
  private final class Painter: TextRasterizer {
    private let blocks = BlockTextRasterizer()

    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }

    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }

    func hasOwnColors(_ text: String) -> Bool { text.allSatisfy { $0 == "?" } }

    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
      blocks.bitmap(for: text, style: style, scale: scale)
    }
  }

  /// The tint with which the only line of a label is drawn.
  private func tint(_ label: Label, _ context: DrawContext) throws -> Color {
    context.list.removeAll()
    label.render(in: context)
    try #require(context.list.count == 1)
    return context.list.commands[0].color
  }

  @Test("Colours are kept, and only how opaque the label's is counts; other lines are tinted")
  func tints() throws {
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let context = DrawContext(list: DisplayList(), resources: RenderResources(display: display, text: Painter()))
    let label = Label(style: TextStyle(size: 10), color: Color(hex: 0x336699))
    label.frame = Rect(x: 0, y: 0, width: 90, height: 20)
    label.text = "??"
    #expect(try tint(label, context) == .white)
    label.color = Color(hex: 0x336699, alpha: 100)
    #expect(try tint(label, context) == Color.white.opacity(100.0 / 255))
    label.text = "?a"
    #expect(try tint(label, context) == Color(hex: 0x336699, alpha: 100))
    // Too long for the label, it is cut with an ellipsis, and a line like others.
    label.text = String(repeating: "?", count: 40)
    #expect(try tint(label, context) == Color(hex: 0x336699, alpha: 100))
  }
}
