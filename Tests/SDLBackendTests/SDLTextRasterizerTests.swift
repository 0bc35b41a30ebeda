import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

/// Text needs no display, only SDL's font library. The suites are serialized because a process has one of it.
extension SDLTests {
  @Suite("Text is painted as it is measured")
  struct SDLTextRasterizerTests {
    private let style = TextStyle(size: 14)

    /// Whether Debian's text fonts are installed.
    ///
    /// Without them nothing can be painted.
    private nonisolated static let hasFonts = access("/usr/share/fonts/opentype/inter/Inter-Regular.otf", R_OK) == 0
    private nonisolated static let hasNoto =
      access("/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf", R_OK) == 0

    private func withRasterizer(_ body: (SDLTextRasterizer) throws -> Void) rethrows {
      let rasterizer = SDLTextRasterizer()
      defer { rasterizer.close() }
      try body(rasterizer)
    }

    private func inkedColumns(_ picture: Bitmap) -> [Bool] {
      (0..<picture.size.width).map { x in (0..<picture.size.height).contains { picture.color(x, $0).alpha > 40 } }
    }

    private func inkedRows(_ picture: Bitmap) -> [Bool] {
      (0..<picture.size.height).map { y in (0..<picture.size.width).contains { picture.color($0, y).alpha > 100 } }
    }

    @Test(
      "A bitmap has the measured width and the style's height, is white and has ink", .enabled(if: hasFonts),
      arguments: ["Hello, wörld", "W", "IMG_0042.jpg", "a b", "Ẫy"], [1.0, 1.5, 2.0])
    func bitmaps(text: String, factor: Double) throws {
      try withRasterizer { rasterizer in
        let scale = DisplayScale(pixelsPerPoint: factor)
        for weight in [TextStyle.Weight.regular, .medium, .semibold] {
          let style = TextStyle(size: 13, weight: weight)
          let picture = try #require(rasterizer.bitmap(for: text, style: style, scale: scale))
          let metrics = rasterizer.metrics(style, scale: scale)
          #expect(picture.size.width == rasterizer.width(of: text, style: style, scale: scale))
          #expect(picture.size.height == metrics.ascent + metrics.descent)
          #expect(!picture.isOpaque && inkedColumns(picture).contains(true))
          #expect(picture.color(0, 0).packed & 0xFF_FFFF == 0xFF_FFFF)
        }
      }
    }

    @Test("A heavier text has more ink", .enabled(if: hasFonts))
    func weights() throws {
      try withRasterizer { rasterizer in
        let ink = try [TextStyle.Weight.light, .regular, .semibold, .bold].map { weight in
          let picture = try #require(
            rasterizer.bitmap(for: "HILL", style: TextStyle(size: 40, weight: weight), scale: .one))
          return (0..<picture.size.height).reduce(0) { sum, y in
            (0..<picture.size.width).reduce(sum) { $0 + Int(picture.color($1, y).alpha) }
          }
        }
        // Without the font of a weight, the nearest one is used.
        #expect(zip(ink, ink.dropFirst()).allSatisfy { $0 <= $1 } && ink[0] < ink[3])
      }
    }

    @Test("Letters are on the baseline, whichever font they are from", .enabled(if: hasFonts))
    func baseline() throws {
      try withRasterizer { rasterizer in
        let metrics = rasterizer.metrics(style, scale: DisplayScale(pixelsPerPoint: 3))
        // Letters without descenders, in Inter, and with a character that another font supplies.
        for text in ["HEH", "HE☂H", "H≙H", "Ẫ"] {
          let picture = try #require(rasterizer.bitmap(for: text, style: style, scale: DisplayScale(pixelsPerPoint: 3)))
          let lowest = inkedRows(picture).lastIndex(of: true) ?? 0
          #expect(abs(lowest + 1 - metrics.ascent) <= 2, "\(text): \(lowest) \(metrics)")
        }
      }
    }

    @Test("Longer texts are wider, and widths nearly add up", .enabled(if: hasFonts))
    func widthsAddUp() {
      withRasterizer { rasterizer in
        let width = { rasterizer.width(of: $0, style: style, scale: .one) }
        #expect(width("") == 0)
        #expect(width("ab") > width("a") && width("a b") > width("ab"))
        // A pixel of rounding for each part, and kerning.
        #expect(abs(width("one and another") - width("one ") - width("and ") - width("another")) <= 4)
        #expect(width("one and another") == width("one and another"))
      }
    }

    @Test(
      "With monospaced digits, numbers of equal length are equally wide and their digits do not move",
      .enabled(if: hasFonts))
    func monospacedDigits() throws {
      try withRasterizer { rasterizer in
        let style = TextStyle(size: 14, hasMonospacedDigits: true)
        let widths = ["11111", "00000", "48271"].map { rasterizer.width(of: $0, style: style, scale: .one) }
        #expect(Set(widths).count == 1 && widths[0] % 5 == 0)
        let cell = widths[0] / 5
        #expect(rasterizer.width(of: "1.5", style: style, scale: .one) > 2 * cell)
        let plain = rasterizer.width(of: "11111", style: TextStyle(size: 14), scale: .one)
        #expect(plain < widths[0])
        // The last digit's cell looks the same, whatever precedes it.
        let pictures = try ["111117", "888887"].map {
          try #require(rasterizer.bitmap(for: $0, style: style, scale: .one))
        }
        for y in 0..<pictures[0].size.height {
          for x in (5 * cell)..<(6 * cell) { #expect(pictures[0].color(x, y) == pictures[1].color(x, y)) }
        }
      }
    }

    @Test(
      "Other scripts use other fonts, at the style's own height", .enabled(if: hasFonts && hasNoto),
      arguments: ["สวัสดี", "שלום", "سلام", "नमस्ते", "Привет", "ქართული"])
    func otherScripts(text: String) throws {
      try withRasterizer { rasterizer in
        let picture = try #require(rasterizer.bitmap(for: text, style: style, scale: .one))
        let metrics = rasterizer.metrics(style, scale: .one)
        #expect(picture.size.height == metrics.ascent + metrics.descent)
        #expect(inkedColumns(picture).contains(true))
        // The box for a missing glyph is the same for every letter, but letters are not.
        let letters = text.unicodeScalars.filter { $0.properties.generalCategory == .otherLetter }
        let shapes = Set(
          letters.compactMap { rasterizer.bitmap(for: String($0), style: style, scale: .one)?.contentDigest })
        #expect(shapes.count == Set(letters).count)
      }
    }

    @Test(
      "Arabic is narrower than its separate letters, because the letters are joined", .enabled(if: hasFonts && hasNoto))
    func shaping() {
      withRasterizer { rasterizer in
        let width = { rasterizer.width(of: $0, style: style, scale: DisplayScale(pixelsPerPoint: 2)) }
        let separate = "سلام".unicodeScalars.reduce(0) { $0 + width(String($1)) }
        #expect(width("سلام") < separate)
      }
    }

    @Test(
      "Hostile texts are bounded and harmless", .enabled(if: hasFonts),
      arguments: [
        String(repeating: "W", count: 70_000), String(repeating: "Z\u{0300}\u{0301}\u{0302}", count: 3_000),
        "a\u{202E}gpj.exe", "\u{0}\u{1}\u{7F}", "\n\n\n", String(repeating: "\u{1F468}\u{200D}", count: 400),
        "\u{FFFD}\u{10FFFF}",
      ])
    func hostileTexts(text: String) throws {
      try withRasterizer { rasterizer in
        let huge = TextStyle(size: 1_000_000)
        for style in [style, huge] {
          let width = rasterizer.width(of: text, style: style, scale: .one)
          #expect((0...8_192).contains(width))
          // Emoji are painted on another thread only.
          if width > 0, style.size < 100, !text.unicodeScalars.contains("\u{1F468}") {
            let picture = try #require(rasterizer.bitmap(for: text, style: style, scale: .one))
            #expect(picture.size.width == width)
          }
        }
      }
    }

    @Test(
      "Control characters are drawn as the replacement character", .enabled(if: hasFonts))
    func controls() throws {
      try withRasterizer { rasterizer in
        let shown = try #require(rasterizer.bitmap(for: "a\u{202E}b", style: style, scale: .one))
        let expected = try #require(rasterizer.bitmap(for: "a\u{FFFD}b", style: style, scale: .one))
        #expect(shown.contentDigest == expected.contentDigest)
      }
    }

    @Test("Without fonts nothing is painted, layouts still have heights, and a warning explains why")
    func noFonts() {
      let rasterizer = SDLTextRasterizer(catalogue: FontCatalogue(folder: "/nowhere"))
      defer { rasterizer.close() }
      #expect(rasterizer.warning == nil)
      #expect(rasterizer.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(rasterizer.width(of: "a", style: style, scale: .one) == 0)
      let metrics = rasterizer.metrics(style, scale: DisplayScale(pixelsPerPoint: 2))
      #expect(metrics.ascent > 20 && metrics.descent > 4 && metrics.lineHeight >= metrics.ascent + metrics.descent)
      #expect(rasterizer.warning?.contains("fonts-inter") == true)
    }

    @Test("A file that is not a font is skipped with a warning")
    func brokenFont() throws {
      var template = Array("/tmp/vitrine-fonts-XXXXXX".utf8CString)
      let made = mkdtemp(&template)
      #expect(made != nil)
      let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      for name in ["opentype", "opentype/inter"] { mkdir("\(folder)/\(name)", 0o700) }
      close(creat("\(folder)/opentype/inter/Inter-Regular.otf", 0o600))
      defer {
        unlink("\(folder)/opentype/inter/Inter-Regular.otf")
        for name in ["/opentype/inter", "/opentype", ""] { rmdir("\(folder)\(name)") }
      }
      let rasterizer = SDLTextRasterizer(catalogue: FontCatalogue(folder: folder))
      defer { rasterizer.close() }
      #expect(rasterizer.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(rasterizer.warning?.contains("Inter-Regular.otf") == true)
    }

    @Test("A closed rasterizer paints nothing")
    func closed() {
      let rasterizer = SDLTextRasterizer()
      _ = rasterizer.bitmap(for: "a", style: style, scale: .one)
      rasterizer.close()
      #expect(rasterizer.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(rasterizer.width(of: "a", style: style, scale: .one) == 0)
    }
  }
}

// MARK: - Truncation

extension SDLTests {
  @Suite("Truncation has the same result as measuring every candidate")
  struct TextTruncationTests {
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
      "Truncation equals measuring, for any line, width and style", .enabled(if: hasFonts),
      arguments: TestScale.seeds(UInt64(1)...40))
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
        for truncation in [LineBreakMode.byTruncatingTail, .byTruncatingMiddle] {
          let found = quick.truncatedText(text, style: style, scale: .one, width: width, truncation: truncation)
          let measured = truncation.truncatedText(text, width: width) { slow.width(of: $0, style: style, scale: .one) }
          #expect(found == measured, "\(text) of \(style) to \(width)")
        }
      }
    }

    @Test(
      "Previously measured lines do not change a line", .enabled(if: hasFonts), arguments: 1...8 as ClosedRange<UInt64>)
    func previouslyMeasuredLines(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let rasterizer = SDLTextRasterizer()
      defer { rasterizer.close() }
      let style = TextStyle(size: 13)
      var text = "Photograph 12345, summer by the sea"
      for _ in 0..<12 {
        // Most lines start like the previous one, some of them with a part of a word.
        text = String(text.prefix(Int.random(in: 0...40, using: &random))) + line(using: &random)
        let fresh = SDLTextRasterizer()
        defer { fresh.close() }
        let width = fresh.width(of: text, style: style, scale: .one)
        #expect(rasterizer.width(of: text, style: style, scale: .one) == width, "\(text)")
        let painted = rasterizer.bitmap(for: text, style: style, scale: .one)
        let expected = fresh.bitmap(for: text, style: style, scale: .one)
        #expect(painted?.contentDigest == expected?.contentDigest, "\(text)")
      }
    }

    @Test("A line that fits is unchanged, and a line that is too narrow is the ellipsis alone", .enabled(if: hasFonts))
    func ends() {
      let rasterizer = SDLTextRasterizer()
      defer { rasterizer.close() }
      let fit = {
        rasterizer.truncatedText(
          $0, style: TextStyle(size: 13), scale: .one, width: $1, truncation: .byTruncatingMiddle)
      }
      #expect(fit("IMG_0042.jpg", 400) == "IMG_0042.jpg")
      #expect(fit("IMG_0042.jpg", 1) == "…")
      #expect(fit("", 0) == "")
    }

    @Test("Lines are truncated without cached glyphs too", .enabled(if: hasFonts))
    func withoutGlyphs() {
      let rasterizer = SDLTextRasterizer(cachesGlyphs: false)
      defer { rasterizer.close() }
      let style = TextStyle(size: 13)
      let text = rasterizer.truncatedText(
        "Photograph 12, summer by the sea", style: style, scale: .one, width: 150, truncation: .byTruncatingTail)
      #expect(text.hasPrefix("Photograph") && text.hasSuffix("…"))
      #expect(rasterizer.width(of: text, style: style, scale: .one) <= 150)
    }
  }
}
