import Geometry
import Glibc
import Rendering
import SDLBackend
import Testing

/// Type needs no display, only SDL's font library; serialised because that is one a process.
extension SDLTests {
  @Suite("Type is measured and painted alike")
  struct TextTests {
    private let style = TextStyle(size: 14)

    /// Whether Debian's fonts for reading are here; without them there is nothing to paint.
    private nonisolated static let hasFonts = access("/usr/share/fonts/opentype/inter/Inter-Regular.otf", R_OK) == 0
    private nonisolated static let hasNoto =
      access("/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf", R_OK) == 0

    private func withType(_ body: (SDLTextRasterizer) throws -> Void) rethrows {
      let type = SDLTextRasterizer()
      defer { type.close() }
      try body(type)
    }

    private func inkedColumns(_ picture: Bitmap) -> [Bool] {
      (0..<picture.size.width).map { x in (0..<picture.size.height).contains { picture.color(x, $0).alpha > 40 } }
    }

    private func inkedRows(_ picture: Bitmap) -> [Bool] {
      (0..<picture.size.height).map { y in (0..<picture.size.width).contains { picture.color($0, y).alpha > 100 } }
    }

    @Test(
      "A bitmap is as wide as measured, as high as the style, white, and has ink", .enabled(if: hasFonts),
      arguments: ["Hello, wörld", "W", "IMG_0042.jpg", "a b", "Ẫy"], [1.0, 1.5, 2.0])
    func bitmaps(text: String, factor: Double) throws {
      try withType { type in
        let scale = DisplayScale(pixelsPerPoint: factor)
        for weight in [TextStyle.Weight.regular, .medium, .semibold] {
          let style = TextStyle(size: 13, weight: weight)
          let picture = try #require(type.bitmap(for: text, style: style, scale: scale))
          let metrics = type.metrics(style, scale: scale)
          #expect(picture.size.width == type.width(of: text, style: style, scale: scale))
          #expect(picture.size.height == metrics.ascent + metrics.descent)
          #expect(!picture.isOpaque && inkedColumns(picture).contains(true))
          #expect(picture.color(0, 0).packed & 0xFF_FFFF == 0xFF_FFFF)
        }
      }
    }

    @Test("Letters stand on the baseline, whichever font they come from", .enabled(if: hasFonts))
    func baseline() throws {
      try withType { type in
        let metrics = type.metrics(style, scale: DisplayScale(pixelsPerPoint: 3))
        // Letters without descenders, in Inter, and with one sign that another font must supply.
        for text in ["HEH", "HE☂H", "H≙H", "Ẫ"] {
          let picture = try #require(type.bitmap(for: text, style: style, scale: DisplayScale(pixelsPerPoint: 3)))
          let lowest = inkedRows(picture).lastIndex(of: true) ?? 0
          #expect(abs(lowest + 1 - metrics.ascent) <= 2, "\(text): \(lowest) \(metrics)")
        }
      }
    }

    @Test("Longer texts are wider, and widths nearly add up", .enabled(if: hasFonts))
    func widthsAddUp() {
      withType { type in
        let width = { type.width(of: $0, style: style, scale: .one) }
        #expect(width("") == 0)
        #expect(width("ab") > width("a") && width("a b") > width("ab"))
        // A pixel of rounding for each part, and kerning.
        #expect(abs(width("one and another") - width("one ") - width("and ") - width("another")) <= 4)
        #expect(width("one and another") == width("one and another"))
      }
    }

    @Test(
      "Digits of one width: numbers of one length are one width and their digits do not move", .enabled(if: hasFonts))
    func monospacedDigits() throws {
      try withType { type in
        let style = TextStyle(size: 14, hasMonospacedDigits: true)
        let widths = ["11111", "00000", "48271"].map { type.width(of: $0, style: style, scale: .one) }
        #expect(Set(widths).count == 1 && widths[0] % 5 == 0)
        let cell = widths[0] / 5
        #expect(type.width(of: "1.5", style: style, scale: .one) > 2 * cell)
        let plain = type.width(of: "11111", style: TextStyle(size: 14), scale: .one)
        #expect(plain < widths[0])
        // The last digit's cell looks the same, whatever stands before it.
        let pictures = try ["111117", "888887"].map { try #require(type.bitmap(for: $0, style: style, scale: .one)) }
        for y in 0..<pictures[0].size.height {
          for x in (5 * cell)..<(6 * cell) { #expect(pictures[0].color(x, y) == pictures[1].color(x, y)) }
        }
      }
    }

    @Test(
      "Other scripts come from other fonts, at the style's own height", .enabled(if: hasFonts && hasNoto),
      arguments: ["สวัสดี", "שלום", "سلام", "नमस्ते", "Привет", "ქართული"])
    func otherScripts(text: String) throws {
      try withType { type in
        let picture = try #require(type.bitmap(for: text, style: style, scale: .one))
        let metrics = type.metrics(style, scale: .one)
        #expect(picture.size.height == metrics.ascent + metrics.descent)
        #expect(inkedColumns(picture).contains(true))
        // The box for a missing glyph is the same for every letter; letters are not.
        let letters = text.unicodeScalars.filter { $0.properties.generalCategory == .otherLetter }
        let shapes = Set(
          letters.compactMap { type.bitmap(for: String($0), style: style, scale: .one)?.contentDigest })
        #expect(shapes.count == Set(letters).count)
      }
    }

    @Test("Joined letters are joined: Arabic is narrower than its letters apart", .enabled(if: hasFonts && hasNoto))
    func shaping() {
      withType { type in
        let width = { type.width(of: $0, style: style, scale: DisplayScale(pixelsPerPoint: 2)) }
        let apart = "سلام".unicodeScalars.reduce(0) { $0 + width(String($1)) }
        #expect(width("سلام") < apart)
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
      try withType { type in
        let huge = TextStyle(size: 1_000_000)
        for style in [style, huge] {
          let width = type.width(of: text, style: style, scale: .one)
          #expect((0...8_192).contains(width))
          if width > 0, style.size < 100 {
            let picture = try #require(type.bitmap(for: text, style: style, scale: .one))
            #expect(picture.size.width == width)
          }
        }
      }
    }

    @Test(
      "Control characters are drawn as what they are not: the sign for what cannot be drawn", .enabled(if: hasFonts))
    func controls() throws {
      try withType { type in
        let shown = try #require(type.bitmap(for: "a\u{202E}b", style: style, scale: .one))
        let expected = try #require(type.bitmap(for: "a\u{FFFD}b", style: style, scale: .one))
        #expect(shown.contentDigest == expected.contentDigest)
      }
    }

    @Test("Without fonts nothing is painted, layouts still have heights, and one sentence says why")
    func noFonts() {
      let type = SDLTextRasterizer(catalogue: FontCatalogue(folder: "/nowhere"))
      defer { type.close() }
      #expect(type.warning == nil)
      #expect(type.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(type.width(of: "a", style: style, scale: .one) == 0)
      let metrics = type.metrics(style, scale: DisplayScale(pixelsPerPoint: 2))
      #expect(metrics.ascent > 20 && metrics.descent > 4 && metrics.lineHeight >= metrics.ascent + metrics.descent)
      #expect(type.warning?.contains("fonts-inter") == true)
    }

    @Test("A file that is no font is passed over with a warning")
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
      let type = SDLTextRasterizer(catalogue: FontCatalogue(folder: folder))
      defer { type.close() }
      #expect(type.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(type.warning?.contains("Inter-Regular.otf") == true)
    }

    @Test("What was closed paints nothing")
    func closed() {
      let type = SDLTextRasterizer()
      _ = type.bitmap(for: "a", style: style, scale: .one)
      type.close()
      #expect(type.bitmap(for: "a", style: style, scale: .one) == nil)
      #expect(type.width(of: "a", style: style, scale: .one) == 0)
    }
  }
}
