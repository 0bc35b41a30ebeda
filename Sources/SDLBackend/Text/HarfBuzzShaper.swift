import CVitrineType
import VitrineRendering

/// An owner of an `hb_font_t` and a buffer, which shapes text to positioned glyphs.
nonisolated final class HarfBuzzShaper {
  private let font: OpaquePointer
  private let buffer: OpaquePointer
  /// The owner of the face.
  private let owner: AnyObject

  /// Creates a shaper of a face.
  ///
  /// The advances come from the font's table (`hb_ot_font_set_funcs`), because light hinting keeps widths, and FreeType
  /// would load each glyph. The C functions are `hb_ft_face_create_referenced`, `hb_font_create` and
  /// `hb_buffer_create`.
  ///
  /// - Parameters:
  ///   - face: The face to read tables from.
  ///   - owner: The owner of the face, which is retained.
  ///   - pixelSize: The font size in pixels.
  /// - Throws: ``DisplayError`` if the system has no memory.
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

  /// Shapes a text from left to right, using `hb_shape`.
  ///
  /// No language is set, so that the result is the same on every machine.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - script: The ISO 15924 tag of the script.
  /// - Returns: The glyphs from left to right with the advance, or an empty line if the system has no memory.
  /// - Complexity: O(scalars), for scripts without complex rules.
  func shape(_ text: UnsafeBufferPointer<UInt8>, script: String) -> ShapedLine {
    hb_buffer_clear_contents(buffer)
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
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

/// A glyph of a shaped text, positioned in 64ths of a pixel relative to the start of the pen.
nonisolated struct ShapedGlyph: Sendable {
  /// The index of the glyph in the font.
  let glyph: UInt32
  /// The distance to the right.
  let x: Int
  /// The distance up from the baseline.
  let y: Int
}

/// The glyphs of a text from left to right, with the advance of the pen.
nonisolated struct ShapedLine {
  /// The glyphs.
  private(set) var glyphs: [ShapedGlyph] = []
  /// The advance of the pen in 64ths of a pixel.
  private(set) var advance = 0

  /// Creates an empty line.
  init() {}

  /// Creates a line of a shaped text.
  init(glyphs: [ShapedGlyph], advance: Int) {
    self.glyphs = glyphs
    self.advance = advance
  }

  /// The advance of the pen in pixels, rounded.
  var roundedAdvance: Int { (advance + 32) >> 6 }

  /// Removes the glyphs after the first ones, which have the given advance.
  mutating func truncate(to count: Int, advance: Int) {
    glyphs.removeLast(glyphs.count - count)
    self.advance = advance
  }

  /// Appends a shaped word.
  mutating func append(_ word: ShapedLine) {
    for glyph in word.glyphs { glyphs.append(ShapedGlyph(glyph: glyph.glyph, x: advance + glyph.x, y: glyph.y)) }
    advance += word.advance
  }

  /// Estimates how many characters remain of the line if it is truncated.
  ///
  /// Kerning with the ellipsis is not included.
  ///
  /// - Parameters:
  ///   - count: The number of characters of the line.
  ///   - width: The available width in pixels.
  ///   - ellipsis: The advance of an ellipsis in 64ths of a pixel.
  ///   - truncation: The part of the line that is removed.
  /// - Returns: The number, or nil if the characters do not correspond to glyphs.
  /// - Complexity: O(log n).
  func estimatedCount(of count: Int, width: Int, ellipsis: Int, _ truncation: LineBreakMode) -> Int? {
    guard glyphs.count == count else { return nil }
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      let tail = truncation.tailCount(of: middle)
      let rest = tail > 0 ? advance - glyphs[count - tail].x : 0
      if (glyphs[middle - tail].x + ellipsis + rest + 32) >> 6 <= width { low = middle } else { high = middle }
    }
    return low
  }
}
