import CSDL2
import Rendering

/// Owns one `TTF_Font`: a file at a size.
nonisolated struct FontHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// What the font reads from, where that is memory.
  private let data: FontData?

  /// Opens a file with light hinting, which keeps the shapes and sharpens the base line, and letters at fractions of a
  /// pixel, which keeps their distances; the C functions are `TTF_OpenFont` and `TTF_OpenFontRW`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - data: its content, if that was read.
  ///   - pixelSize: the size of the type in pixels.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads.
  init(path: String, data: FontData?, pixelSize: Int, session: borrowing FontSession) throws(DisplayError) {
    let size = Int32(pixelSize)
    // 1: SDL frees the stream, with the font or at once where that cannot be opened.
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

  /// From the baseline up, in pixels; the C function is `TTF_FontAscent`.
  var ascent: Int { Int(TTF_FontAscent(pointer)) }

  /// From the baseline down, positive; the C function is `TTF_FontDescent`.
  ///
  /// Hinting may move the foot of a letter below what the font declares, so the deepest letters are asked as well.
  var descent: Int {
    let deepest: [Unicode.Scalar] = ["g", "j", "p", "q", "y", "Q", "(", "|", "_", ","]
    return deepest.reduce(-Int(TTF_FontDescent(pointer))) { max($0, descent(of: $1)) }
  }

  /// How far a scalar reaches below the baseline, in pixels, positive; the C function is `TTF_GlyphMetrics32`.
  private func descent(of scalar: Unicode.Scalar) -> Int {
    var bottom: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, &bottom, nil, nil)
    return -Int(bottom)
  }

  /// From one baseline to the next; the C function is `TTF_FontLineSkip`.
  var lineSkip: Int { Int(TTF_FontLineSkip(pointer)) }

  /// The height of what ``render(_:)`` gives for letters of usual height; the C function is `TTF_FontHeight`.
  var height: Int { Int(TTF_FontHeight(pointer)) }

  /// Whether the font draws a scalar; the C function is `TTF_GlyphIsProvided32`.
  func hasGlyph(for scalar: Unicode.Scalar) -> Bool { TTF_GlyphIsProvided32(pointer, scalar.value) != 0 }

  /// How far a scalar moves the pen, in pixels rounded up; the C function is `TTF_GlyphMetrics32`.
  func advance(of scalar: Unicode.Scalar) -> Int {
    var advance: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, nil, nil, &advance)
    return max(0, Int(advance))
  }

  /// How far a scalar reaches above the baseline, in pixels; the C function is `TTF_GlyphMetrics32`.
  func ascent(of scalar: Unicode.Scalar) -> Int {
    var top: Int32 = 0
    TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, nil, &top, nil)
    return Int(top)
  }

  /// Sets which way and by which rules the next texts are shaped.
  ///
  /// The C functions are `TTF_SetFontDirection` and `TTF_SetFontScriptName`.
  /// - Parameter script: the four letters of ISO 15924.
  func setShaping(script: String, isRightToLeft: Bool) {
    TTF_SetFontDirection(pointer, isRightToLeft ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR)
    TTF_SetFontScriptName(pointer, script)
  }

  /// The width of a text in pixels; the C function is `TTF_SizeUTF8`.
  func width(of text: String) -> Int {
    var width: Int32 = 0
    guard TTF_SizeUTF8(pointer, text, &width, nil) == 0 else { return 0 }
    return max(0, Int(width))
  }

  /// Paints a text white on nothing; the C function is `TTF_RenderUTF8_Blended`.
  /// - Returns: a surface of four bytes a pixel with alpha in the highest byte, or nothing for a text without width.
  func render(_ text: String) -> SurfaceHandle? {
    let white = SDL_Color(r: 255, g: 255, b: 255, a: 255)
    guard let surface = TTF_RenderUTF8_Blended(pointer, text, white) else { return nil }
    return SurfaceHandle(owning: surface)
  }
}
