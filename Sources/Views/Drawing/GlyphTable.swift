public import Geometry
public import Rendering

/// Painted letters of one style, for figures that change in every frame: drawing a line of them paints nothing anew and
/// allocates nothing.
///
/// Printable ASCII and a few signs; anything else is drawn as a space.
@MainActor  // Said aloud: an isolated deinit that other modules see does not know this module's default.
public final class GlyphTable {
  private struct Glyph {
    var bitmap: Bitmap?
    var texture: TextureID
    var advance: Double
  }

  /// The style of the letters.
  public let style: TextStyle
  private var glyphs: [Glyph] = []
  private var leases: [TextureLease] = []
  private var generation = -1
  /// From the top of the tallest letter to the foot of the deepest, in points.
  public private(set) var height = 0.0

  /// Makes a table; letters are painted when first drawn.
  public init(style: TextStyle) { self.style = style }

  /// Draws a line with its top left corner at a point.
  ///
  /// - Returns: its width in points.
  @discardableResult
  public func draw(_ line: GlyphLine, at corner: Point, color: Color, in context: DrawContext) -> Double {
    draw(line, in: 0..<line.count, at: corner, color: color, in: context)
  }

  /// Draws a part of a line with its top left corner at a point.
  ///
  /// - Returns: its width in points.
  /// - Precondition: the range lies within the line.
  @discardableResult
  public func draw(
    _ line: GlyphLine, in range: Range<Int>, at corner: Point, color: Color, in context: DrawContext
  ) -> Double {
    paintGlyphsIfNeeded(context.resources)
    var x = corner.x
    for index in range {
      let glyph = glyphs[GlyphTable.glyphIndex(of: line[index])]
      if let bitmap = glyph.bitmap {
        context.draw(
          glyph.texture, size: bitmap.size, at: Point(x: x, y: corner.y), isOpaque: false, tint: color)
      }
      x += glyph.advance
    }
    return x - corner.x
  }

  /// The width of a line in points.
  public func width(of line: GlyphLine, in resources: RenderResources) -> Double {
    paintGlyphsIfNeeded(resources)
    var width = 0.0
    for index in 0..<line.count { width += glyphs[GlyphTable.glyphIndex(of: line[index])].advance }
    return width
  }

  /// How far a letter moves the pen, in points.
  public func advance(of letter: UInt8, in resources: RenderResources) -> Double {
    paintGlyphsIfNeeded(resources)
    return glyphs[GlyphTable.glyphIndex(of: letter)].advance
  }

  isolated deinit { releaseLeases() }

  private func releaseLeases() {
    for index in leases.indices { leases[index].release() }
    leases.removeAll()
  }

  private static func glyphIndex(of letter: UInt8) -> Int { (33...126).contains(letter) ? Int(letter) - 32 : 0 }

  private func paintGlyphsIfNeeded(_ resources: RenderResources) {
    guard generation != resources.generation else { return }
    generation = resources.generation
    let scale = resources.scale
    glyphs.removeAll()
    releaseLeases()
    let metrics = resources.text.metrics(style, scale: scale)
    height = scale.length(ofPixels: Int32(metrics.ascent + metrics.descent))
    for letter in UInt8(32)...126 {
      let text = String(UnicodeScalar(letter))
      let advance = advance(of: text, in: resources)
      var glyph = Glyph(bitmap: nil, texture: .none, advance: advance)
      if letter > 32, let bitmap = resources.text.bitmap(for: text, style: style, scale: scale) {
        var lease = TextureLease()
        lease.replace(with: bitmap)
        if let texture = lease.texture(in: resources, createsIfNeeded: true) {
          glyph = Glyph(bitmap: bitmap, texture: texture, advance: advance)
          leases.append(lease)
        }
      }
      glyphs.append(glyph)
    }
  }

  /// How far a letter moves the pen, in points and not rounded to a pixel: the average over many of it.
  ///
  /// A space is measured between letters, as one at an end has no width of its own.
  private func advance(of text: String, in resources: RenderResources) -> Double {
    let repeats = 16
    let isSpace = text == " "
    let line = String(repeating: text, count: repeats)
    let width = { (line: String) in resources.text.width(of: line, style: self.style, scale: resources.scale) }
    let pixels = isSpace ? width("n" + line + "n") - width("nn") : width(line)
    return Double(pixels) / Double(repeats) / resources.scale.pixelsPerPoint
  }
}
