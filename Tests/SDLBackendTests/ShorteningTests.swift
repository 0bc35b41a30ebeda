import Geometry
import Glibc
import Rendering
import SDLBackend
import TestSupport
import Testing

extension SDLTests {
  @Suite("Lines are shortened to where measuring would shorten them")
  struct ShorteningTests {
    private nonisolated static let hasFonts = access("/usr/share/fonts/opentype/inter/Inter-Regular.otf", R_OK) == 0

    private func line(using random: inout SeededGenerator) -> String {
      let words = [
        "Photograph", "IMG_0042", "the", "A", "- (x)", "12", "x", "sea,", "AVATAR", "fi", "T.", "", "jpg", "~", "…",
        "é",
      ]
      let line = (0..<Int.random(in: 0...9, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      return line.joined(separator: Bool.random(using: &random) ? " " : "_")
    }

    @Test(
      "Whatever the line, the width and the style", .enabled(if: hasFonts), arguments: 1...40 as ClosedRange<UInt64>)
    func sameAsMeasured(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let (quick, slow) = (SDLTextRasterizer(), SDLTextRasterizer())
      defer {
        quick.close()
        slow.close()
      }
      for _ in 0..<20 {
        let text = line(using: &random)
        let width = Int.random(in: -5...400, using: &random)
        let style = TextStyle(
          size: Double(Int.random(in: 9...20, using: &random)),
          weight: Bool.random(using: &random) ? .regular : .medium,
          hasMonospacedDigits: Int.random(in: 0..<8, using: &random) == 0)
        for truncation in [Truncation.tail, .middle] {
          let found = quick.truncatedText(text, style: style, scale: .one, width: width, truncation: truncation)
          let measured = truncation.truncatedText(text, width: width) { slow.width(of: $0, style: style, scale: .one) }
          #expect(found == measured, "\(text) of \(style) to \(width)")
        }
      }
    }

    @Test("What was asked before changes nothing", .enabled(if: hasFonts), arguments: 1...8 as ClosedRange<UInt64>)
    func askedBefore(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let type = SDLTextRasterizer()
      defer { type.close() }
      let style = TextStyle(size: 13)
      var text = "Photograph 12345, summer by the sea"
      for _ in 0..<12 {
        // Most lines begin as the one before, some of them for a part of a word.
        text = String(text.prefix(Int.random(in: 0...40, using: &random))) + line(using: &random)
        let fresh = SDLTextRasterizer()
        defer { fresh.close() }
        let width = fresh.width(of: text, style: style, scale: .one)
        #expect(type.width(of: text, style: style, scale: .one) == width, "\(text)")
        let painted = type.bitmap(for: text, style: style, scale: .one)
        let expected = fresh.bitmap(for: text, style: style, scale: .one)
        #expect(painted?.contentDigest == expected?.contentDigest, "\(text)")
      }
    }

    @Test("A line that fits is the line itself, and a narrow one the ellipsis alone", .enabled(if: hasFonts))
    func ends() {
      let type = SDLTextRasterizer()
      defer { type.close() }
      let fit = { type.truncatedText($0, style: TextStyle(size: 13), scale: .one, width: $1, truncation: .middle) }
      #expect(fit("IMG_0042.jpg", 400) == "IMG_0042.jpg")
      #expect(fit("IMG_0042.jpg", 1) == "…")
      #expect(fit("", 0) == "")
    }

    @Test("Without kept glyphs lines are shortened too", .enabled(if: hasFonts))
    func withoutGlyphs() {
      let type = SDLTextRasterizer(cachesGlyphs: false)
      defer { type.close() }
      let style = TextStyle(size: 13)
      let text = type.truncatedText(
        "Photograph 12, summer by the sea", style: style, scale: .one, width: 150, truncation: .tail)
      #expect(text.hasPrefix("Photograph") && text.hasSuffix("…"))
      #expect(type.width(of: text, style: style, scale: .one) <= 150)
    }
  }
}
