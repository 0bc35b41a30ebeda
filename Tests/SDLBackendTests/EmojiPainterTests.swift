import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineSDLBackend

extension SDLTests {
  @Suite("Emoji are painted in their own colors on a separate thread")
  struct EmojiPainterTests {
    /// Returns the line that the painting thread renders, or nil if it renders none.
    private func painted(
      _ text: String, _ style: TextStyle, _ scale: DisplayScale = .one, by rasterizer: SDLTextRasterizer
    ) throws -> Bitmap? {
      let line = Lock<(bitmap: Bitmap?, isOnDrawingThread: Bool)?>(nil)
      let decodeCounter = RenderThreadDecodeCounter()
      try #require(
        rasterizer.startRendering(for: text, style: style, scale: scale) { bitmap in
          line.withLock { $0 = (bitmap, decodeCounter.isOnRenderThread) }
          line.wakeAll()
        })
      let made = try #require(line.wait(atMost: .seconds(60)) { $0 }, "the line was not painted in time")
      #expect(!made.isOnDrawingThread && rasterizer.bitmap(for: text, style: style, scale: scale) == nil)
      return made.bitmap
    }

    private nonisolated static let hasEmoji = access("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", R_OK) == 0
    private let style = TextStyle(size: 32)

    private func withRasterizer<Result>(
      _ catalogue: FontCatalogue = FontCatalogue(), _ body: (SDLTextRasterizer) throws -> Result
    ) rethrows -> Result {
      let rasterizer = SDLTextRasterizer(catalogue: catalogue)
      defer { rasterizer.close() }
      return try body(rasterizer)
    }

    /// Returns the share of a bitmap's mostly opaque pixels that are colored, not gray.
    private func coloredShare(_ picture: Bitmap) -> Double {
      var (colored, inked) = (0, 0)
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width {
          let color = picture.color(x, y)
          guard color.alpha > 128 else { continue }
          inked += 1
          let channels = [color.red, color.green, color.blue]
          if let most = channels.max(), let least = channels.min(), most - least > 40 { colored += 1 }
        }
      }
      return Double(colored) / Double(max(1, inked))
    }

    @Test(
      "Single and joined emoji and flags have the measured width, the style's height and color", .enabled(if: hasEmoji),
      arguments: ["🦊", "🍓🍋", "👩‍🚀", "🇩🇪", "❤️", "🦊 🍓"], [1.0, 2.0])
    func sizesAndColors(text: String, factor: Double) throws {
      try withRasterizer { rasterizer in
        let scale = DisplayScale(pixelsPerPoint: factor)
        #expect(rasterizer.hasOwnColors(text))
        let picture = try #require(try painted(text, style, scale, by: rasterizer))
        let metrics = rasterizer.metrics(style, scale: scale)
        #expect(picture.size.width == rasterizer.width(of: text, style: style, scale: scale))
        #expect(picture.size.height == metrics.ascent + metrics.descent)
        // The share is low, because clothes and skin are pale.
        #expect(coloredShare(picture) > 0.25)
        #expect(picture.color(0, 0).alpha == 0 && rasterizer.warning == nil)
        // Nothing is clipped at the top or at the bottom.
        let edges = [0, picture.size.height - 1]
        #expect(edges.allSatisfy { y in (0..<picture.size.width).allSatisfy { picture.color($0, y).alpha < 200 } })
      }
    }

    @Test("An image is decoded once for all sizes, and the cache stays within its budget", .enabled(if: hasEmoji))
    func decodesOnce() throws {
      try withRasterizer { rasterizer in
        #expect(rasterizer.statistics == nil, "the emoji font is opened on first use")
        for size in [12.0, 24, 40] {
          for text in ["🦊", "🍓🦊"] {
            _ = try #require(try painted(text, TextStyle(size: size), by: rasterizer))
          }
        }
        let few = try #require(rasterizer.statistics)
        #expect(few.decodedImages == 2 && few.cachedImageBytes > 0 && few.imagesDecodedOnRenderThread == 0)
        // More emoji than fit into the cache, beginning with food and animals.
        let emoji = [0x1F32D...0x1F37F, 0x1F400...0x1F4A0].joined().compactMap { Unicode.Scalar($0).map(String.init) }
        for text in emoji where rasterizer.hasOwnColors(text) {
          _ = try painted(text, TextStyle(size: 12), by: rasterizer)
        }
        let many = try #require(rasterizer.statistics)
        #expect(many.decodedImages > 150 && many.cachedImageBytes <= 8 << 20 && many.cachedImageBytes > 7 << 20)
      }
    }

    @Test("A joined emoji is one image, and a larger style is larger", .enabled(if: hasEmoji))
    func widths() {
      withRasterizer { rasterizer in
        let width = { rasterizer.width(of: $0, style: $1, scale: .one) }
        #expect(width("👩‍🚀", style) == width("🦊", style))
        #expect(abs(width("🦊🦊", style) - 2 * width("🦊", style)) <= 1)
        #expect(abs(width("🦊", TextStyle(size: 64)) - 2 * width("🦊", style)) <= 1)
        // The font weight has no effect on emoji.
        #expect(width("🦊", TextStyle(size: 32, weight: .semibold)) == width("🦊", style))
      }
    }

    @Test(
      "Text with letters, and characters with text presentation, are white to be tinted",
      arguments: ["🦊a", "a", "☂", "❤", "🦊\u{FE0E}"])
    func text(line: String) throws {
      withRasterizer { rasterizer in
        #expect(!rasterizer.hasOwnColors(line))
        guard let picture = rasterizer.bitmap(for: line, style: style, scale: .one) else { return }
        for y in 0..<picture.size.height {
          for x in 0..<picture.size.width { #expect(picture.color(x, y).packed & 0xFF_FFFF == 0xFF_FFFF) }
        }
      }
    }

    @Test("A truncated line of emoji loses its end and keeps its colors", .enabled(if: hasEmoji))
    func truncation() {
      withRasterizer { rasterizer in
        let one = rasterizer.width(of: "🦊", style: style, scale: .one)
        let fit = { (text: String, width: Int) in
          rasterizer.truncatedText(text, style: style, scale: .one, width: width, truncation: .byTruncatingMiddle)
        }
        let line = "🦊🍓👩‍🚀🇩🇪🍋"
        #expect(fit(line, 6 * one) == line)
        #expect(fit(line, 3 * one + 2) == "🦊🍓👩‍🚀" && rasterizer.hasOwnColors(fit(line, 3 * one + 2)))
        for width in 0...(5 * one) {
          let truncated = fit(line, width)
          #expect(line.hasPrefix(truncated) && rasterizer.width(of: truncated, style: style, scale: .one) <= width)
        }
        #expect(fit("🦊 🍓", one + 4) == "🦊" && fit(line, 0).isEmpty)
        #expect(fit("🦊 and much else", 2 * one).contains("…"))
      }
    }

    @Test("Without the font, emoji are monochrome and the warning contains the name of the package")
    func withoutFont() throws {
      // A folder with the text fonts alone.
      var template = Array("/tmp/vitrine-fonts-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      defer {
        unlink("\(folder)/opentype")
        rmdir(folder)
      }
      symlink("/usr/share/fonts/opentype", "\(folder)/opentype")
      withRasterizer(FontCatalogue(folder: folder)) { rasterizer in
        #expect(!rasterizer.hasOwnColors("a") && rasterizer.warning == nil)
        #expect(!rasterizer.hasOwnColors("🦊"))
        #expect(rasterizer.warning == "emoji are not in colour: install fonts-noto-color-emoji")
      }
    }

    @Test("A file that is not a color font is an error", .enabled(if: hasEmoji))
    func otherFonts() throws {
      let library = try FreeTypeLibrary()
      let decodeCounter = RenderThreadDecodeCounter()
      #expect(throws: DisplayError.self) {
        try FreeTypeColorFace(path: "/etc/hostname", library: library, renderThreadCheck: decodeCounter)
      }
      #expect(throws: DisplayError.self) {
        try FreeTypeColorFace(path: "/nowhere.ttf", library: library, renderThreadCheck: decodeCounter)
      }
      let plain = "/usr/share/fonts/opentype/inter/Inter-Regular.otf"
      if access(plain, R_OK) == 0 {
        #expect(throws: DisplayError.self) {
          try FreeTypeColorFace(path: plain, library: library, renderThreadCheck: decodeCounter)
        }
      }
    }

    @Test(
      "An image that is decoded on the render thread is counted where FreeType is called", .enabled(if: hasEmoji))
    func countsRenderThreadDecodes() throws {
      let decodeCounter = RenderThreadDecodeCounter()
      let face = try FreeTypeColorFace(
        path: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", library: FreeTypeLibrary(),
        renderThreadCheck: decodeCounter)
      #expect(decodeCounter.decodeCount == 0)
      _ = face.image(of: 40)
      #expect(decodeCounter.decodeCount == 1)
    }

    @Test("A closed rasterizer paints nothing", .enabled(if: hasEmoji))
    func closed() {
      let rasterizer = SDLTextRasterizer()
      #expect(rasterizer.hasOwnColors("🦊"))
      rasterizer.close()
      #expect(!rasterizer.hasOwnColors("🦊") && rasterizer.bitmap(for: "🦊", style: style, scale: .one) == nil)
      #expect(
        !rasterizer.startRendering(for: "🦊", style: style, scale: .one) { _ in Issue.record("nothing is painted") })
    }
  }
}

// MARK: - Detection

@Suite("Detection of lines that consist of emoji")
struct EmojiDetectorTests {
  @Test(
    "Emoji are detected, by themselves and by a variation selector",
    arguments: [
      "🦊", "🦊🍓", "🦊 🍓", "❤️", "👩‍🚀", "🇩🇪", "👍🏽", "☝🏽", "⌚",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ])
  func emojiOnly(line: String) { #expect(EmojiDetector.isEmojiOnly(line)) }

  @Test(
    "Other text is not detected",
    arguments: ["", " ", "a", "a🦊", "🦊a", "12", "1️⃣", "©", "❤", "☂", "⌚\u{FE0E}", "…", "日本", "🦊…", "é"])
  func otherText(line: String) { #expect(!EmojiDetector.isEmojiOnly(line)) }
}

// MARK: - Scaling

@Suite("Scaling of color glyph images")
struct ColorGlyphImageTests {
  /// Returns the pixels of a scaled image by their index.
  private func scaled(_ picture: ColorGlyphImage, _ width: Int, _ height: Int) -> [Int: Color] {
    var pixels: [Int: Color] = [:]
    picture.forEachScaledPixel(width: width, height: height) { x, y, color in
      #expect((0..<width).contains(x) && (0..<height).contains(y))
      #expect(pixels.updateValue(color, forKey: y * width + x) == nil)
    }
    return pixels
  }

  private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> ColorGlyphImage {
    let channels = (0..<height).flatMap { y in (0..<width).flatMap { pixel($0, y) } }
    return ColorGlyphImage(width: width, height: height, channels: channels)
  }

  @Test("An image of one color has that color at every size", arguments: [(1, 1), (3, 5), (7, 7), (16, 9), (40, 40)])
  func plain(width: Int, height: Int) {
    // B, G, R and A. The colors are premultiplied by alpha.
    let pixels = scaled(picture(16, 9) { _, _ in [20, 50, 100, 200] }, width, height)
    #expect(pixels.count == width * height)
    #expect(pixels.values.allSatisfy { $0.alpha == 200 && abs(Int($0.red) - 128) <= 1 && abs(Int($0.blue) - 26) <= 1 })
  }

  @Test("An image is unchanged at its own size, and averaged at half its size")
  func averages() {
    let chess = picture(4, 4) { x, y in (x + y) % 2 == 0 ? [0, 0, 255, 255] : [0, 0, 0, 0] }
    let same = scaled(chess, 4, 4)
    #expect(same.count == 8 && same[0] == Color(red: 255, green: 0, blue: 0) && same[1] == nil)
    let half = scaled(chess, 2, 2)
    #expect(half.count == 4)
    #expect(half.values.allSatisfy { $0 == Color(red: 255, green: 0, blue: 0, alpha: 128) })
  }

  @Test("A transparent image has no pixels, and neither has an empty size")
  func emptyImages() {
    #expect(scaled(picture(8, 8) { _, _ in [0, 0, 0, 0] }, 5, 5).isEmpty)
    #expect(scaled(picture(8, 8) { _, _ in [255, 255, 255, 255] }, 0, 5).isEmpty)
  }
}
