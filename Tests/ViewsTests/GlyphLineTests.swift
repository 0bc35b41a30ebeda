import Testing
import Views

@Suite("Figures are written without strings")
struct GlyphLineTests {
  static func text(_ line: GlyphLine) -> String {
    String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
  }

  @Test(
    "Whole numbers are grouped from five digits on",
    arguments: [(0, "0"), (7, "7"), (-42, "-42"), (9_999, "9999"), (10_000, "10,000"), (1_234_567, "1,234,567")])
  func whole(number: Int, expected: String) {
    #expect(Self.text(GlyphLine().write(number)) == expected)
  }

  @Test(
    "Decimals are rounded, and minus zero is zero",
    arguments: [(0.0, 1, "0.0"), (0.96, 1, "1.0"), (-0.04, 1, "0.0"), (3.14159, 2, "3.14"), (12.5, 0, "13")])
  func decimals(number: Double, decimals: Int, expected: String) {
    #expect(Self.text(GlyphLine().write(number, decimals: decimals)) == expected)
  }

  @Test("What is no number is written as dashes, and a full line drops the rest")
  func extremes() {
    #expect(Self.text(GlyphLine().write(.nan, decimals: 1)) == "--")
    #expect(Self.text(GlyphLine(capacity: 3).write("abcdef")) == "abc")
    #expect(Self.text(GlyphLine().write(Int.min)).hasPrefix("-9,223,372"))
  }
}
