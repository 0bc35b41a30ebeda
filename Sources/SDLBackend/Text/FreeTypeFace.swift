import CVitrineType
import VitrineRendering

/// An owner of an `FT_Face` at a size, which rasterises the outlines of a font.
nonisolated final class FreeTypeFace {
  /// The face, for shaping.
  let pointer: FT_Face
  /// The horizontal bounds of all glyphs relative to the pixel of the pen, from the font's bounding box.
  let glyphBounds: Range<Int>
  private let library: FreeTypeLibrary
  /// The memory that the face reads from, or nil if it reads the file.
  private let data: FontData?
  private let synthesis: FontSynthesis

  /// Opens a font with outlines, using `FT_New_Memory_Face` or `FT_New_Face`, and `FT_Set_Char_Size`.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - index: The index of the face in the file.
  ///   - data: The contents of the file, or nil.
  ///   - pixelSize: The font size in pixels.
  ///   - synthesis: The changes to the outlines.
  ///   - library: The library that opens the face.
  /// - Throws: ``DisplayError`` if FreeType cannot read the file, or if the font has only bitmaps.
  init(
    path: String, index: Int = 0, data: FontData?, pixelSize: Int, synthesis: FontSynthesis = FontSynthesis(),
    library: FreeTypeLibrary
  ) throws(DisplayError) {
    var opened: FT_Face?
    let code =
      if let data {
        FT_New_Memory_Face(
          library.pointer, data.start.assumingMemoryBound(to: FT_Byte.self), data.count, index, &opened)
      } else {
        FT_New_Face(library.pointer, path, index, &opened)
      }
    guard code == 0, let face = opened else { throw DisplayError.fromFreeType(code, "open \(path)") }
    guard face.pointee.face_flags & Int(FT_FACE_FLAG_SCALABLE) != 0 else {
      FT_Done_Face(face)
      throw DisplayError(action: "open \(path)", reason: "the font has no outlines")
    }
    // At 72 dots per inch, a point is a pixel.
    let sized = FT_Set_Char_Size(face, 0, pixelSize * 64, 72, 72)
    guard sized == 0 else {
      FT_Done_Face(face)
      throw DisplayError.fromFreeType(sized, "open \(path) at \(pixelSize) pixels")
    }
    pointer = face
    // One more pixel on each side for the subpixel position of a glyph, and one for smoothing.
    let (box, unit) = (face.pointee.bbox, Double(max(1, face.pointee.units_per_EM)) / Double(pixelSize))
    let left = Int((Double(box.xMin) / unit).rounded(.down)) - 2
    glyphBounds = left..<max(left, Int((Double(box.xMax) / unit).rounded(.up)) + 2)
    self.library = library
    self.data = data
    self.synthesis = synthesis
  }

  deinit {
    FT_Done_Face(pointer)
    withExtendedLifetime((library, data)) {}
  }

  /// Rasterises a glyph with light hinting, which keeps its width.
  ///
  /// The C functions are `FT_Load_Glyph`, `FT_Outline_Translate` and `FT_Render_Glyph`.
  /// - Parameters:
  ///   - glyph: The index of the glyph in the font.
  ///   - shift: The distance to move the outline to the right, in 64ths of a pixel.
  /// - Returns: The mask, which is empty for a space or a damaged glyph.
  func image(of glyph: UInt32, shiftedBy shift: Int) -> GlyphMask {
    guard FT_Load_Glyph(pointer, glyph, ctype_load_light) == 0, let slot = pointer.pointee.glyph,
      slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return .empty }
    if !synthesis.isEmpty { synthesize(&slot.pointee.outline) }
    if shift != 0 { FT_Outline_Translate(&slot.pointee.outline, shift, 0) }
    guard FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return .empty }
    let bitmap = slot.pointee.bitmap
    let (width, height, pitch) = (Int(bitmap.width), Int(bitmap.rows), Int(bitmap.pitch))
    guard width > 0, height > 0, pitch >= width, let pixels = bitmap.buffer else { return .empty }
    let coverage = [UInt8](unsafeUninitializedCapacity: width * height) { memory, count in
      for row in 0..<height {
        for column in 0..<width { memory[row * width + column] = pixels[row * pitch + column] }
      }
      count = width * height
    }
    return GlyphMask(
      left: Int(slot.pointee.bitmap_left), top: Int(slot.pointee.bitmap_top), width: width, height: height,
      coverage: coverage)
  }

  /// Makes an outline bolder or slanted, using `FT_Outline_Embolden` and `FT_Outline_Transform`.
  private func synthesize(_ outline: inout FT_Outline) {
    if synthesis.isEmboldened {
      FT_Outline_Embolden(&outline, FT_Pos(pointer.pointee.size.pointee.metrics.y_ppem) * 64 / 24)
    }
    var matrix = FT_Matrix(
      xx: fixedPoint(synthesis.matrix.x), xy: fixedPoint(synthesis.matrix.y), yx: fixedPoint(synthesis.matrix.z),
      yy: fixedPoint(synthesis.matrix.w))
    FT_Outline_Transform(&outline, &matrix)
  }

  /// Returns a factor in FreeType's format, 16 bits before and 16 after the point.
  private func fixedPoint(_ factor: Double) -> FT_Fixed { FT_Fixed((max(-100, min(100, factor)) * 65_536).rounded()) }
}

/// The changes to the outlines of a font that replace a face which is not installed, such as an italic one.
nonisolated struct FontSynthesis: Hashable, Sendable {
  /// The matrix of the outlines: `xx`, `xy`, `yx` and `yy`.
  var matrix = SIMD4<Double>(1, 0, 0, 1)
  /// Whether the outlines are made bolder.
  var isEmboldened = false

  /// Whether the outlines are unchanged.
  var isEmpty: Bool { !isEmboldened && matrix == SIMD4(1, 0, 0, 1) }
}

/// A running FreeType library, which its faces retain.
nonisolated final class FreeTypeLibrary {
  /// The library, for opening faces.
  let pointer: FT_Library

  /// Starts the library with `FT_Init_FreeType`.
  /// - Throws: ``DisplayError`` if the system has no memory.
  init() throws(DisplayError) {
    var library: FT_Library?
    let code = FT_Init_FreeType(&library)
    guard code == 0, let library else { throw DisplayError.fromFreeType(code, "start FreeType") }
    pointer = library
  }

  deinit { FT_Done_FreeType(pointer) }
}

extension DisplayError {
  /// Returns an error with FreeType's error code, because Debian's library is built without error messages.
  nonisolated static func fromFreeType(_ code: FT_Error, _ action: String) -> DisplayError {
    DisplayError(action: action, reason: "FreeType's error \(code)")
  }
}
