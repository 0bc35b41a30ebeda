import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineSDLBackend

extension SDLTests {
  @Suite("Parts of a line have fonts, colors and lines of their own")
  struct StyledTextLayoutTests {
    private static let style = TextStyle(size: 32)
    private static let red = Color(hex: 0xFF0000)
    private nonisolated static func has(_ name: String) -> Bool { access("/usr/share/fonts/\(name)", R_OK) == 0 }
    private nonisolated static let inter = "/usr/share/fonts/opentype/inter/Inter-Regular.otf"
    private nonisolated static let serif = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"

    private func withRasterizer<Result>(
      _ catalogue: FontCatalogue = FontCatalogue(), _ body: (SDLTextRasterizer) throws -> Result
    ) rethrows -> Result {
      let rasterizer = SDLTextRasterizer(catalogue: catalogue)
      defer { rasterizer.close() }
      return try body(rasterizer)
    }

    private func text(
      _ parts: [(String, TextStyle, Color?)], direction: TextDirection? = nil
    ) -> StyledText {
      var text = StyledText(direction: direction)
      for (part, style, color) in parts { text.append(part, .init(range: 0..<0, style: style, foregroundColor: color)) }
      return text
    }

    private func painted(
      _ text: StyledText, width: Int = 8_192, _ mode: LineBreakMode = .byTruncatingTail,
      by rasterizer: SDLTextRasterizer
    ) throws -> RenderedLine {
      let line = Lock<RenderedLine??>(nil)
      let request = LineRequest(
        styledText: text, style: Self.style, scale: .one, maximumWidth: width, truncation: mode)
      #expect(
        rasterizer.startRendering(of: request) { painted in
          line.withLock { $0 = .some(painted) }
          line.wakeAll()
        })
      let finished = try #require(line.wait(atMost: .seconds(60)) { $0 }, "the line was not painted in time")
      return try #require(finished)
    }

    /// Returns the number of pixels of a layer that are inked, and of those with a color.
    private func ink(_ line: RenderedLine, lower: Bool, _ color: Color? = nil) -> (inked: Int, colored: Int) {
      let size = line.bitmap.size
      let height = line.layers == .maskOverColors ? size.height / 2 : size.height
      var (inked, colored) = (0, 0)
      for y in 0..<height {
        for x in 0..<size.width {
          let pixel = line.bitmap.color(x, lower ? size.height - height + y : y)
          guard pixel.alpha > 128 else { continue }
          inked += 1
          if let color, pixel.red == color.red, pixel.green == color.green, pixel.blue == color.blue { colored += 1 }
        }
      }
      return (inked, colored)
    }

    @Test(
      "Letters of several scripts, emoji and colors are one line",
      .enabled(if: has("truetype/noto/NotoColorEmoji.ttf") && has("truetype/droid/DroidSansFallbackFull.ttf")))
    func mixed() throws {
      try withRasterizer { rasterizer in
        let large = TextStyle(size: 48, weight: .semibold)
        let line = text([
          ("Latin ", Self.style, nil), ("مرحبا ", Self.style, Self.red), ("שלום ", Self.style, nil),
          ("東京 ", large, Self.red),
          ("🌊", Self.style, nil),
        ])
        let painted = try painted(line, by: rasterizer)
        let metrics = rasterizer.metrics(large, scale: .one)
        #expect(painted.layers == .maskOverColors && !painted.isRightToLeft)
        #expect(painted.bitmap.size.height == 2 * (metrics.ascent + metrics.descent))
        #expect(painted.bitmap.size.width == rasterizer.width(of: line, scale: .one))
        #expect(ink(painted, lower: false).inked > 500)
        let colors = ink(painted, lower: true, Self.red)
        #expect(colors.colored > 400 && colors.inked > colors.colored + 200)
        // The same text in one color has no lower layer.
        let plain = try self.painted(text([("Latin مرحبا שלום", Self.style, nil)]), by: rasterizer)
        #expect(plain.layers == .mask)
      }
    }

    @Test(
      "A color within a word does not change its letters", .enabled(if: has("truetype/noto/NotoSansArabic-Regular.ttf"))
    )
    func joining() {
      withRasterizer { rasterizer in
        let whole = rasterizer.width(of: text([("مرحبا", Self.style, nil)]), scale: .one)
        let parts = text([("مر", Self.style, nil), ("حب", Self.style, Self.red), ("ا", Self.style, nil)])
        #expect(rasterizer.width(of: parts, scale: .one) == whole)
      }
    }

    @Test("Backgrounds and lines extend as far as their parts", .enabled(if: access(inter, R_OK) == 0))
    func backgrounds() throws {
      try withRasterizer { rasterizer in
        var line = text([("ab", Self.style, nil)])
        line.append(
          "cd",
          .init(
            range: 0..<0, style: Self.style, backgroundColor: Self.red,
            underlineStyle: TextLineStyle(color: Color(hex: 0x0000FF))))
        line.append("ef", .init(range: 0..<0, style: Self.style))
        let painted = try painted(line, by: rasterizer)
        let geometry = rasterizer.geometry(of: line, scale: .one)
        let height = painted.bitmap.size.height / 2
        let columns = (0..<painted.bitmap.size.width).filter { painted.bitmap.color($0, height) == Self.red }
        #expect(columns == Array(geometry.characters[2].columns.lowerBound..<geometry.characters[3].columns.upperBound))
        let ascent = rasterizer.metrics(Self.style, scale: .one).ascent
        let row = height + ascent + TextLinePositions(pixelSize: 32).underline.lowerBound
        #expect(columns.allSatisfy { painted.bitmap.color($0, row) == Color(hex: 0x0000FF) })
      }
    }

    @Test("A line loses its start, its middle or its end", .enabled(if: access(inter, R_OK) == 0))
    func truncation() throws {
      try withRasterizer { rasterizer in
        let line = text([("red red red ", Self.style, Self.red), ("white white white", Self.style, nil)])
        @MainActor func redShare(_ mode: LineBreakMode) throws -> Double {
          let painted = try painted(line, width: 160, mode, by: rasterizer)
          #expect((100...160).contains(painted.bitmap.size.width))
          let (mask, colors) = (ink(painted, lower: false).inked, ink(painted, lower: true, Self.red).colored)
          return painted.layers == .mask ? 0 : painted.layers == .colors ? 1 : Double(colors) / Double(mask + colors)
        }
        let (tail, middle, head) = try (
          redShare(.byTruncatingTail), redShare(.byTruncatingMiddle), redShare(.byTruncatingHead)
        )
        // The ellipsis may have the color of the part that it replaces.
        #expect(tail > 0.8 && (0.2...0.8).contains(middle) && head < 0.2)
      }
    }

    @Test("A line has the base direction of its paragraph", .enabled(if: access(inter, R_OK) == 0))
    func directions() throws {
      try withRasterizer { rasterizer in
        let forced = try painted(text([("abc.", Self.style, nil)], direction: .rightToLeft), by: rasterizer)
        let natural = try painted(text([("abc.", Self.style, nil)]), by: rasterizer)
        #expect(forced.isRightToLeft && !natural.isRightToLeft)
        let stop = rasterizer.geometry(of: text([("abc.", Self.style, nil)], direction: .rightToLeft), scale: .one)
        #expect(stop.characters[3].columns.lowerBound == 0 && stop.isRightToLeft)
      }
    }

    @Test(
      "A family is found by its name, and one that is not installed is replaced and named",
      .enabled(if: access(inter, R_OK) == 0 && access(serif, R_OK) == 0))
    func families() {
      withRasterizer { rasterizer in
        @MainActor func width(_ family: String?) -> Int {
          rasterizer.width(of: "Quartz", style: TextStyle(size: 32, family: family), scale: .one)
        }
        let usual = width(nil)
        #expect(width("DejaVu Serif") != usual && width("dejavu serif") == width("DejaVu Serif"))
        #expect(width("serif") > 0 && rasterizer.warning == nil)
        #expect(abs(width("No Such Family") - usual) <= 1)
        #expect(rasterizer.warning == "text may look different: the font family No Such Family is not installed")
        #expect(rasterizer.needsLayout("Quartz", style: TextStyle(size: 32, family: "Lora"), scale: .one))
      }
    }

    @Test(
      "The families of a registered file are found, and a file without fonts is refused",
      .enabled(if: access(inter, R_OK) == 0 && access(serif, R_OK) == 0))
    func registeredFonts() throws {
      let folder = try TemporaryFolder()
      try #require(symlink("/usr/share/fonts/opentype", "\(folder.path)/opentype") == 0)
      withRasterizer(FontCatalogue(folder: folder.path)) { rasterizer in
        let style = TextStyle(size: 32, family: "DejaVu Serif")
        #expect(
          !rasterizer.registerFonts(atPath: "/etc/hostname") && !rasterizer.registerFonts(atPath: "/no/such/file"))
        // Before another text is laid out in the family, so that no warning names it.
        #expect(rasterizer.registerFonts(atPath: Self.serif))
        let width = rasterizer.width(of: "Quartz", style: style, scale: .one)
        #expect(width != rasterizer.width(of: "Quartz", style: Self.style, scale: .one) && rasterizer.warning == nil)
      }
    }
  }
}
