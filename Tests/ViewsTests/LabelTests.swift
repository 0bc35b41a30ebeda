import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("Label tints its line unless the line has its own colors")
struct LabelTests {
  /// A rasterizer of blocks in which lines of question marks have their own colors.
  private final class ColorTextRasterizer: TextRasterizer {
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

  /// Returns the color with which the only line of a label is drawn.
  private func tint(_ label: Label, _ context: DrawContext) throws -> Color {
    context.list.removeAll()
    label.render(in: context)
    try #require(context.list.count == 1)
    return context.list.commands[0].color
  }

  @Test("Lines with their own colors use only the opacity of the label's color")
  func tints() throws {
    let display = RecordingDisplay(size: Size(width: 100, height: 100))
    let context = DrawContext(
      list: DisplayList(), resources: RenderResources(display: display, text: ColorTextRasterizer()))
    let label = Label(style: TextStyle(size: 10), color: Color(hex: 0x336699))
    label.frame = Rect(x: 0, y: 0, width: 90, height: 20)
    label.text = "??"
    #expect(try tint(label, context) == .white)
    label.textColor = Color(hex: 0x336699, alpha: 100)
    #expect(try tint(label, context) == Color.white.opacity(100.0 / 255))
    label.text = "?a"
    #expect(try tint(label, context) == Color(hex: 0x336699, alpha: 100))
    // A truncated line ends in an ellipsis, so it does not have its own colors.
    label.text = String(repeating: "?", count: 40)
    #expect(try tint(label, context) == Color(hex: 0x336699, alpha: 100))
  }
}

@Suite("Paragraph")
struct ParagraphTests {
  let paragraph = Paragraph(
    style: TextStyle(size: 10), color: .white, lineHeight: 16, numberOfLines: 3, alignment: .leading)
  let harness: WindowHarness

  init() {
    let root = View()
    root.addSubview(paragraph)
    harness = WindowHarness(root: root)
    harness.runUntilIdle()
  }

  private func width(of text: String) -> Double {
    Double(harness.resources.text.width(of: text, style: TextStyle(size: 10), scale: .one))
  }

  @Test("The height grows with the number of lines, up to the maximum, and is zero for an empty text")
  func lines() {
    paragraph.text = "one two three four"
    paragraph.sizeToFit(width: width(of: "one two three four"))
    #expect(paragraph.frame.height == 16)
    paragraph.sizeToFit(width: width(of: "three four"))
    #expect(paragraph.frame.height == 32)
    paragraph.sizeToFit(width: 1)
    #expect(paragraph.frame.height == 48 && paragraph.frame.width == 1)
    paragraph.text = ""
    paragraph.sizeToFit(width: 100)
    #expect(paragraph.frame.height == 0)
  }

  @Test("Repeated fitting requests no frame, and another scale breaks the lines again")
  func repeatedFitting() {
    paragraph.text = "one two three four"
    paragraph.sizeToFit(width: 40)
    harness.runUntilIdle()
    let frames = harness.display.presentedFrames
    paragraph.sizeToFit(width: 40)
    harness.runUntilIdle()
    #expect(harness.display.presentedFrames == frames)
    harness.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    harness.runUntilIdle()
    paragraph.text = "one"
    paragraph.sizeToFit(width: 40)
    #expect(paragraph.frame.height == 16)
  }

  @Test("Without a window the text is one line")
  func withoutWindow() {
    let paragraph = Paragraph(style: TextStyle(size: 10), color: .white, lineHeight: 16, numberOfLines: 3)
    paragraph.text = "one two three four"
    paragraph.sizeToFit(width: 1)
    #expect(paragraph.frame.height == 16)
  }
}

@Suite("LineBreaker")
struct LineBreakerTests {
  private static func lines(_ text: String, width: Int, atMost count: Int = 9) -> [String] {
    LineBreaker.lines(of: text, width: width, maximumCount: count) { $0.count }
  }

  @Test("Breaks between words only if the text does not fit")
  func breaksBetweenWords() {
    #expect(Self.lines("one two three", width: 13) == ["one two three"])
    #expect(Self.lines("one two three", width: 12) == ["one two", "three"])
    #expect(Self.lines("", width: 12) == [])
    #expect(Self.lines("one", width: 0) == ["one"])
  }

  @Test("Lines are balanced")
  func balancedLines() {
    #expect(Self.lines("aaa bbb ccc ddd", width: 11) == ["aaa bbb", "ccc ddd"])
  }

  @Test("A word that is too wide has its own line, and the last line contains the rest")
  func wideWords() {
    #expect(Self.lines("a bbbbbbbbbb c", width: 4) == ["a", "bbbbbbbbbb", "c"])
    #expect(Self.lines("a bbbbbbbbbb c d", width: 4, atMost: 2) == ["a", "bbbbbbbbbb c d"])
    #expect(Self.lines("a b c d", width: 1, atMost: 1) == ["a b c d"])
  }

  @Test("Uses the minimum number of lines without losing a word", arguments: 0..<50)
  func invariants(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      String(repeating: "x", count: Int.random(in: 1...12, using: &random))
    }
    let width = Int.random(in: 12...60, using: &random)
    let lines = Self.lines(words.joined(separator: " "), width: width, atMost: 30)
    #expect(lines.joined(separator: " ") == words.joined(separator: " "))
    #expect(lines.allSatisfy { $0.count <= width })
    // A greedy algorithm uses the minimum number of lines.
    let needed = words.reduce(into: (count: 0, remaining: 0)) { state, word in
      if state.count > 0, word.count + 1 <= state.remaining {
        state.remaining -= word.count + 1
      } else {
        state = (state.count + 1, width - word.count)
      }
    }
    #expect(lines.count == needed.count)
    let widest = lines.map(\.count).max() ?? 0
    // One column less takes another line.
    if lines.count > 1, widest > (words.map(\.count).max() ?? 0) {
      #expect(Self.lines(words.joined(separator: " "), width: widest - 1, atMost: 30).count > lines.count)
    }
  }
}
