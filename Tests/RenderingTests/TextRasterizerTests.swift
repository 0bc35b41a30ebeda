import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("Block text is the same on every machine")
@MainActor
struct BlockTextRasterizerTests {
  private let rasterizer = BlockTextRasterizer()

  @Test("A bitmap has the measured width and the style's height", arguments: [1.0, 1.5, 2.0])
  func sizesAgree(factor: Double) throws {
    let scale = DisplayScale(pixelsPerPoint: factor)
    for size in [1.0, 7, 13, 24] {
      let style = TextStyle(size: size)
      let picture = try #require(rasterizer.bitmap(for: "IMG 1.jpg", style: style, scale: scale))
      let metrics = rasterizer.metrics(style, scale: scale)
      #expect(picture.size.width == rasterizer.width(of: "IMG 1.jpg", style: style, scale: scale))
      #expect(picture.size.height == metrics.ascent + metrics.descent)
      #expect(metrics.lineHeight >= picture.size.height)
    }
  }

  @Test("Widths add up")
  func widthsAddUp() {
    let style = TextStyle(size: 13)
    let parts = ["one ", "and ", "another"].map { rasterizer.width(of: $0, style: style, scale: .one) }
    #expect(rasterizer.width(of: "one and another", style: style, scale: .one) == parts.reduce(0, +))
  }

  @Test("Different texts have different bitmaps, spaces are blank, and an empty text has no bitmap")
  func content() throws {
    let style = TextStyle(size: 13)
    let first = try #require(rasterizer.bitmap(for: "abc", style: style, scale: .one))
    let second = try #require(rasterizer.bitmap(for: "abd", style: style, scale: .one))
    let space = try #require(rasterizer.bitmap(for: " ", style: style, scale: .one))
    #expect(first.contentDigest != second.contentDigest)
    #expect(space.withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 } })
    #expect(rasterizer.bitmap(for: "", style: style, scale: .one) == nil)
    #expect(rasterizer.paintedLines == 3)
  }
}

@Suite("Lines that are too long are truncated with an ellipsis")
struct TruncationTests {
  /// Returns the width of a text with ten units per character.
  static func measure(_ text: String) -> Int { text.count * 10 }

  @Test("A line that fits is unchanged")
  func fits() {
    #expect(LineBreakMode.byTruncatingTail.truncatedText("photo.jpg", width: 90, measure: Self.measure) == "photo.jpg")
  }

  @Test("Middle truncation keeps the extension")
  func middle() {
    let text = LineBreakMode.byTruncatingMiddle.truncatedText(
      "a very long name of a photograph.jpeg", width: 200, measure: Self.measure)
    #expect(text.hasSuffix(".jpeg"))
    #expect(text.contains("…"))
    #expect(Self.measure(text) <= 200)
  }

  @Test("Tail truncation cuts at the end, never after a space")
  func tail() {
    #expect(
      LineBreakMode.byTruncatingTail.truncatedText("one two three", width: 90, measure: Self.measure) == "one two…")
  }

  @Test("Text with letters of similar width needs few measurements")
  func fewMeasurements() {
    let text = "a name of many letters, as those of photographs often are.jpeg"
    for width in stride(from: 40, to: 600, by: 7) {
      var count = 0
      let result = LineBreakMode.byTruncatingTail.truncatedText(text, width: width) { line in
        count += 1
        return line.reduce(0) { $0 + ("il.,".contains($1) ? 8 : 10) }
      }
      #expect(count <= 5, "\(result)")
    }
  }

  @Test("For any text and width, the result fits or is about the ellipsis alone, and a text that fits is unchanged")
  func property() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let length = Int.random(in: 0...60, using: &generator)
      let text = String((0..<length).map { _ in "abcdefghij klmno.é漢".randomElement(using: &generator) ?? "x" })
      let width = Int.random(in: 0...400, using: &generator)
      for truncation in [LineBreakMode.byTruncatingTail, .byTruncatingMiddle] {
        let result = truncation.truncatedText(text, width: width, measure: Self.measure)
        if Self.measure(text) <= width {
          #expect(result == text)
        } else {
          #expect(Self.measure(result) <= width || result.count <= 1 + text.count / 2)
          #expect(result.contains("…"))
        }
      }
    }
  }
}
