import CType
import Rendering

/// Owns one `hb_font_t` and the buffer it shapes in: which glyphs a text is drawn with, and where.
nonisolated final class HarfBuzzShaper {
  private let font: OpaquePointer
  private let buffer: OpaquePointer
  /// What the tables are read from.
  private let owner: AnyObject

  /// Makes a shaper of a face.
  ///
  /// Advances come from the font's own table (`hb_ot_font_set_funcs`): light hinting leaves widths alone, and asking
  /// FreeType for them would load each glyph. The C functions are `hb_ft_face_create_referenced`, `hb_font_create` and
  /// `hb_buffer_create`.
  ///
  /// - Parameters:
  ///   - face: where the tables are read from.
  ///   - owner: keeps the face.
  ///   - pixelSize: the size of the type in pixels.
  /// - Throws: ``DisplayError`` when memory is out.
  init(_ face: FT_Face, of owner: AnyObject, pixelSize: Int) throws(DisplayError) {
    guard let tables = hb_ft_face_create_referenced(face), let font = hb_font_create(tables) else {
      throw DisplayError(action: "shape text", reason: "memory is out")
    }
    hb_face_destroy(tables)
    guard let buffer = hb_buffer_create(), hb_buffer_allocation_successful(buffer) != 0 else {
      hb_font_destroy(font)
      throw DisplayError(action: "shape text", reason: "memory is out")
    }
    hb_font_set_scale(font, Int32(pixelSize * 64), Int32(pixelSize * 64))
    hb_font_set_ppem(font, UInt32(pixelSize), UInt32(pixelSize))
    hb_ot_font_set_funcs(font)
    self.font = font
    self.buffer = buffer
    self.owner = owner
  }

  deinit {
    hb_buffer_destroy(buffer)
    hb_font_destroy(font)
    withExtendedLifetime(owner) {}
  }

  /// Shapes a text; the C function is `hb_shape`.
  ///
  /// The language is none, whatever the machine's is: the same text has the same shape everywhere.
  ///
  /// - Parameters:
  ///   - text: in UTF-8.
  ///   - script: the four letters of ISO 15924.
  /// - Returns: the glyphs from left to right and how far they move the pen; none where memory is out.
  /// - Complexity: O(scalars), for scripts without great tables of rules.
  func shape(_ text: UnsafeBufferPointer<UInt8>, script: String, isRightToLeft: Bool) -> ShapedLine {
    hb_buffer_clear_contents(buffer)
    hb_buffer_set_direction(buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, hb_script_from_string(script, -1))
    text.withMemoryRebound(to: CChar.self) {
      hb_buffer_add_utf8(buffer, $0.baseAddress, Int32($0.count), 0, Int32($0.count))
    }
    hb_shape(font, buffer, nil, 0)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &count)
    else { return ShapedLine() }
    var pen = 0
    let glyphs = (0..<Int(count)).map { index in
      let position = positions[index]
      let glyph = ShapedGlyph(
        glyph: infos[index].codepoint, x: pen + Int(position.x_offset), y: Int(position.y_offset))
      pen += Int(position.x_advance)
      return glyph
    }
    return ShapedLine(glyphs: glyphs, advance: pen)
  }
}
