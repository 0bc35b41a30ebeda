import CType
import Rendering

/// Owns one `FT_Face` at a size: the outlines of a font and their coverage of pixels.
nonisolated final class FreeTypeFace {
  /// The face, which a shaper reads tables from.
  let pointer: FT_Face
  /// How far glyphs reach from the pixel of the pen at most, in pixels to the right, by the font's own word.
  let glyphBounds: Range<Int>
  private let library: FreeTypeLibrary
  /// What the face reads from, where that is memory.
  private let data: FontData?

  /// Opens a font with outlines; the C functions are `FT_New_Memory_Face`, `FT_New_Face` and `FT_Set_Char_Size`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - data: its content, if that was read.
  ///   - pixelSize: the size of the type in pixels.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads, or one of pictures alone.
  init(path: String, data: FontData?, pixelSize: Int, library: FreeTypeLibrary) throws(DisplayError) {
    var opened: FT_Face?
    let code =
      if let data {
        FT_New_Memory_Face(
          library.pointer, data.start.assumingMemoryBound(to: FT_Byte.self), data.count, 0, &opened)
      } else {
        FT_New_Face(library.pointer, path, 0, &opened)
      }
    guard code == 0, let face = opened else { throw DisplayError.fromFreeType(code, "open \(path)") }
    guard face.pointee.face_flags & Int(FT_FACE_FLAG_SCALABLE) != 0 else {
      FT_Done_Face(face)
      throw DisplayError(action: "open \(path)", reason: "the font has no outlines")
    }
    // 72 dots an inch, where a point is a pixel.
    let sized = FT_Set_Char_Size(face, 0, pixelSize * 64, 72, 72)
    guard sized == 0 else {
      FT_Done_Face(face)
      throw DisplayError.fromFreeType(sized, "open \(path) at \(pixelSize) pixels")
    }
    pointer = face
    // A pixel more each way for where in its pixel a glyph begins, and one for smoothing.
    let (box, unit) = (face.pointee.bbox, Double(max(1, face.pointee.units_per_EM)) / Double(pixelSize))
    let left = Int((Double(box.xMin) / unit).rounded(.down)) - 2
    glyphBounds = left..<max(left, Int((Double(box.xMax) / unit).rounded(.up)) + 2)
    self.library = library
    self.data = data
  }

  deinit {
    FT_Done_Face(pointer)
    withExtendedLifetime((library, data)) {}
  }

  /// Paints a glyph with light hinting, which leaves its width alone.
  ///
  /// The C functions are `FT_Load_Glyph`, `FT_Outline_Translate` and `FT_Render_Glyph`.
  /// - Parameter shift: how far to the right the outline begins, in 64ths of a pixel.
  /// - Returns: no pixels for a space, or where a broken font's outline cannot be painted.
  func image(of glyph: UInt32, shiftedBy shift: Int) -> GlyphMask {
    guard FT_Load_Glyph(pointer, glyph, ctype_load_light) == 0, let slot = pointer.pointee.glyph,
      slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return .empty }
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
}
