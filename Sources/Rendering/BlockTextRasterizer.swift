public import VitrineGeometry

/// A text rasteriser without fonts that paints each character as a block of the same width, identical on every machine.
///
/// It is for tests and measurements whose results must not depend on the installed fonts. The height of a block depends
/// on its character, so that different texts of the same length have different bitmaps.
@MainActor
public final class BlockTextRasterizer: TextRasterizer {
  /// The number of lines painted.
  public private(set) var paintedLines = 0

  /// Creates a rasteriser.
  public init() {}

  /// Returns an ascent of 4/5, a descent of 1/5 and a line height of 6/5 of the size.
  public func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics {
    let size = pixelSize(style, scale)
    let descent = size / 5
    return TextMetrics(ascent: size - descent, descent: descent, lineHeight: size + descent)
  }

  /// Returns half the size for each character, at least one pixel.
  public func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
    SanitizedText(text).string.unicodeScalars.count * advance(style, scale)
  }

  /// Paints a block for each character except spaces.
  ///
  /// Returns nil for an empty text or if the system has no memory.
  public func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    let scalars = Array(SanitizedText(text).string.unicodeScalars)
    let advance = advance(style, scale)
    let metrics = metrics(style, scale: scale)
    guard let size = PixelSize(width: scalars.count * advance, height: metrics.ascent + metrics.descent) else {
      return nil
    }
    paintedLines += 1
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      let blank = Color.white.opacity(0).packed
      let ink = Color.white.packed
      for row in 0..<size.height {
        for (index, scalar) in scalars.enumerated() {
          let top = Int(scalar.value % 7) * metrics.ascent / 14
          let isInked = scalar != " " && row >= top && row < metrics.ascent
          for column in 0..<advance {
            let isGap = advance > 1 && column == advance - 1
            words[row * size.width + index * advance + column] = isInked && !isGap ? ink : blank
          }
        }
      }
    }
  }

  /// Paints a line whose parts have styles, before returning.
  ///
  /// - Returns: False for a line in one style, which is painted by ``bitmap(for:style:scale:)``.
  public func startRendering(
    of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void
  ) -> Bool {
    guard let text = request.styledText else { return false }
    let scale = request.scale
    let line = text.singleLine.truncated(to: request.maximumWidth, request.truncation) { width(of: $0, scale: scale) }
    let metrics = metrics(of: line, request.style, scale: scale)
    var components = StyledLineComponents(ascent: metrics.ascent, descent: metrics.descent)
    var x = 0
    for run in line.runs {
      let advance = advance(run.style, scale)
      let start = x
      for scalar in line.slice(run.range).string.unicodeScalars {
        let top = self.metrics(run.style, scale: scale).ascent * (14 - Int(scalar.value % 7)) / 14
        if scalar != " " {
          components.append(
            StyledLineComponents.Glyph(
              columns: x..<x + max(1, advance - 1), rows: -top..<0, coverage: nil, color: run.foregroundColor))
        }
        x += advance
      }
      components.appendLines(of: run, columns: start..<x, pixelSize: pixelSize(run.style, scale))
    }
    paintedLines += 1
    completion(components.render(width: x, isRightToLeft: line.direction == .rightToLeft))
    return true
  }

  private func pixelSize(_ style: TextStyle, _ scale: DisplayScale) -> Int {
    max(1, Int(scale.pixel(style.size)))
  }

  private func advance(_ style: TextStyle, _ scale: DisplayScale) -> Int { max(1, pixelSize(style, scale) / 2) }
}
