import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("A text is broken into lines in order and as far as needed")
struct TextLinesTests {
  private static let measures = TextLines.Measures(
    width: { $0.count }, breaks: { LineBreakRules.offsets(in: $0) })

  private func lines(_ text: String, width: Int) -> [String] {
    var lines = TextLines(text, width: width)
    lines.breakLines(upTo: .max, Self.measures)
    #expect(lines.isComplete && lines.estimatedCount == lines.ranges.count)
    return lines.ranges.indices.map { lines.line(at: $0) }
  }

  @Test(
    "Lines end at line breaks, between words, and within a word that is too wide",
    arguments: [
      ("", []), ("one", ["one"]), ("one two three", ["one two", "three"]), ("one  two", ["one  two"]),
      ("a\nb", ["a", "b"]), ("a\n\n\nb", ["a", "", "", "b"]),
      ("a\r\nb\rc\u{2028}d\u{2029}e", ["a", "b", "c", "d", "e"]),
      ("a\n", ["a", ""]), ("\n", ["", ""]), ("abcdefghijklm no", ["abcdefgh", "ijklm no"]), ("a\tb", ["a    b"]),
      ("12345678 b", ["12345678", "b"]), ("1234567  b", ["1234567", "b"]), ("東京都京都市大阪府", ["東京都京都市大阪", "府"]),
      ("👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀", ["👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀", "👩‍🚀"]),
    ] as [(String, [String])])
  func breaks(text: String, expected: [String]) { #expect(lines(text, width: 8) == expected) }

  /// Returns the lines of a paragraph broken word by word.
  private func greedyLines(_ paragraph: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in paragraph.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  @Test("Lines are those of the simplest algorithm, for any text", arguments: 1...30 as ClosedRange<UInt64>)
  func sameAsGreedy(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Long paragraphs are searched for breaks in parts, whose ends must not show.
    let paragraphs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      (0..<Int.random(in: 0...(Bool.random(using: &random) ? 8 : 1_500), using: &random)).map { _ in
        String(repeating: "x", count: Int.random(in: 1...12, using: &random))
      }.joined(separator: " ")
    }
    let width = Int.random(in: 12...90, using: &random)
    let expected = paragraphs.flatMap { greedyLines($0, width: width) }
    #expect(lines(paragraphs.joined(separator: "\n"), width: width) == expected)
  }

  @Test("No more lines are broken and measured than necessary, in a text of a megabyte")
  func asNeeded() {
    let text = String(repeating: "the quick brown fox jumps over the lazy dog ", count: 24_000)
    var measured = 0
    let measures = TextLines.Measures(
      width: {
        measured += 1
        return $0.count
      }, breaks: { LineBreakRules.offsets(in: $0) })
    var lines = TextLines(text, width: 80)
    lines.breakLines(upTo: 50, measures)
    #expect(lines.ranges.count == 50 && !lines.isComplete && measured < 50 * 8)
    // The estimate is within a twentieth of the number.
    let estimate = lines.estimatedCount
    lines.breakLines(upTo: .max, measures)
    #expect(abs(estimate - lines.ranges.count) < lines.ranges.count / 20)
    #expect(lines.ranges.map(\.count).reduce(0, +) == text.utf8.count)
  }
}

@Suite("TextView displays the visible lines of a text of any length")
struct TextViewTests {
  /// A style whose characters are blocks of 10 by 20 pixels.
  private static let style = TextStyle(size: 20)

  private let view = TextView(style: TextViewTests.style, color: .white, lineHeight: 24)
  private let harness: WindowHarness

  init() {
    let root = View()
    harness = WindowHarness(root: root, size: Size(width: 400, height: 240))
    view.frame = Rect(x: 0, y: 0, width: 400, height: 240)
    root.addSubview(view)
    harness.window.addParticipant(view)
  }

  private func drawn(_ texts: [String]) -> [String: Int32] {
    Dictionary(
      harness.drawnTexts(texts, in: Self.style).map { ($0.text, $0.frame.y) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("A short text is displayed from the top, again after a change of the text or the width")
  func shortText() {
    view.text = "one\ntwo words"
    harness.runUntilIdle()
    #expect(drawn(["one", "two words"]) == ["one": 2, "two words": 26])
    #expect(view.isLayoutComplete && view.estimatedNumberOfLines == 2 && view.contentLength == 48)
    #expect(view.accessibility?.label == "one two words")
    view.frame.size.width = 60
    harness.runUntilIdle()
    #expect(drawn(["one", "two", "words"]) == ["one": 2, "two": 26, "words": 50])
    view.text = "new"
    harness.runUntilIdle()
    #expect(drawn(["one", "two", "words", "new"]) == ["new": 2] && view.contentLength == 24)
  }

  @Test("Only visible lines are rendered, and scrolling displays others at their places")
  func scrolling() {
    view.text = (0..<5_000).map { "line \($0)" }.joined(separator: "\n")
    harness.run(frames: 1)
    #expect(drawn(["line 0", "line 9", "line 10"]).keys.sorted() == ["line 0", "line 9"])
    let rasterizer = harness.resources.text as? BlockTextRasterizer
    #expect(rasterizer.map { $0.paintedLines <= 12 } == true)
    harness.runUntilIdle()
    #expect(view.isLayoutComplete && view.contentLength == 120_000)
    view.contentOffset = 24 * 100 + 10
    harness.runUntilIdle()
    #expect(drawn(["line 100", "line 110", "line 111"]) == ["line 100": -8, "line 110": 232])
    #expect(rasterizer.map { $0.paintedLines <= 40 } == true)
  }

  @Test("A jump to the end of a long text breaks a limited number of lines in a frame, and then arrives")
  func longText() {
    view.text = String(repeating: "words of a text ", count: 16_000) + "\nend"
    harness.run(frames: 1)
    #expect(!view.isLayoutComplete && view.estimatedNumberOfLines > 5_000)
    harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    harness.window.firstResponder = view
    harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    harness.runUntilIdle()
    #expect(view.isLayoutComplete)
    view.contentOffset = .greatestFiniteMagnitude
    harness.runUntilIdle()
    #expect(drawn(["end"]).count == 1)
  }
}
