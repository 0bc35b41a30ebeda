import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("Lines of cached glyphs look like those of SDL_ttf")
  struct GlyphRasterizerTests {
    private nonisolated static let hasFonts = access("/usr/share/fonts/opentype/inter/Inter-Regular.otf", R_OK) == 0
    private nonisolated static let lines = [
      "IMG_0042.jpg", "15 Before the mountai…grey skies", "AVATAR Wolf, Typography (final) – 2.png", "jj ff fi //",
      "Größe & Übermaß", "Привет, мир", "Ẫy",
      "Photograph 7, summer by the sea", "P. To, A, V. W; 7, A! a? T",
      "A V T W Y A To Va 12 x 34 AVATAR - WOLF (P) L T",
    ]

    private func withRasterizer<Result>(
      cachesGlyphs: Bool = true, _ body: (SDLTextRasterizer) throws -> Result
    ) rethrows -> Result {
      let rasterizer = SDLTextRasterizer(cachesGlyphs: cachesGlyphs)
      defer { rasterizer.close() }
      return try body(rasterizer)
    }

    /// Returns the mean difference of alpha over the pixels with ink in one of two bitmaps, within the size of both.
    private func difference(_ one: Bitmap, _ other: Bitmap) -> Double {
      var (sum, inked) = (0, 0)
      for y in 0..<min(one.size.height, other.size.height) {
        for x in 0..<min(one.size.width, other.size.width) {
          let (a, b) = (Int(one.color(x, y).alpha), Int(other.color(x, y).alpha))
          sum += abs(a - b)
          inked += max(a, b) > 0 ? 1 : 0
        }
      }
      return Double(sum) / Double(max(1, inked))
    }

    private func ink(_ picture: Bitmap) -> Int {
      var sum = 0
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width { sum += Int(picture.color(x, y).alpha) }
      }
      return sum
    }

    private func compare(_ text: String, _ style: TextStyle, _ scale: DisplayScale) throws {
      let cached = try withRasterizer { try #require($0.bitmap(for: text, style: style, scale: scale)) }
      let uncached = try withRasterizer(cachesGlyphs: false) {
        try #require($0.bitmap(for: text, style: style, scale: scale))
      }
      #expect(abs(cached.size.width - uncached.size.width) <= 1 && cached.size.height == uncached.size.height)
      // Measured: 2.7 to 10.4 of 255 for positions at quarters of a pixel instead of 64ths, and half a percent of ink.
      #expect(difference(cached, uncached) < 12, "\(text) at \(style.size) times \(scale)")
      #expect(abs(Double(ink(cached)) / Double(ink(uncached)) - 1) < 0.01, "\(text) at \(style.size) times \(scale)")
    }

    @Test(
      "Shapes, weight, spacing and baseline match SDL_ttf", .enabled(if: hasFonts), arguments: lines, [1.0, 1.5, 2.0])
    func looksTheSame(text: String, factor: Double) throws {
      for style in [TextStyle(size: 13), TextStyle(size: 12, weight: .medium), TextStyle(size: 15, weight: .semibold)] {
        try compare(text, style, DisplayScale(pixelsPerPoint: factor))
      }
    }

    @Test("The metrics of a style are the same with and without cached glyphs", .enabled(if: hasFonts))
    func metrics() {
      for size in [9.0, 12, 13, 15, 22, 40] {
        let style = TextStyle(size: size)
        #expect(
          withRasterizer { $0.metrics(style, scale: .one) }
            == withRasterizer(cachesGlyphs: false) { $0.metrics(style, scale: .one) }
        )
      }
    }

    @Test("A line looks the same, whatever was painted before it", .enabled(if: hasFonts))
    func warmAndCold() throws {
      try withRasterizer { rasterizer in
        for round in 0..<2 {
          for text in GlyphRasterizerTests.lines {
            let style = TextStyle(size: 13)
            let warm = try #require(rasterizer.bitmap(for: text, style: style, scale: .one))
            let cold = try withRasterizer { try #require($0.bitmap(for: text, style: style, scale: .one)) }
            #expect(warm.contentDigest == cold.contentDigest, "\(text) in round \(round)")
          }
        }
      }
    }

    @Test("A line looks the same after its glyphs were evicted", .enabled(if: hasFonts))
    func evictedGlyphs() throws {
      try withRasterizer { rasterizer in
        // Together, glyphs of this size exceed the cache of a font.
        let style = TextStyle(size: 120)
        let before = try #require(rasterizer.bitmap(for: "Vitrine", style: style, scale: .one))
        for first in stride(from: 0x21, to: 0x7E, by: 8) {
          let text = String(decoding: (first..<min(first + 8, 0x7F)).map { UInt8($0) }, as: UTF8.self)
          #expect(rasterizer.bitmap(for: text, style: style, scale: .one) != nil)
        }
        let after = try #require(rasterizer.bitmap(for: "Vitrine", style: style, scale: .one))
        #expect(before.contentDigest == after.contentDigest)
      }
    }

    @Test(
      "The painted width is the measured width, for any line and in either order", .enabled(if: hasFonts),
      arguments: 1...40 as ClosedRange<UInt64>)
    func measuredIsPainted(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let alphabet = Array("AVTWfijlmy./_-01 (é…)".unicodeScalars)
      var line = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        line.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
      }
      let (text, style) = (String(line), TextStyle(size: Double(Int.random(in: 8...30, using: &random))))
      let measured = withRasterizer { $0.width(of: text, style: style, scale: .one) }
      try withRasterizer { rasterizer in
        let painted = try #require(rasterizer.bitmap(for: text, style: style, scale: .one))
        #expect(painted.size.width == measured && rasterizer.width(of: text, style: style, scale: .one) == measured)
      }
    }

    @Test("Lines become wider with every letter", .enabled(if: hasFonts))
    func monotone() {
      withRasterizer { rasterizer in
        let text = "The quick brown fox jumps over 13 lazy dogs"
        var last = 0
        for end in text.indices.dropFirst() where text[text.index(before: end)] != " " {
          let width = rasterizer.width(of: String(text[..<end]), style: TextStyle(size: 13), scale: .one)
          #expect(width > last, "\(text[..<end])")
          last = width
        }
      }
    }

    @Test("Words that were shaped before do not change a line", .enabled(if: hasFonts))
    func words() throws {
      try withRasterizer { rasterizer in
        let style = TextStyle(size: 13)
        for text in ["Quiet hills in morning mist", "hills in", "mist", "Quiet", "in morning"] {
          _ = rasterizer.width(of: text, style: style, scale: .one)
        }
        let text = "Quiet mist in morning hills"
        let warm = try #require(rasterizer.bitmap(for: text, style: style, scale: .one))
        let cold = try withRasterizer { try #require($0.bitmap(for: text, style: style, scale: .one)) }
        #expect(warm.contentDigest == cold.contentDigest)
      }
    }

    @Test("Letters are kerned", .enabled(if: hasFonts))
    func kerning() {
      withRasterizer { rasterizer in
        let width = { rasterizer.width(of: $0, style: TextStyle(size: 40), scale: .one) }
        #expect(width("AV") < width("A") + width("V"))
        #expect(width("HH") >= width("H") + width("H") - 1)
      }
    }

    @Test(
      "Letters are positioned at quarters of a pixel, so that equal letters of a line do not all look alike",
      .enabled(if: hasFonts))
    func phases() throws {
      try withRasterizer { rasterizer in
        let style = TextStyle(size: 13)
        let picture = try #require(rasterizer.bitmap(for: "llllllll", style: style, scale: .one))
        let row = picture.size.height / 2
        let values = Set((0..<picture.size.width).map { picture.color($0, row).alpha })
        #expect(values.count > 3)
      }
    }
  }
}
