import Geometry
import Glibc
import Rendering
import Testing
import Threads

@testable import SDLBackend

extension SDLTests {
  @Suite("Emoji are painted in their own colours, on a thread of their own")
  struct EmojiTests {
    /// The line that the painting thread makes; nil where it makes none.
    private func painted(
      _ text: String, _ style: TextStyle, _ scale: DisplayScale = .one, by type: SDLTextRasterizer
    ) throws -> Bitmap? {
      let line = Lock<(bitmap: Bitmap?, isOnDrawingThread: Bool)?>(nil)
      let witness = RenderThreadDecodeCounter()
      try #require(
        type.startRendering(for: text, style: style, scale: scale) { bitmap in
          line.withLock { $0 = (bitmap, witness.isOnRenderThread) }
          line.wakeAll()
        })
      let made = try #require(line.wait(atMost: .seconds(60)) { $0 }, "the line was not painted in time")
      #expect(!made.isOnDrawingThread && type.bitmap(for: text, style: style, scale: scale) == nil)
      return made.bitmap
    }

    private nonisolated static let hasEmoji = access("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", R_OK) == 0
    private let style = TextStyle(size: 32)

    private func withType<Result>(
      _ catalogue: FontCatalogue = FontCatalogue(), _ body: (SDLTextRasterizer) throws -> Result
    ) rethrows -> Result {
      let type = SDLTextRasterizer(catalogue: catalogue)
      defer { type.close() }
      return try body(type)
    }

    /// How many of a picture's well covered pixels are of a colour and no grey.
    private func colouredShare(_ picture: Bitmap) -> Double {
      var (coloured, inked) = (0, 0)
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width {
          let color = picture.color(x, y)
          guard color.alpha > 128 else { continue }
          inked += 1
          let channels = [color.red, color.green, color.blue]
          if let most = channels.max(), let least = channels.min(), most - least > 40 { coloured += 1 }
        }
      }
      return Double(coloured) / Double(max(1, inked))
    }

    @Test(
      "One, two, joined ones, flags: as wide as measured, as high as the style, in colour", .enabled(if: hasEmoji),
      arguments: ["🦊", "🍓🍋", "👩‍🚀", "🇩🇪", "❤️", "🦊 🍓"], [1.0, 2.0])
    func colours(text: String, factor: Double) throws {
      try withType { type in
        let scale = DisplayScale(pixelsPerPoint: factor)
        #expect(type.hasOwnColors(text))
        let picture = try #require(try painted(text, style, scale, by: type))
        let metrics = type.metrics(style, scale: scale)
        #expect(picture.size.width == type.width(of: text, style: style, scale: scale))
        #expect(picture.size.height == metrics.ascent + metrics.descent)
        // Clothes and skin are pale.
        #expect(colouredShare(picture) > 0.25)
        #expect(picture.color(0, 0).alpha == 0 && type.warning == nil)
        // Nothing is cut off above or below.
        let edges = [0, picture.size.height - 1]
        #expect(edges.allSatisfy { y in (0..<picture.size.width).allSatisfy { picture.color($0, y).alpha < 200 } })
      }
    }

    @Test("A picture is unpacked once for all sizes, and no more are kept than fit", .enabled(if: hasEmoji))
    func unpacked() throws {
      try withType { type in
        #expect(type.statistics == nil, "no emoji, no font of them")
        for size in [12.0, 24, 40] {
          for text in ["🦊", "🍓🦊"] {
            _ = try #require(try painted(text, TextStyle(size: size), by: type))
          }
        }
        let few = try #require(type.statistics)
        #expect(few.unpackedPictures == 2 && few.pictureBytes > 0 && few.unpackedOnDrawingThread == 0)
        // More than fit, of those from the first fruit and the first animal on.
        let emoji = [0x1F32D...0x1F37F, 0x1F400...0x1F4A0].joined().compactMap { Unicode.Scalar($0).map(String.init) }
        for text in emoji where type.hasOwnColors(text) { _ = try painted(text, TextStyle(size: 12), by: type) }
        let many = try #require(type.statistics)
        #expect(many.unpackedPictures > 150 && many.pictureBytes <= 8 << 20 && many.pictureBytes > 7 << 20)
      }
    }

    @Test("A joined emoji is one picture, and a larger style is larger", .enabled(if: hasEmoji))
    func widths() {
      withType { type in
        let width = { type.width(of: $0, style: $1, scale: .one) }
        #expect(width("👩‍🚀", style) == width("🦊", style))
        #expect(abs(width("🦊🦊", style) - 2 * width("🦊", style)) <= 1)
        #expect(abs(width("🦊", TextStyle(size: 64)) - 2 * width("🦊", style)) <= 1)
        // Weights of type mean nothing here.
        #expect(width("🦊", TextStyle(size: 32, weight: .semibold)) == width("🦊", style))
      }
    }

    @Test(
      "Text with letters, and what is to be seen as text, is white to be tinted",
      arguments: ["🦊a", "a", "☂", "❤", "🦊\u{FE0E}"])
    func text(line: String) throws {
      withType { type in
        #expect(!type.hasOwnColors(line))
        guard let picture = type.bitmap(for: line, style: style, scale: .one) else { return }
        for y in 0..<picture.size.height {
          for x in 0..<picture.size.width { #expect(picture.color(x, y).packed & 0xFF_FFFF == 0xFF_FFFF) }
        }
      }
    }

    @Test("A line of emoji that is too long loses its end and keeps its colours", .enabled(if: hasEmoji))
    func cut() {
      withType { type in
        let one = type.width(of: "🦊", style: style, scale: .one)
        let fit = { (text: String, width: Int) in
          type.truncatedText(text, style: style, scale: .one, width: width, truncation: .middle)
        }
        let line = "🦊🍓👩‍🚀🇩🇪🍋"
        #expect(fit(line, 6 * one) == line)
        #expect(fit(line, 3 * one + 2) == "🦊🍓👩‍🚀" && type.hasOwnColors(fit(line, 3 * one + 2)))
        for width in 0...(5 * one) {
          let kept = fit(line, width)
          #expect(line.hasPrefix(kept) && type.width(of: kept, style: style, scale: .one) <= width)
        }
        #expect(fit("🦊 🍓", one + 4) == "🦊" && fit(line, 0).isEmpty)
        #expect(fit("🦊 and much else", 2 * one).contains("…"))
      }
    }

    @Test("Without the font they are signs in one colour, and the package is named")
    func withoutFont() throws {
      // A folder with the fonts for reading alone.
      var template = Array("/tmp/vitrine-fonts-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      defer {
        unlink("\(folder)/opentype")
        rmdir(folder)
      }
      symlink("/usr/share/fonts/opentype", "\(folder)/opentype")
      withType(FontCatalogue(folder: folder)) { type in
        #expect(!type.hasOwnColors("a") && type.warning == nil)
        #expect(!type.hasOwnColors("🦊"))
        #expect(type.warning == "emoji are not in colour: install fonts-noto-color-emoji")
      }
    }

    @Test("A file that is no font of pictures is refused in words", .enabled(if: hasEmoji))
    func otherFonts() throws {
      let library = try FreeTypeLibrary()
      let witness = RenderThreadDecodeCounter()
      #expect(throws: DisplayError.self) {
        try FreeTypeColorFace(path: "/etc/hostname", library: library, renderThreadCheck: witness)
      }
      #expect(throws: DisplayError.self) {
        try FreeTypeColorFace(path: "/nowhere.ttf", library: library, renderThreadCheck: witness)
      }
      let plain = "/usr/share/fonts/opentype/inter/Inter-Regular.otf"
      if access(plain, R_OK) == 0 {
        #expect(throws: DisplayError.self) {
          try FreeTypeColorFace(path: plain, library: library, renderThreadCheck: witness)
        }
      }
    }

    @Test(
      "A picture that is unpacked on the thread that draws is counted where FreeType is called", .enabled(if: hasEmoji))
    func witness() throws {
      let witness = RenderThreadDecodeCounter()
      let face = try FreeTypeColorFace(
        path: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", library: FreeTypeLibrary(),
        renderThreadCheck: witness)
      #expect(witness.decodeCount == 0)
      _ = face.image(of: 40)
      #expect(witness.decodeCount == 1)
    }

    @Test("Once closed, nothing is painted", .enabled(if: hasEmoji))
    func closed() {
      let type = SDLTextRasterizer()
      #expect(type.hasOwnColors("🦊"))
      type.close()
      #expect(!type.hasOwnColors("🦊") && type.bitmap(for: "🦊", style: style, scale: .one) == nil)
      #expect(!type.startRendering(for: "🦊", style: style, scale: .one) { _ in Issue.record("nothing is painted") })
    }
  }
}

@Suite("Lines of emoji alone")
struct EmojiTextTests {
  @Test(
    "Pictures by themselves, and by a selector",
    arguments: [
      "🦊", "🦊🍓", "🦊 🍓", "❤️", "👩‍🚀", "🇩🇪", "👍🏽", "☝🏽", "⌚",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ])
  func alone(line: String) { #expect(EmojiDetector.isEmojiOnly(line)) }

  @Test(
    "Everything else",
    arguments: ["", " ", "a", "a🦊", "🦊a", "12", "1️⃣", "©", "❤", "☂", "⌚\u{FE0E}", "…", "日本", "🦊…", "é"])
  func others(line: String) { #expect(!EmojiDetector.isEmojiOnly(line)) }
}

@Suite("Pictures of glyphs at other sizes")
struct GlyphPictureTests {
  /// The pixels of a scaled picture by place.
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

  @Test("A plain picture is plain at every size", arguments: [(1, 1), (3, 5), (7, 7), (16, 9), (40, 40)])
  func plain(width: Int, height: Int) {
    // B, G, R and A, the colours multiplied by alpha.
    let pixels = scaled(picture(16, 9) { _, _ in [20, 50, 100, 200] }, width, height)
    #expect(pixels.count == width * height)
    #expect(pixels.values.allSatisfy { $0.alpha == 200 && abs(Int($0.red) - 128) <= 1 && abs(Int($0.blue) - 26) <= 1 })
  }

  @Test("At its own size it is the same, at half of it the mean")
  func means() {
    let chess = picture(4, 4) { x, y in (x + y) % 2 == 0 ? [0, 0, 255, 255] : [0, 0, 0, 0] }
    let same = scaled(chess, 4, 4)
    #expect(same.count == 8 && same[0] == Color(red: 255, green: 0, blue: 0) && same[1] == nil)
    let half = scaled(chess, 2, 2)
    #expect(half.count == 4)
    #expect(half.values.allSatisfy { $0 == Color(red: 255, green: 0, blue: 0, alpha: 128) })
  }

  @Test("Nothing is nothing, and no size is none")
  func nothing() {
    #expect(scaled(picture(8, 8) { _, _ in [0, 0, 0, 0] }, 5, 5).isEmpty)
    #expect(scaled(picture(8, 8) { _, _ in [255, 255, 255, 255] }, 0, 5).isEmpty)
  }
}
