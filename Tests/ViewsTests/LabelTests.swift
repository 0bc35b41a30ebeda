import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("Label draws the layers of its line, tinted or in their own colors, at its edge")
struct LabelTests {
  /// A rasterizer of blocks in which a line with a star has glyphs with their own colors, a line of stars only no others,
  /// and a line with `<` starts from right to left.
  private final class LayeredTextRasterizer: TextRasterizer {
    private let blocks = BlockTextRasterizer()
    private(set) var requests: [LineRequest] = []

    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }

    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }

    func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool {
      text.contains { "*<".contains($0) }
    }

    func startRendering(of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void) -> Bool {
      requests.append(request)
      let (width, height) = (width(of: request.text, style: request.style, scale: request.scale), 10)
      let layers: RenderedLine.Layers =
        !request.text.contains("*") ? .mask : request.text.allSatisfy { $0 == "*" } ? .colors : .maskAndColors
      guard let size = PixelSize(width: width, height: layers == .maskAndColors ? 2 * height : height) else {
        return false
      }
      let bitmap = try? Bitmap(size: size, isOpaque: false) { $0.initializeMemory(as: UInt8.self, repeating: 255) }
      completion(
        bitmap.map { RenderedLine(bitmap: $0, layers: layers, isRightToLeft: request.text.first == "<") })
      return true
    }

    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
      blocks.bitmap(for: text, style: style, scale: scale)
    }
  }

  private let rasterizer = LayeredTextRasterizer()
  private let label = Label(style: TextStyle(size: 10), color: Color(hex: 0x336699))
  private let harness: WindowHarness

  init() {
    let root = View()
    harness = WindowHarness(root: root, text: rasterizer)
    label.frame = Rect(x: 0, y: 0, width: 90, height: 20)
    root.addSubview(label)
  }

  /// Returns the commands that draw a text.
  private func commands(_ text: String) -> [DrawCommand] {
    label.text = text
    harness.runUntilIdle()
    return harness.display.frames.last?.commands ?? []
  }

  @Test("Only the opacity of the label's color applies to glyphs with their own colors")
  func tints() throws {
    #expect(commands("**").map(\.color) == [.white])
    #expect(commands("ab").map(\.color) == [Color(hex: 0x336699)])
    label.textColor = Color(hex: 0x336699, alpha: 100)
    #expect(commands("**").map(\.color) == [Color.white.opacity(100.0 / 255)])
  }

  @Test("Letters among emoji are tinted, and the emoji are drawn over them at the same position")
  func layers() throws {
    let drawn = commands("a*")
    #expect(drawn.map(\.color) == [Color(hex: 0x336699), .white])
    #expect(
      drawn.map(\.source) == [
        PixelRect(x: 0, y: 0, width: 10, height: 10), PixelRect(x: 0, y: 10, width: 10, height: 10),
      ])
    #expect(drawn.map(\.destination) == Array(repeating: PixelRect(x: 0, y: 5, width: 10, height: 10), count: 2))
    // Another color needs no other line.
    label.textColor = .white
    #expect(commands("a*").map(\.color) == [.white, .white] && rasterizer.requests.count == 1)
  }

  @Test("A line from another thread is requested with the label's width and truncation, and once for each width")
  func requests() {
    label.lineBreakMode = .byTruncatingMiddle
    _ = commands("a*")
    label.frame.size.width = 60
    _ = commands("a*")
    label.frame.size.width = 90
    _ = commands("a*")
    #expect(rasterizer.requests.map(\.maximumWidth) == [90, 60])
    #expect(rasterizer.requests.allSatisfy { $0.truncation == .byTruncatingMiddle && $0.text == "a*" })
  }

  @Test("A text from right to left is at the right edge, unless the alignment is another one")
  func alignment() {
    func left(_ text: String) -> Int32? { commands(text).first?.destination.x }
    #expect(left("<b") == 80 && left("b<") == 0 && left("b") == 0)
    label.textAlignment = .leading
    #expect(left("<b") == 0)
    label.textAlignment = .trailing
    #expect(left("b<") == 80 && left("b") == 85)
    label.textAlignment = .center
    #expect(left("<b") == 40)
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
