import CType
import Rendering
import Threads

/// Owns one `FT_Face` of pictures in colour: a font that holds its glyphs as bitmaps of one size, as fonts of emoji do.
nonisolated final class FreeTypeColorFace {
  /// The face, which a shaper reads tables from.
  let pointer: FT_Face
  /// The pixels of an em of the pictures.
  let pixelsPerEm: Int
  private let library: FreeTypeLibrary
  private let renderThreadCheck: RenderThreadDecodeCounter

  /// Opens a font and takes the largest pictures that it has; the C functions are `FT_New_Face` and `FT_Select_Size`.
  ///
  /// - Parameter witness: counts pictures that are unpacked on the thread that draws.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads, or one without pictures in colour.
  init(path: String, library: FreeTypeLibrary, renderThreadCheck: RenderThreadDecodeCounter) throws(DisplayError) {
    var opened: FT_Face?
    let code = FT_New_Face(library.pointer, path, 0, &opened)
    guard code == 0, let face = opened else { throw DisplayError.fromFreeType(code, "open \(path)") }
    let count = Int(face.pointee.num_fixed_sizes)
    let largest = (0..<count).max { left, right in
      face.pointee.available_sizes[left].y_ppem < face.pointee.available_sizes[right].y_ppem
    }
    guard face.pointee.face_flags & Int(FT_FACE_FLAG_COLOR) != 0, let largest else {
      FT_Done_Face(face)
      throw DisplayError(action: "open \(path)", reason: "the font has no pictures in colour")
    }
    let selected = FT_Select_Size(face, Int32(largest))
    guard selected == 0 else {
      FT_Done_Face(face)
      throw DisplayError.fromFreeType(selected, "open \(path)")
    }
    pointer = face
    // In 64ths.
    pixelsPerEm = max(1, Int(face.pointee.available_sizes[largest].y_ppem) >> 6)
    self.library = library
    self.renderThreadCheck = renderThreadCheck
  }

  deinit {
    FT_Done_Face(pointer)
    withExtendedLifetime(library) {}
  }

  /// The picture of a glyph; the C function is `FT_Load_Glyph`.
  ///
  /// Counts with the witness: nothing is to be unpacked on the thread that draws.
  ///
  /// - Returns: nil for a space, and where a broken font's picture cannot be read.
  /// - Complexity: O(pixels); the font holds them packed as PNG.
  func image(of glyph: UInt32) -> ColorGlyphImage? {
    renderThreadCheck.recordDecode()
    guard FT_Load_Glyph(pointer, glyph, ctype_load_color) == 0, let slot = pointer.pointee.glyph else { return nil }
    let bitmap = slot.pointee.bitmap
    let (width, height, pitch) = (Int(bitmap.width), Int(bitmap.rows), Int(bitmap.pitch))
    guard UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_BGRA.rawValue, width > 0, height > 0, pitch >= 4 * width,
      let bytes = bitmap.buffer
    else { return nil }
    let channels = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { memory, count in
      guard let start = memory.baseAddress else { return }
      for row in 0..<height {
        (start + 4 * row * width).initialize(from: bytes + row * pitch, count: 4 * width)
      }
      count = 4 * width * height
    }
    return ColorGlyphImage(width: width, height: height, channels: channels)
  }
}
