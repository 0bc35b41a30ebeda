import Testing
import VitrineRendering
import VitrineTestSupport

@Suite("Simple lines are those that one font displays from left to right")
struct TextComplexityTests {
  @Test(
    "Letters of Latin, Greek and Cyrillic, punctuation, currency and controls are simple",
    arguments: [
      "", "IMG_0042.jpg", "Größe & Übermaß", "Ẫy", "Привет, мир", "αβγ", "e\u{301}", "“12 €” – …", "№ ™", "a\u{202E}b",
      "\u{FFFD}", "\u{7F}\u{80}", "Ꙁ", "\u{52F}",
    ])
  func simple(text: String) { #expect(TextComplexity.isSimple(text)) }

  @Test(
    "Other scripts, emoji, symbols and joiners are not",
    arguments: [
      "שלום", "a שלום", "مرحبا", "東京", "한국", "かな", "สวัสดี", "नमस्ते", "ქართული", "Հայ", "🌊", "a🌊", "☂", "❤️", "→",
      "a\u{200D}b", "\u{FE0F}", "𝐀", "\u{10FFFF}", "\u{E000}", "\u{531}",
    ])
  func complex(text: String) { #expect(!TextComplexity.isSimple(text)) }

  @Test("The scan of bytes agrees with one of scalars, for any text", arguments: 1...50 as ClosedRange<UInt64>)
  func sameAsScalars(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let limit = [0x80, 0x600, 0x3000, 0x10000, 0x110000].randomElement(using: &random) ?? 0x80
        if let scalar = Unicode.Scalar(UInt32.random(in: 0..<UInt32(limit), using: &random)) { scalars.append(scalar) }
      }
      let expected = scalars.allSatisfy { scalar in
        switch scalar.value {
        case 0x200C, 0x200D: false
        case 0..<0x530, 0x1E00...0x218F, 0x2C60...0x2C7F, 0xA640...0xA69F, 0xA720...0xA7FF, 0xAB30...0xAB6F: true
        case 0xFEFF, 0xFFF9...0xFFFF: true
        default: false
        }
      }
      #expect(TextComplexity.isSimple(String(scalars)) == expected, "\(Array(scalars))")
    }
  }

  @Test("Emoji are counted by their presentation")
  func emoji() {
    #expect(TextComplexity.colorEmojiCount(in: "a 🦊🍓 ❤️") == 3)
    #expect(TextComplexity.colorEmojiCount(in: "❤ ☂ 東京 1") == 0)
    #expect(TextComplexity.colorEmojiCount(in: "⌚\u{FE0E}") == 0)
  }
}
