import Rendering
import TestSupport
import Testing

@Suite("Captions are safe to shape and honest to read")
struct CaptionTextTests {
  @Test("Plain text stays as it is", arguments: ["", "IMG_0042.jpg", "Größe – 𝔸 é", "日本語.png", "שלום.jpg", "👩‍👩‍👧 ❤️"])
  func plainTextStays(text: String) {
    let caption = SanitizedText(text)
    #expect(Array(caption.string.unicodeScalars) == Array(text.unicodeScalars))
    #expect(!caption.isTruncated)
  }

  @Test("Printable ASCII and ellipses are plain, and nothing else is")
  func plain() {
    for text in ["", "IMG_0042.jpg", "Summer by the…", "……", "a…b ~"] {
      let caption = SanitizedText(text)
      #expect(caption.isPlain && caption.string == text)
    }
    // Signs whose bytes begin or end like an ellipsis.
    for text in ["é", "a‥", "a\u{2027}", "\u{20A6}", "a\tb", "\u{7F}", "…é", "日…", String(repeating: "…", count: 513)] {
      #expect(!SanitizedText(text).isPlain, "\(text)")
    }
    let broken: [[UInt8]] = [[0x61, 0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x61], [0x80, 0xA6]]
    for bytes in broken { #expect(!SanitizedText(bytes: bytes).isPlain) }
  }

  @Test("Control characters are shown, not obeyed")
  func controlsAreShown() {
    let text = SanitizedText("a\nb\tc\u{0}d\u{7F}e\u{85}f\u{9B}g").string
    #expect(text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}g")
  }

  @Test(
    "Marks that turn the direction of reading are shown",
    arguments: [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2028, 0x2029, 0x2066, 0x2069, 0xFEFF, 0xFFF9, 0xE0001, 0x1FFFE,
    ])
  func directionMarksAreShown(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(SanitizedText("photo\(scalar)gpj.exe").string == "photo\u{FFFD}gpj.exe")
  }

  @Test("A hundred accents on a letter become four")
  func accentsAreThinnedOut() {
    let text = "Z" + String(repeating: "\u{0300}", count: 100) + "a" + String(repeating: "\u{0489}", count: 3)
    #expect(SanitizedText(text).string.unicodeScalars.count == 1 + 4 + 1 + 3)
  }

  @Test("The extension of a very long name stays in sight")
  func longNamesKeepTheirEnd() {
    let caption = SanitizedText(String(repeating: "x", count: 65_536) + ".jpeg")
    #expect(caption.isTruncated)
    #expect(caption.string.unicodeScalars.count == 512)
    #expect(caption.string.hasSuffix("x.jpeg") && caption.string.contains("…"))
  }

  @Test("A limit is kept however small", arguments: 0...40)
  func limitsAreKept(limit: Int) {
    let caption = SanitizedText("a rather long name with an ending.jpg and more", maximumScalars: limit)
    #expect(caption.string.unicodeScalars.count <= max(1, limit))
  }

  @Test(
    "Bytes that are not UTF-8 are mended",
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3, 0x28], "\u{FFFD}("),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([], ""), ([0xC3, 0xA9], "é"),
    ] as [([UInt8], String)])
  func bytesAreMended(bytes: [UInt8], expected: String) {
    #expect(SanitizedText(bytes: bytes).string == expected)
  }

  @Test(
    "Whatever bytes come, the line is short, has no commands, and is its own caption",
    arguments: 1...200 as ClosedRange<UInt64>)
  func holdsForRandomBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...4_000, using: &random)).map { _ -> UInt8 in
      // Continuation and lead bytes often enough to make scalars of all lengths.
      Bool.random(using: &random) ? .random(in: 0x80...0xF4, using: &random) : .random(in: 0...0xFF, using: &random)
    }
    let caption = SanitizedText(bytes: bytes)
    let scalars = caption.string.unicodeScalars
    #expect(scalars.count <= SanitizedText.maximumScalars)
    #expect(!scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(!scalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) })
    #expect(SanitizedText(caption.string).string == caption.string)
  }
}
