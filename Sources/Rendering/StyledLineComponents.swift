package import VitrineGeometry

/// The glyphs, backgrounds and lines of a line of text whose parts have colors, in pixels, from which its bitmap is painted.
///
/// Parts without a color are in the mask, which is tinted when the line is drawn. All others are in the layer of colors
/// below it.
package struct StyledLineComponents {
  /// A glyph.
  package struct Glyph {
    /// The columns.
    package var columns: Range<Int>
    /// The rows, from the baseline down.
    package var rows: Range<Int>
    /// The coverage of each pixel in rows, or nil for an opaque rectangle.
    package var coverage: [UInt8]?
    /// The color, or nil for that of the line.
    package var color: Color?

    /// Creates a glyph.
    package init(columns: Range<Int>, rows: Range<Int>, coverage: [UInt8]?, color: Color?) {
      self.columns = columns
      self.rows = rows
      self.coverage = coverage
      self.color = color
    }
  }

  /// An image of a glyph in its own colors.
  package struct Image {
    /// The first column.
    package var x: Int
    /// The first row, from the baseline down.
    package var y: Int
    /// The size in pixels.
    package var size: PixelSize
    /// Calls a closure with each pixel that is not transparent.
    package var forEachPixel: ((_ x: Int, _ y: Int, _ color: Color) -> Void) -> Void

    /// Creates an image.
    package init(
      x: Int, y: Int, size: PixelSize, forEachPixel: @escaping ((_ x: Int, _ y: Int, _ color: Color) -> Void) -> Void
    ) {
      self.x = x
      self.y = y
      self.size = size
      self.forEachPixel = forEachPixel
    }
  }

  private let ascent: Int
  private let descent: Int
  private var backgrounds: [Glyph] = []
  private var glyphs: [Glyph] = []
  private var images: [Image] = []
  private var lines: [Glyph] = []

  /// Creates the components of an empty line.
  ///
  /// - Parameters:
  ///   - ascent: The distance from the top of the line to its baseline, in pixels.
  ///   - descent: The distance from the baseline to the bottom.
  package init(ascent: Int, descent: Int) {
    self.ascent = ascent
    self.descent = descent
  }

  /// Appends a glyph.
  package mutating func append(_ glyph: Glyph) { glyphs.append(glyph) }

  /// Appends an image.
  package mutating func append(_ image: Image) { images.append(image) }

  /// Appends the background of a part of the line, and the lines under and through it.
  package mutating func appendLines(of run: StyledText.Run, columns: Range<Int>, pixelSize: Int) {
    guard !columns.isEmpty else { return }
    if let color = run.backgroundColor {
      backgrounds.append(Glyph(columns: columns, rows: -ascent..<descent, coverage: nil, color: color))
    }
    let positions = TextLinePositions(pixelSize: pixelSize)
    for (style, rows) in [
      (run.underlineStyle, positions.underline), (run.strikethroughStyle, positions.strikethrough),
    ] {
      guard let style else { continue }
      lines.append(Glyph(columns: columns, rows: rows, coverage: nil, color: style.color ?? run.foregroundColor))
    }
  }

  /// Paints the line.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - left: The column of the left edge. Default: 0.
  ///   - isRightToLeft: Whether the base direction is from right to left.
  /// - Returns: Nil if the line has no width, or if the system has no memory.
  /// - Complexity: O(pixels).
  package func render(width: Int, left: Int = 0, isRightToLeft: Bool) -> RenderedLine? {
    guard let size = PixelSize(width: width, height: ascent + descent) else { return nil }
    let inked = glyphs + lines
    let hasColors = !backgrounds.isEmpty || !images.isEmpty || inked.contains { $0.color != nil }
    let hasMask = inked.contains { $0.color == nil }
    let layers: RenderedLine.Layers = !hasColors ? .mask : hasMask ? .maskOverColors : .colors
    guard let whole = PixelSize(width: width, height: layers == .maskOverColors ? 2 * size.height : size.height) else {
      return nil
    }
    let bitmap = try? Bitmap(size: whole, isOpaque: false) { memory in
      let length = size.width * size.height * 4
      if layers != .colors {
        let mask = LayerPixels(UnsafeMutableRawBufferPointer(rebasing: memory[..<length]), size, .white.opacity(0))
        for glyph in inked where glyph.color == nil { mask.paint(glyph, .white, left: left, baseline: ascent) }
      }
      guard layers != .mask else { return }
      let colors = LayerPixels(
        UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - length)...]), size, .clear)
      for glyph in backgrounds + glyphs + lines {
        if let color = glyph.color { colors.paint(glyph, color, left: left, baseline: ascent) }
      }
      for image in images {
        image.forEachPixel { x, y, color in colors.blend(color, image.x + x - left, image.y + y + ascent) }
      }
    }
    return bitmap.map { RenderedLine(bitmap: $0, layers: layers, isRightToLeft: isRightToLeft) }
  }
}

/// The pixels of a layer of a line, with straight alpha.
private struct LayerPixels {
  private let pixels: UnsafeMutableBufferPointer<UInt32>
  private let size: PixelSize

  init(_ memory: UnsafeMutableRawBufferPointer, _ size: PixelSize, _ color: Color) {
    pixels = memory.bindMemory(to: UInt32.self)
    self.size = size
    pixels.update(repeating: color.packed.littleEndian)
  }

  /// Paints a glyph in a color, clipped to the layer.
  func paint(_ glyph: StyledLineComponents.Glyph, _ color: Color, left: Int, baseline: Int) {
    let width = glyph.columns.count
    for row in glyph.rows {
      for column in glyph.columns {
        var color = color
        if let coverage = glyph.coverage {
          let index = (row - glyph.rows.lowerBound) * width + column - glyph.columns.lowerBound
          color.alpha = UInt8((Int(color.alpha) * Int(coverage[index]) + 127) / 255)
        }
        blend(color, column - left, row + baseline)
      }
    }
  }

  /// Blends a color over a pixel, if it is within the layer.
  func blend(_ color: Color, _ x: Int, _ y: Int) {
    guard color.alpha > 0, (0..<size.width).contains(x), (0..<size.height).contains(y) else { return }
    let index = y * size.width + x
    let below = Color(packed: UInt32(littleEndian: pixels[index]))
    pixels[index] = color.blended(over: below).packed.littleEndian
  }
}

extension Color {
  /// Returns the color over another one, both with straight alpha.
  fileprivate func blended(over below: Color) -> Color {
    if alpha == 255 || below.alpha == 0 { return self }
    // The parts of both colors, in 255ths of 255ths.
    let (own, other) = (255 * Int(alpha), Int(below.alpha) * (255 - Int(alpha)))
    let sum = own + other
    func mixed(_ one: UInt8, _ two: UInt8) -> UInt8 { UInt8((Int(one) * own + Int(two) * other + sum / 2) / sum) }
    return Color(
      red: mixed(red, below.red), green: mixed(green, below.green), blue: mixed(blue, below.blue),
      alpha: UInt8((sum + 127) / 255))
  }
}
