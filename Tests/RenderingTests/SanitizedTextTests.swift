import Testing
import VitrineRendering
import VitrineTestSupport

@Suite("Sanitized text is safe to shape and to display")
struct SanitizedTextTests {
  @Test("Plain text is unchanged", arguments: ["", "IMG_0042.jpg", "Größe – 𝔸 é", "日本語.png", "שלום.jpg", "👩‍👩‍👧 ❤️"])
  func plainTextIsUnchanged(text: String) {
    let sanitized = SanitizedText(text)
    #expect(Array(sanitized.string.unicodeScalars) == Array(text.unicodeScalars))
    #expect(!sanitized.isTruncated)
  }

  @Test("Only printable ASCII and ellipses are plain")
  func plain() {
    for text in ["", "IMG_0042.jpg", "Summer by the…", "……", "a…b ~"] {
      let sanitized = SanitizedText(text)
      #expect(sanitized.isPlain && sanitized.string == text)
    }
    // Characters whose bytes start or end like those of an ellipsis.
    for text in ["é", "a‥", "a\u{2027}", "\u{20A6}", "a\tb", "\u{7F}", "…é", "日…", String(repeating: "…", count: 513)] {
      #expect(!SanitizedText(text).isPlain, "\(text)")
    }
    let broken: [[UInt8]] = [[0x61, 0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x61], [0x80, 0xA6]]
    for bytes in broken { #expect(!SanitizedText(bytes: bytes).isPlain) }
  }

  @Test("Control characters are replaced")
  func controlsAreReplaced() {
    let text = SanitizedText("a\nb\tc\u{0}d\u{7F}e\u{85}f\u{9B}g").string
    #expect(text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}g")
  }

  @Test(
    "Marks that change the reading direction are replaced",
    arguments: [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2028, 0x2029, 0x2066, 0x2069, 0xFEFF, 0xFFF9, 0xE0001, 0x1FFFE,
    ])
  func directionMarksAreReplaced(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(SanitizedText("photo\(scalar)gpj.exe").string == "photo\u{FFFD}gpj.exe")
  }

  @Test("A hundred accents on a letter are reduced to four")
  func accentsAreThinnedOut() {
    let text = "Z" + String(repeating: "\u{0300}", count: 100) + "a" + String(repeating: "\u{0489}", count: 3)
    #expect(SanitizedText(text).string.unicodeScalars.count == 1 + 4 + 1 + 3)
  }

  @Test("A very long name keeps its extension")
  func longNamesKeepTheirEnd() {
    let sanitized = SanitizedText(String(repeating: "x", count: 65_536) + ".jpeg")
    #expect(sanitized.isTruncated)
    #expect(sanitized.string.unicodeScalars.count == 512)
    #expect(sanitized.string.hasSuffix("x.jpeg") && sanitized.string.contains("…"))
  }

  @Test(
    "A long name is cut between characters, never within one",
    arguments: ["👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}\u{323}", "각", "❤️", "क्षि", "👋🏽"])
  func longNamesAreCutBetweenCharacters(text: String) throws {
    let character = try #require(text.first)
    for padding in 0..<8 {
      for limit in [60, 61, 62, 63, 64, 65, 66, 67] {
        let start = String(repeating: "x", count: padding)
        let name = start + String(repeating: character, count: 100) + start
        let sanitized = SanitizedText(name, maximumScalars: limit)
        #expect(sanitized.isTruncated && sanitized.string.unicodeScalars.count <= limit)
        let shown = Array(sanitized.string)
        #expect(shown.allSatisfy { $0 == character || $0 == "x" || $0 == "…" }, "\(sanitized.string)")
        #expect(shown.count { $0 == character } > 3 && shown.count { $0 == "x" } == 2 * padding)
      }
    }
  }

  @Test("A single character that is longer than the limit is cut")
  func longCharacter() {
    let family = Array(repeating: "👩", count: 1_000).joined(separator: "\u{200D}")
    let sanitized = SanitizedText(family)
    #expect(family.count == 1 && sanitized.isTruncated)
    #expect((480...512).contains(sanitized.string.unicodeScalars.count))
  }

  @Test("Any limit is respected", arguments: 0...40)
  func limitsAreRespected(limit: Int) {
    let sanitized = SanitizedText("a rather long name with an ending.jpg and more", maximumScalars: limit)
    #expect(sanitized.string.unicodeScalars.count <= max(1, limit))
  }

  @Test(
    "Bytes that are not UTF-8 are repaired",
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3, 0x28], "\u{FFFD}("),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([], ""), ([0xC3, 0xA9], "é"),
    ] as [([UInt8], String)])
  func invalidBytesAreRepaired(bytes: [UInt8], expected: String) {
    #expect(SanitizedText(bytes: bytes).string == expected)
  }

  @Test(
    "For any bytes, the text is short, has no control characters, and is unchanged by sanitizing it again",
    arguments: TestScale.seeds(UInt64(1)...200))
  func holdsForRandomBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...4_000, using: &random)).map { _ -> UInt8 in
      // Continuation and lead bytes are frequent enough to make scalars of all lengths.
      Bool.random(using: &random) ? .random(in: 0x80...0xF4, using: &random) : .random(in: 0...0xFF, using: &random)
    }
    let sanitized = SanitizedText(bytes: bytes)
    let scalars = sanitized.string.unicodeScalars
    #expect(scalars.count <= SanitizedText.maximumScalars)
    #expect(!scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(!scalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) })
    #expect(SanitizedText(sanitized.string).string == sanitized.string)
  }
}

@Suite("Bytewise texts are compared by their bytes")
struct BytewiseTextTests {
  @Test("Equal bytes are equal keys, whatever made the string")
  func same() {
    let long = "Photograph 12, summer by the sea…"
    for text in ["", "a", "sixteen letters.", long] {
      let other = BytewiseText(String(decoding: Array(text.utf8), as: UTF8.self))
      #expect(BytewiseText(text) == other && BytewiseText(text).hashValue == other.hashValue)
      #expect(Array(text.utf8).withUnsafeBufferPointer { BytewiseText($0) } == other)
    }
  }

  @Test("Different bytes are different keys, even for canonically equivalent strings")
  func other() {
    #expect("\u{E9}" == "e\u{301}" && BytewiseText("\u{E9}") != BytewiseText("e\u{301}"))
    #expect(BytewiseText("IMG_0042.jpg") != BytewiseText("IMG_0043.jpg"))
    #expect(BytewiseText("a") != BytewiseText("") && BytewiseText("a") != BytewiseText("ab"))
  }
}
