import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineSDLBackend

/// The installed fonts, some of which a fresh machine lacks.
///
/// Tests that need them are skipped there.
private nonisolated enum InstalledFonts {
  static func has(_ name: String) -> Bool { access("/usr/share/fonts/\(name)", R_OK) == 0 }

  static let emoji = has("truetype/noto/NotoColorEmoji.ttf") && has("opentype/inter/Inter-Regular.otf")
  static let scripts = has("truetype/noto/NotoSansThai-Regular.ttf") && has("opentype/inter/Inter-Regular.otf")
  static let eastAsian = has("truetype/droid/DroidSansFallbackFull.ttf") || has("opentype/noto/NotoSansCJK-Regular.ttc")
}

extension SDLTests {
  @Suite("Lines of several fonts, directions and colors are laid out and painted on another thread")
  struct TextLayoutThreadTests {
    private let style = TextStyle(size: 32)

    private func withRasterizer<Result>(
      _ catalogue: FontCatalogue = FontCatalogue(), _ body: (SDLTextRasterizer) throws -> Result
    ) rethrows -> Result {
      let rasterizer = SDLTextRasterizer(catalogue: catalogue)
      defer { rasterizer.close() }
      return try body(rasterizer)
    }

    /// Returns the line that the other thread paints, or nil if it paints none.
    private func painted(
      _ text: String, _ style: TextStyle, _ scale: DisplayScale = .one, width: Int = 8_192,
      truncation: LineBreakMode = .byTruncatingTail, by rasterizer: SDLTextRasterizer
    ) throws -> RenderedLine? {
      let line = Lock<(line: RenderedLine?, isOnDrawingThread: Bool)?>(nil)
      let decodeCounter = RenderThreadDecodeCounter()
      let request = LineRequest(
        text: text, style: style, scale: scale, maximumWidth: width, truncation: truncation)
      try #require(
        rasterizer.startRendering(of: request) { painted in
          line.withLock { $0 = (painted, decodeCounter.isOnRenderThread) }
          line.wakeAll()
        })
      let made = try #require(line.wait(atMost: .seconds(60)) { $0 }, "the line was not painted in time")
      #expect(!made.isOnDrawingThread)
      return made.line
    }

    /// Returns the share of the mostly opaque pixels of some rows that are colored, not gray, and the number of these pixels.
    private func colors(_ picture: Bitmap, rows: Range<Int>) -> (share: Double, inked: Int) {
      var (colored, inked) = (0, 0)
      for y in rows {
        for x in 0..<picture.size.width {
          let color = picture.color(x, y)
          guard color.alpha > 128 else { continue }
          inked += 1
          let channels = [color.red, color.green, color.blue]
          if let most = channels.max(), let least = channels.min(), most - least > 40 { colored += 1 }
        }
      }
      return (Double(colored) / Double(max(1, inked)), inked)
    }

    // MARK: Emoji

    @Test(
      "Single and joined emoji and flags have the measured width, the style's height and color",
      .enabled(if: InstalledFonts.emoji), arguments: ["🦊", "🍓🍋", "👩‍🚀", "🇩🇪", "❤️", "🦊 🍓"], [1.0, 2.0])
    func sizesAndColors(text: String, factor: Double) throws {
      try withRasterizer { rasterizer in
        let scale = DisplayScale(pixelsPerPoint: factor)
        #expect(rasterizer.needsLayout(text, style: style, scale: scale))
        let line = try #require(try painted(text, style, scale, by: rasterizer))
        let picture = line.bitmap
        let metrics = rasterizer.metrics(style, scale: scale)
        #expect(line.layers == .colors)
        #expect(picture.size.width == rasterizer.width(of: text, style: style, scale: scale))
        #expect(picture.size.height == metrics.ascent + metrics.descent)
        // The share is low, because clothes and skin are pale.
        #expect(colors(picture, rows: 0..<picture.size.height).share > 0.25)
        #expect(picture.color(0, 0).alpha == 0 && rasterizer.warning == nil)
        // Nothing is clipped at the top or at the bottom.
        let edges = [0, picture.size.height - 1]
        #expect(edges.allSatisfy { y in (0..<picture.size.width).allSatisfy { picture.color($0, y).alpha < 200 } })
        // Images are not decoded on the drawing thread.
        #expect(rasterizer.bitmap(for: text, style: style, scale: scale) == nil)
        #expect(rasterizer.statistics?.imagesDecodedOnRenderThread == 0)
      }
    }

    @Test(
      "Among letters, emoji keep their colors, and the letters are a mask in the half above",
      .enabled(if: InstalledFonts.emoji), arguments: ["a🦊", "🦊 Fox 🍓", "Zürich 🌊", "1️⃣ one"])
    func mixedLines(text: String) throws {
      try withRasterizer { rasterizer in
        let line = try #require(try painted(text, style, by: rasterizer))
        let picture = line.bitmap
        let metrics = rasterizer.metrics(style, scale: .one)
        let height = metrics.ascent + metrics.descent
        #expect(line.layers == .maskAndColors && picture.size.height == 2 * height)
        for y in 0..<height {
          for x in 0..<picture.size.width { #expect(picture.color(x, y).packed & 0xFF_FFFF == 0xFF_FFFF) }
        }
        #expect(colors(picture, rows: 0..<height).inked > 20)
        #expect(colors(picture, rows: height..<2 * height).share > 0.25)
      }
    }

    @Test(
      "An image is decoded once for all sizes, and the cache stays within its budget",
      .enabled(if: InstalledFonts.emoji))
    func decodesOnce() throws {
      try withRasterizer { rasterizer in
        #expect(rasterizer.statistics == nil, "the thread starts with the first line")
        for size in [12.0, 24, 40] {
          for text in ["🦊", "🍓🦊"] {
            _ = try #require(try painted(text, TextStyle(size: size), by: rasterizer))
          }
        }
        let few = try #require(rasterizer.statistics)
        #expect(few.decodedImages == 2 && few.cachedImageBytes > 0 && few.imagesDecodedOnRenderThread == 0)
        // More emoji than fit into the cache, beginning with food and animals.
        let emoji = [0x1F32D...0x1F37F, 0x1F400...0x1F4A0].joined().compactMap { Unicode.Scalar($0) }
        for scalar in emoji where scalar.properties.isEmojiPresentation {
          _ = try painted(String(scalar), TextStyle(size: 12), by: rasterizer)
        }
        let many = try #require(rasterizer.statistics)
        #expect(many.decodedImages > 150 && many.cachedImageBytes <= 8 << 20 && many.cachedImageBytes > 7 << 20)
      }
    }

    @Test("A joined emoji is one image, and a larger style is larger", .enabled(if: InstalledFonts.emoji))
    func emojiWidths() {
      withRasterizer { rasterizer in
        let width = { rasterizer.width(of: $0, style: $1, scale: .one) }
        #expect(width("👩‍🚀", style) == width("🦊", style))
        #expect(abs(width("🦊🦊", style) - 2 * width("🦊", style)) <= 1)
        #expect(abs(width("🦊🦊🦊🦊", TextStyle(size: 64)) - 8 * width("🦊", style)) <= 8)
        // The font weight has no effect on emoji.
        #expect(width("🦊", TextStyle(size: 32, weight: .semibold)) == width("🦊", style))
      }
    }

    @Test("Characters with text presentation are white to be tinted", arguments: ["☂", "❤", "↔"])
    func textPresentation(line: String) throws {
      try withRasterizer { rasterizer in
        guard rasterizer.bitmap(for: "a", style: style, scale: .one) != nil else { return }
        let picture = try #require(rasterizer.bitmap(for: line, style: style, scale: .one))
        for y in 0..<picture.size.height {
          for x in 0..<picture.size.width { #expect(picture.color(x, y).packed & 0xFF_FFFF == 0xFF_FFFF) }
        }
      }
    }

    @Test("Without the font, emoji are monochrome and the warning contains the name of the package")
    func withoutEmojiFont() throws {
      // A folder with the text fonts alone.
      var template = Array("/tmp/vitrine-fonts-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      defer {
        unlink("\(folder)/opentype")
        rmdir(folder)
      }
      symlink("/usr/share/fonts/opentype", "\(folder)/opentype")
      try withRasterizer(FontCatalogue(folder: folder)) { rasterizer in
        guard rasterizer.bitmap(for: "a", style: style, scale: .one) != nil else { return }
        #expect(rasterizer.warning == nil)
        let line = try painted("🦊", style, by: rasterizer)
        #expect(line?.layers == .mask)
        #expect(rasterizer.warning == "emoji are not in colour: install fonts-noto-color-emoji")
      }
    }

    // MARK: Fallback and directions

    @Test(
      "One line has Latin, Chinese, Hebrew, Arabic and emoji, each in a font that has its glyphs",
      .enabled(if: InstalledFonts.emoji && InstalledFonts.scripts && InstalledFonts.eastAsian))
    func mixedScripts() throws {
      let thread = TextLayoutThread(folder: nil, renderThreadCheck: RenderThreadDecodeCounter())
      defer { thread.close() }
      let text = "Zürich 東京 שלום 🌊 مرحبا"
      let line = try #require(thread.lines(of: layoutLine(text)).first)
      #expect(!line.isRightToLeft && line.range == 0..<text.utf8.count)
      // The Latin letters are in the style's own font.
      #expect(line.runs.first?.font?.path.contains("Inter") == true)
      for run in line.runs {
        #expect(run.font != nil && run.glyphs.allSatisfy { $0.glyph != 0 }, "\(run)")
      }
      let emoji = try #require(line.runs.first { $0.font?.hasColors == true })
      let bytes = Array(text.utf8)
      #expect(String(decoding: bytes[emoji.range], as: UTF8.self) == "🌊")
      // The text from right to left is displayed in reverse: Arabic, emoji, Hebrew.
      let hebrew = try #require(line.runs.firstIndex { bytes[$0.range].starts(with: "ש".utf8) })
      let arabic = try #require(line.runs.firstIndex { bytes[$0.range].starts(with: "م".utf8) })
      #expect(arabic < hebrew && line.runs[hebrew].isRightToLeft && line.runs[arabic].isRightToLeft)
      // Clusters of a run from right to left descend.
      let clusters = line.runs[hebrew].glyphs.map(\.cluster)
      #expect(clusters == clusters.sorted(by: >) && clusters.count >= 4)
    }

    private func layoutLine(_ text: String, _ overflow: LayoutRequest.Overflow = .visible) -> TextLayoutThread.Line {
      let font = FontDescription(families: FontCatalogue.families(for: .default), weight: 400, pixelSize: 20)
      return TextLayoutThread.Line(
        request: LayoutRequest(text: text, font: font, overflow: overflow), ascent: 20, descent: 5,
        fallbackFile: "/usr/share/fonts/opentype/inter/Inter-Regular.otf")
    }

    @Test(
      "The base direction of a line is that of its first letter", .enabled(if: InstalledFonts.scripts),
      arguments: [("שלום.jpg", true), ("IMG שלום", false), ("123 مرحبا", true), ("สวัสดี", false)])
    func baseDirection(text: String, isRightToLeft: Bool) throws {
      try withRasterizer { rasterizer in
        let line = try #require(try painted(text, style, by: rasterizer))
        #expect(line.isRightToLeft == isRightToLeft && line.layers == .mask)
      }
    }

    @Test(
      "A line that is too long is truncated between graphemes, in every direction",
      .enabled(if: InstalledFonts.emoji && InstalledFonts.scripts),
      arguments: ["שלום עולם, מה שלומך היום", "مرحبا بالعالم كيف حالك", "สวัสดีชาวโลก สบายดีไหม", "Fox 🦊🍓👩‍🚀🇩🇪🍋 and more"],
      [LineBreakMode.byTruncatingTail, .byTruncatingMiddle])
    func truncation(text: String, mode: LineBreakMode) throws {
      let thread = TextLayoutThread(folder: nil, renderThreadCheck: RenderThreadDecodeCounter())
      defer { thread.close() }
      let whole = thread.width(of: layoutLine(text))
      let boundaries = Set(text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) })
      for width in stride(from: 30, to: whole, by: 7) {
        let line = layoutLine(text, .truncated(mode, width: width))
        #expect(thread.width(of: line) <= width + 1, "\(text) to \(width)")
        let laidOut = try #require(thread.lines(of: line).first)
        // Runs of one line keep whole graphemes.
        for run in laidOut.runs {
          for glyph in run.glyphs where glyph.glyph != nil && glyph.advance > 0 && run.range.count > 3 {
            #expect(boundaries.contains(glyph.cluster) || run.isRightToLeft, "\(text) at \(glyph.cluster)")
          }
        }
      }
      #expect(thread.width(of: layoutLine(text, .truncated(mode, width: whole + 1))) == whole)
    }

    @Test(
      "Carets ascend in a text from left to right, descend in one from right to left, and divide ligatures",
      .enabled(if: InstalledFonts.scripts))
    func carets() throws {
      withRasterizer { rasterizer in
        @MainActor func columns(_ text: String) -> [Int] {
          let geometry = rasterizer.geometry(of: text, style: style, scale: .one)
          let columns = (0...text.count).map { geometry.caretColumn(at: $0) }
          let width = rasterizer.width(of: text, style: style, scale: .one)
          #expect(columns.allSatisfy { (0...width + 1).contains($0) } && geometry.characters.count == text.count)
          return columns
        }
        for text in ["office", "office ≙"] {
          let latin = columns(text)
          #expect(latin == latin.sorted() && Set(latin).count == latin.count && latin[0] == 0)
        }
        let hebrew = columns("שלום")
        #expect(hebrew == hebrew.sorted(by: >) && Set(hebrew).count == 5 && hebrew.last == 0)
        // Lam and alef are one glyph.
        let arabic = columns("سلام")
        #expect(arabic == arabic.sorted(by: >) && Set(arabic).count == 5)
        // The caret after the last letter of Hebrew text is at its left edge.
        let mixed = columns("ab שלום")
        #expect(mixed[0] == 0 && mixed[1] > 0 && mixed[7] == mixed.dropFirst(3).min())
        // A joined emoji is one character.
        #expect(columns("👩‍🚀🦊").count == 3)
      }
    }

    @Test("A closed rasterizer paints nothing", .enabled(if: InstalledFonts.emoji))
    func closed() {
      let rasterizer = SDLTextRasterizer()
      #expect(rasterizer.needsLayout("🦊", style: style, scale: .one))
      #expect(rasterizer.width(of: "🦊", style: style, scale: .one) > 0)
      rasterizer.close()
      #expect(rasterizer.bitmap(for: "ש", style: style, scale: .one) == nil)
      #expect(rasterizer.width(of: "🦊🦊", style: style, scale: .one) == 0)
      let request = LineRequest(
        text: "🦊", style: style, scale: .one, maximumWidth: 100, truncation: .byTruncatingTail)
      _ = rasterizer.startRendering(of: request) { #expect($0 == nil) }
    }

    // MARK: Fonts and breaks

    @Test(
      "Italic, serif and monospaced text is in other fonts, on the same baseline", .enabled(if: InstalledFonts.scripts))
    func designs() throws {
      try withRasterizer { rasterizer in
        let upright = try #require(rasterizer.bitmap(for: "Film", style: style, scale: .one))
        var digests = [upright.contentDigest]
        for (design, isItalic) in [
          (TextStyle.Design.default, true), (.serif, false), (.monospaced, false), (.monospaced, true),
        ] {
          let other = TextStyle(size: 32, design: design, isItalic: isItalic)
          let line = try #require(try painted("Film", other, by: rasterizer))
          #expect(line.layers == .mask && line.bitmap.size.height == upright.size.height)
          #expect(line.bitmap.size.width == rasterizer.width(of: "Film", style: other, scale: .one))
          digests.append(line.bitmap.contentDigest)
        }
        #expect(Set(digests).count == digests.count)
        let mono = TextStyle(size: 32, design: .monospaced)
        let widths = ["iiii", "MMMM"].map { rasterizer.geometry(of: $0, style: mono, scale: .one).caretColumn(at: 3) }
        #expect(widths[0] == widths[1])
        // A truncated line has its design too.
        let cut = rasterizer.truncatedText(
          "Film film film", style: mono, scale: .one, width: 120, truncation: .byTruncatingTail)
        #expect(cut.hasSuffix("…") && rasterizer.width(of: cut, style: mono, scale: .one) <= 120)
      }
    }

    @Test("Lines break between words, also in scripts without spaces", .enabled(if: InstalledFonts.scripts))
    func lineBreaks() {
      withRasterizer { rasterizer in
        @MainActor func parts(_ text: String) -> [String] {
          let bytes = Array(text.utf8)
          let offsets = rasterizer.lineBreakOffsets(in: text)
          return zip([0] + offsets, offsets).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
        }
        #expect(parts("one two-three") == ["one ", "two-", "three"])
        #expect(parts("東京、京都") == ["東", "京、", "京", "都"])
        #expect(parts("") == [] && parts("a") == ["a"])
        // A dictionary knows the words of Thai.
        let thai = parts("สวัสดีชาวโลก")
        #expect(thai.count > 1 && thai.joined() == "สวัสดีชาวโลก")
      }
    }

    @Test("A file that is not a color font is an error", .enabled(if: InstalledFonts.emoji))
    func otherFonts() throws {
      let library = try FreeTypeLibrary()
      let decodeCounter = RenderThreadDecodeCounter()
      for path in ["/etc/hostname", "/nowhere.ttf", "/usr/share/fonts/opentype/inter/Inter-Regular.otf"] {
        #expect(throws: DisplayError.self) {
          try FreeTypeColorFace(path: path, library: library, renderThreadCheck: decodeCounter)
        }
      }
    }

    @Test(
      "An image that is decoded on the render thread is counted where FreeType is called",
      .enabled(if: InstalledFonts.emoji))
    func countsRenderThreadDecodes() throws {
      let decodeCounter = RenderThreadDecodeCounter()
      let face = try FreeTypeColorFace(
        path: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", library: FreeTypeLibrary(),
        renderThreadCheck: decodeCounter)
      #expect(decodeCounter.decodeCount == 0)
      _ = face.image(of: 40)
      #expect(decodeCounter.decodeCount == 1)
    }
  }
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
