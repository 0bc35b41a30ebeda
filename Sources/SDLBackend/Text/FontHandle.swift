import CVitrineSDL2
import Glibc
import VitrineRendering

/// An owner of a `TTF_Font`, which is a font file at a size.
nonisolated struct FontHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// The memory that the font reads from, or nil if it reads the file.
  private let data: FontData?

  /// Opens a font with light hinting and subpixel positions, using `TTF_OpenFont` or `TTF_OpenFontRW`.
  ///
  /// Light hinting keeps the shapes and sharpens the baseline. Subpixel positions keep the distances of letters.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - data: The contents of the file, or nil.
  ///   - pixelSize: The font size in pixels.
  ///   - session: The session, which must outlive the font.
  /// - Throws: ``DisplayError`` if FreeType cannot read the file.
  init(path: String, data: FontData?, pixelSize: Int, session: borrowing FontSession) throws(DisplayError) {
    let size = Int32(pixelSize)
    // 1: SDL frees the stream with the font, or immediately if the font cannot be opened.
    let opened = data.map { TTF_OpenFontRW(SDL_RWFromConstMem($0.start, Int32($0.count)), 1, size) }
    guard let font = opened ?? TTF_OpenFont(path, size) else { throw DisplayError.fromSDL("open \(path)") }
    pointer = font
    self.data = data
    TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL)
  }

  deinit {
    TTF_CloseFont(pointer)
    withExtendedLifetime(data) {}
  }

  /// The ascent in pixels, from `TTF_FontAscent`.
  var ascent: Int { Int(TTF_FontAscent(pointer)) }

  /// The descent in pixels, positive, from `TTF_FontDescent`.
  ///
  /// Hinting can move letters below the font's descent, so the deepest letters are measured too.
  var descent: Int {
    let deepest: [Unicode.Scalar] = ["g", "j", "p", "q", "y", "Q", "(", "|", "_", ","]
    return deepest.reduce(-Int(TTF_FontDescent(pointer))) { max($0, descent(of: $1)) }
  }

  /// Returns the depth of a scalar below the baseline in pixels, positive, using `TTF_GlyphMetrics32`.
  private func descent(of scalar: Unicode.Scalar) -> Int {
    var bottom: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, &bottom, nil, nil)
    return -Int(bottom)
  }

  /// The distance from one baseline to the next, from `TTF_FontLineSkip`.
  var lineSkip: Int { Int(TTF_FontLineSkip(pointer)) }

  /// The height of rendered text of ordinary letters, from `TTF_FontHeight`.
  var height: Int { Int(TTF_FontHeight(pointer)) }

  /// Whether the font has a glyph for a scalar, using `TTF_GlyphIsProvided32`.
  func hasGlyph(for scalar: Unicode.Scalar) -> Bool { TTF_GlyphIsProvided32(pointer, scalar.value) != 0 }

  /// Returns the advance of a scalar in pixels, rounded up, using `TTF_GlyphMetrics32`.
  func advance(of scalar: Unicode.Scalar) -> Int {
    var advance: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, nil, nil, &advance)
    return max(0, Int(advance))
  }

  /// Returns the height of a scalar above the baseline in pixels, using `TTF_GlyphMetrics32`.
  func ascent(of scalar: Unicode.Scalar) -> Int {
    var top: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, nil, &top, nil)
    return Int(top)
  }

  /// Sets the script of the texts that follow, given by its ISO 15924 tag, using `TTF_SetFontScriptName`.
  func setScript(_ script: String) { TTF_SetFontScriptName(pointer, script) }

  /// Returns the width of a text in pixels, using `TTF_SizeUTF8`.
  func width(of text: String) -> Int {
    var width: Int32 = 0
    guard TTF_SizeUTF8(pointer, text, &width, nil) == 0 else { return 0 }
    return max(0, Int(width))
  }

  /// Renders a text white on transparent, using `TTF_RenderUTF8_Blended`.
  /// - Returns: A surface of four bytes a pixel with alpha in the highest byte, or nil for a text without width.
  func render(_ text: String) -> SurfaceHandle? {
    let white = SDL_Color(r: 255, g: 255, b: 255, a: 255)
    guard let surface = TTF_RenderUTF8_Blended(pointer, text, white) else { return nil }
    return SurfaceHandle(owning: surface)
  }
}

/// A running SDL_ttf library, which must outlive its fonts.
nonisolated struct FontSession: ~Copyable {
  /// Starts the library with `TTF_Init`.
  /// - Throws: ``DisplayError`` if FreeType does not start.
  init() throws(DisplayError) {
    guard TTF_Init() == 0 else { throw DisplayError.fromSDL("start the font library") }
  }

  deinit { TTF_Quit() }
}

/// The contents of a font file in memory.
///
/// FreeType reads its file for each letter, which takes some hundred system calls per frame when new text scrolls into
/// view.
nonisolated final class FontData {
  /// The maximum file size.
  ///
  /// Fonts of Latin, Greek and Cyrillic have less than 1 MiB, those of Chinese 20 MiB.
  static let maximumBytes = 1 << 20

  /// The address of the first byte.
  let start: UnsafeRawPointer
  /// The number of bytes.
  let count: Int

  /// Reads a file.
  ///
  /// Returns nil if it is too large or not readable, or if the system has no memory.
  ///
  /// The C functions are `fopen`, `fread` and `malloc`.
  init?(path: String) {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    guard fseek(file, 0, SEEK_END) == 0 else { return nil }
    let size = ftell(file)
    rewind(file)
    guard size > 0, size <= FontData.maximumBytes, let memory = malloc(size) else { return nil }
    guard fread(memory, 1, size, file) == size else {
      free(memory)
      return nil
    }
    start = UnsafeRawPointer(memory)
    count = size
  }

  deinit { free(UnsafeMutableRawPointer(mutating: start)) }
}
