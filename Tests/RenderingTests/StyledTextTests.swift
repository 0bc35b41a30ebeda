import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineRendering

@MainActor
@Suite("A styled text has runs without gaps, which slices and truncation keep")
struct StyledTextTests {
  private static let (small, large) = (TextStyle(size: 10), TextStyle(size: 20, weight: .semibold))

  private func text(_ parts: [(String, TextStyle, Color?)]) -> StyledText {
    var text = StyledText()
    for (part, style, color) in parts { text.append(part, .init(range: 0..<0, style: style, foregroundColor: color)) }
    return text
  }

  private func parts(_ text: StyledText) -> [String] { text.runs.map { text.slice($0.range).string } }

  @Test("Equal neighbours are one run, and empty ones none")
  func runs() {
    let made = text([("ab", Self.small, nil), ("", Self.large, nil), ("c", Self.small, nil), ("d", Self.large, nil)])
    #expect(made.string == "abcd" && parts(made) == ["abc", "d"])
    #expect(StyledText("ab", style: Self.small).isPlain(in: Self.small))
    #expect(!StyledText("ab", style: Self.small).isPlain(in: Self.large) && !made.isPlain(in: Self.small))
  }

  @Test("Controls are replaced, tabs are four spaces, and line breaks are retained as line feeds")
  func controls() {
    #expect(StyledText("a\tb\r\nc\rd\u{2028}e\u{202E}f", style: Self.small).string == "a    b\nc\nd\ne\u{FFFD}f")
    #expect(StyledText("a\nb", style: Self.small).singleLine.string == "a b")
  }

  @Test("Slices of random texts have the runs of their bytes, and put together they are the text", arguments: 1...40)
  func slices(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "é", "世", "👩‍🚀", "ש", " "]
    let whole = text(
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        (
          (0..<Int.random(in: 0...5, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined(),
          Bool.random(using: &random) ? Self.small : Self.large, Bool.random(using: &random) ? .white : nil
        )
      })
    var offsets = [0]
    for character in whole.string { offsets.append(offsets[offsets.count - 1] + character.utf8.count) }
    let middle = offsets.randomElement(using: &random) ?? 0
    let (head, tail) = (whole.slice(0..<middle), whole.slice(middle..<whole.string.utf8.count))
    #expect(head.appending(tail) == whole)
    for part in [head, tail] {
      #expect(part.runs.first?.range.lowerBound ?? 0 == 0)
      #expect(part.runs.last?.range.upperBound ?? 0 == part.string.utf8.count)
      #expect(zip(part.runs, part.runs.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    }
  }

  @Test("The ellipsis has the style of the part that it replaces, at the start, in the middle and at the end")
  func truncation() {
    let whole = text([("abcd", Self.small, nil), ("efgh", Self.large, .white)])
    func measure(_ text: StyledText) -> Int { text.string.count }
    #expect(parts(whole.truncated(to: 8, .byTruncatingTail, measure: measure)) == ["abcd", "efgh"])
    #expect(parts(whole.truncated(to: 4, .byTruncatingTail, measure: measure)) == ["abc…"])
    #expect(parts(whole.truncated(to: 6, .byTruncatingTail, measure: measure)) == ["abcd", "e…"])
    #expect(parts(whole.truncated(to: 4, .byTruncatingHead, measure: measure)) == ["…", "fgh"])
    #expect(parts(whole.truncated(to: 7, .byTruncatingMiddle, measure: measure)) == ["abc…", "fgh"])
    #expect(LineBreakMode.byTruncatingHead.truncatedText("/a/long/path", width: 6) { $0.count } == "…/path")
  }

  @Test("Names of families are stored in the style")
  func families() {
    var style = TextStyle(size: 10, family: "Noto Serif Display")
    #expect(style.family == "Noto Serif Display" && style.needsOtherFont && style != Self.small)
    style.family = nil
    #expect(style == Self.small && !style.needsOtherFont)
    #expect(TextStyle(size: 10, family: String(repeating: "x", count: 40)).family?.count == 32)
  }

  @Test("The direction is that of the first letter")
  func directions() {
    for (text, direction) in [
      ("1, שלום", .rightToLeft), ("a שלום", .leftToRight), ("«مرحبا»", .rightToLeft), ("12", nil), ("東", .leftToRight),
    ] as [(String, TextDirection?)] {
      #expect(TextDirection.ofFirstLetter(in: text.unicodeScalars) == direction, "\(text)")
    }
  }

  /// Returns the layers of the line that the rasterizer of blocks paints.
  private func painted(_ text: StyledText, width: Int = 1_000) throws -> RenderedLine {
    var painted: RenderedLine?
    let box = Box()
    let isStarted = BlockTextRasterizer().startRendering(
      of: LineRequest(
        styledText: text, style: Self.small, scale: .one, maximumWidth: width, truncation: .byTruncatingTail)
    ) { box.line = $0 }
    painted = box.line
    #expect(isStarted)
    return try #require(painted)
  }

  private final class Box: @unchecked Sendable {
    // Used by one thread: the rasterizer of blocks calls back before it returns.
    var line: RenderedLine?
  }

  @Test("Parts with colors are below the mask of the others, backgrounds under both, on one baseline")
  func layers() throws {
    var line = StyledText()
    line.append("h", .init(range: 0..<0, style: Self.small))
    line.append(
      "h", .init(range: 0..<0, style: Self.large, foregroundColor: .black, backgroundColor: Color(hex: 0xFF0000)))
    let painted = try painted(line)
    // Ascents of 8 and 16, descents of 2 and 4; blocks of 5 and 10 columns, the last one of each empty.
    #expect(painted.layers == .maskOverColors && painted.bitmap.size == PixelSize(width: 15, height: 40))
    let height = 20
    #expect(painted.bitmap.color(0, 15) == .white && painted.bitmap.color(0, 16).alpha == 0)
    #expect(painted.bitmap.color(0, 7).alpha == 0 && painted.bitmap.color(8, 12).alpha == 0)
    #expect(painted.bitmap.color(0, height + 12) == .clear)
    #expect(
      painted.bitmap.color(8, height + 15) == .black && painted.bitmap.color(8, height + 19) == Color(hex: 0xFF0000))
    #expect(painted.bitmap.color(14, height) == Color(hex: 0xFF0000))
  }

  @Test("Lines under and through a part are in its color or their own, and the mask has those of the label's color")
  func decorations() throws {
    var line = StyledText()
    line.append(" ", .init(range: 0..<0, style: Self.large, underlineStyle: .single))
    #expect(try self.painted(line).layers == .mask)
    line.append(
      " ", .init(range: 0..<0, style: Self.large, strikethroughStyle: TextLineStyle(color: Color(hex: 0x00FF00))))
    let painted = try painted(line)
    let positions = TextLinePositions(pixelSize: 20)
    #expect(painted.layers == .maskOverColors)
    #expect(painted.bitmap.color(4, 16 + positions.underline.lowerBound) == .white)
    #expect(painted.bitmap.color(14, 16 + positions.underline.lowerBound).alpha == 0)
    #expect(painted.bitmap.color(14, 20 + 16 + positions.strikethrough.lowerBound) == Color(hex: 0x00FF00))
    #expect(painted.bitmap.color(4, 20 + 16 + positions.strikethrough.lowerBound).alpha == 0)
  }

  @Test("Translucent colors are blended with the background of the part")
  func translucency() throws {
    var line = StyledText()
    line.append(
      "h",
      .init(range: 0..<0, style: Self.small, foregroundColor: Color(hex: 0xFFFFFF, alpha: 128), backgroundColor: .black)
    )
    let painted = try painted(line)
    #expect(painted.layers == .colors && painted.bitmap.color(0, 7) == Color(hex: 0x808080))
  }
}
