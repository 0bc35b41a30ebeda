public import Geometry

/// Type without fonts: every character is a block of one width, the same on every machine.
///
/// For runs and tests whose figures must not depend on the installed fonts. Blocks differ in height by character, so
/// that different texts of one length are different bitmaps.
@MainActor
public final class BlockTextRasterizer: TextRasterizer {
  /// The number of lines painted so far.
  public private(set) var paintedLines = 0

  /// Makes a rasteriser.
  public init() {}

  /// Four fifths of the size above the baseline, one fifth below, lines six fifths apart.
  public func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics {
    let size = pixelSize(style, scale)
    let descent = size / 5
    return TextMetrics(ascent: size - descent, descent: descent, lineHeight: size + descent)
  }

  /// Half the size for each character, at least one pixel.
  public func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
    SanitizedText(text).string.unicodeScalars.count * advance(style, scale)
  }

  /// A block for each character but the space; nothing for an empty text, or where memory is out.
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

  private func pixelSize(_ style: TextStyle, _ scale: DisplayScale) -> Int {
    max(1, Int(scale.pixel(style.size)))
  }

  private func advance(_ style: TextStyle, _ scale: DisplayScale) -> Int { max(1, pixelSize(style, scale) / 2) }
}
