public import VitrineGeometry
public import VitrineRendering

/// A table of rendered glyphs in one style, for figures that change in every frame: drawing a line renders and
/// allocates nothing.
///
/// Contains printable ASCII; other characters are drawn as spaces.
@MainActor  // Explicit, because other modules that see the isolated deinit do not know this module's default isolation.
public final class GlyphTable {
  private struct Glyph {
    var bitmap: Bitmap?
    var texture: TextureID
    var advance: Double
  }

  /// The style of the glyphs.
  public let style: TextStyle
  private var glyphs: [Glyph] = []
  private var leases: [TextureLease] = []
  private var generation = -1
  /// The height of a line, ascent plus descent, in points.
  public private(set) var height = 0.0

  /// Creates a table; glyphs are rendered when first drawn.
  public init(style: TextStyle) { self.style = style }

  /// Draws a line with its top-left corner at a point.
  ///
  /// - Returns: The width of the line in points.
  @discardableResult
  public func draw(_ line: GlyphLine, at corner: Point, color: Color, in context: DrawContext) -> Double {
    draw(line, in: 0..<line.count, at: corner, color: color, in: context)
  }

  /// Draws a range of a line with its top-left corner at a point.
  ///
  /// - Returns: The width of the range in points.
  /// - Precondition: The range is within the line.
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

  /// Returns the width of a line in points.
  public func width(of line: GlyphLine, in resources: RenderResources) -> Double {
    paintGlyphsIfNeeded(resources)
    var width = 0.0
    for index in 0..<line.count { width += glyphs[GlyphTable.glyphIndex(of: line[index])].advance }
    return width
  }

  /// Returns the advance of a letter in points.
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

  /// Returns the advance of a letter in points without rounding to pixels: the mean over many repetitions.
  ///
  /// A space is measured between letters, because it has no width at the end of a text.
  private func advance(of text: String, in resources: RenderResources) -> Double {
    let repeats = 16
    let isSpace = text == " "
    let line = String(repeating: text, count: repeats)
    let width = { (line: String) in resources.text.width(of: line, style: self.style, scale: resources.scale) }
    let pixels = isSpace ? width("n" + line + "n") - width("nn") : width(line)
    return Double(pixels) / Double(repeats) / resources.scale.pixelsPerPoint
  }
}

// MARK: - Glyph line

/// A line of ASCII letters in preallocated memory, to which numbers are written without creating strings.
@MainActor
public final class GlyphLine {
  private var letters: [UInt8]
  /// The number of letters.
  public private(set) var count = 0

  /// Creates an empty line with a maximum number of letters; further ones are dropped.
  public init(capacity: Int = 160) { letters = [UInt8](repeating: 0, count: max(1, capacity)) }

  /// The letter at an index.
  ///
  /// - Precondition: The index is less than ``count``.
  public subscript(index: Int) -> UInt8 { letters[index] }

  /// Removes the letters from an index onward.
  public func truncate(to length: Int) { count = min(count, max(0, length)) }

  /// Removes all letters.
  public func removeAll() { count = 0 }

  /// Appends a text, dropping non-ASCII characters.
  @discardableResult
  public func write(_ text: StaticString) -> GlyphLine {
    text.withUTF8Buffer { for letter in $0 where letter < 127 { appendLetter(letter) } }
    return self
  }

  /// Appends a string, dropping non-ASCII characters.
  @discardableResult
  public func write(text: String) -> GlyphLine {
    for letter in text.utf8 where letter < 127 { appendLetter(letter) }
    return self
  }

  /// Appends an integer, grouped by three digits from 10,000.
  @discardableResult
  public func write(_ number: Int) -> GlyphLine {
    if number < 0 { appendLetter(0x2D) }
    writeDigits(number.magnitude, isGrouped: number.magnitude >= 10_000)
    return self
  }

  /// Appends a number with up to three decimals.
  @discardableResult
  public func write(_ number: Double, decimals: Int) -> GlyphLine {
    guard number.isFinite, abs(number) < 1e15 else { return write("--") }
    let factor: Double = decimals == 0 ? 1 : decimals == 1 ? 10 : decimals == 2 ? 100 : 1_000
    let scaled = (abs(number) * factor).rounded()
    if number < 0, scaled > 0 { appendLetter(0x2D) }
    let whole = UInt(scaled / factor)
    writeDigits(whole, isGrouped: whole >= 10_000)
    guard decimals > 0 else { return self }
    appendLetter(0x2E)
    var rest = UInt(scaled) - whole * UInt(factor)
    var divisor = UInt(factor) / 10
    while divisor > 0 {
      appendLetter(UInt8(0x30 + rest / divisor))
      rest %= divisor
      divisor /= 10
    }
    return self
  }

  private func writeDigits(_ number: UInt, isGrouped: Bool) {
    var divisor: UInt = 1
    var digits = 1
    while number / divisor >= 10 {
      divisor *= 10
      digits += 1
    }
    var rest = number
    while divisor > 0 {
      appendLetter(UInt8(0x30 + rest / divisor))
      rest %= divisor
      divisor /= 10
      digits -= 1
      if isGrouped, digits > 0, digits % 3 == 0 { appendLetter(0x2C) }
    }
  }

  private func appendLetter(_ letter: UInt8) {
    guard count < letters.count else { return }
    letters[count] = letter
    count += 1
  }
}
