public import VitrineGeometry

/// The interface to text: measures and paints single lines.
///
/// Lines that one font displays from left to right are painted immediately, white on transparent, and tinted when drawn.
/// All other lines are laid out and painted on another thread, and may contain glyphs with their own colours.
@MainActor
public protocol TextRasterizer: AnyObject {
  /// Returns the vertical metrics of a style.
  func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics

  /// Returns the width of a line in pixels.
  /// - Complexity: O(characters).
  func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int

  /// Returns a line truncated to a width in pixels, with an ellipsis in place of the removed characters.
  ///
  /// By default, ``LineBreakMode/truncatedText(_:width:measure:)`` finds the result by measuring. An implementation that
  /// knows the positions of glyphs is faster. A line that needs layout is truncated when it is laid out.
  /// - Complexity: O(log n) measurements of O(n) characters.
  func truncatedText(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode)
    -> String

  /// Whether a line needs several fonts, several directions or colours, so that it is laid out and painted on another
  /// thread.
  ///
  /// By default, no line is.
  /// - Complexity: O(characters).
  func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool

  /// Starts to lay out and paint a line on another thread.
  ///
  /// - Parameters:
  ///   - request: The line, for which ``needsLayout(_:style:scale:)`` is true.
  ///   - completion: Called once, on any thread, with the line, or with nil if it cannot be painted.
  /// - Returns: Whether painting was started. Default: false.
  func startRendering(of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void) -> Bool

  /// Paints a line immediately.
  ///
  /// - Returns: The line, with the height of the style's ascent and descent. Nil for an empty text, if there is no
  ///   font, and for lines with glyphs in their own colours, whose images are only decoded on another thread.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap?

  /// Returns the extents of the characters of a line, for carets and selections.
  ///
  /// By default, the characters are laid out from left to right, and measured.
  /// - Complexity: O(n) measurements of O(n) characters.
  func geometry(of text: String, style: TextStyle, scale: DisplayScale) -> LineGeometry

  /// Returns the offsets in bytes at which a text may be broken into lines, in ascending order, with the end of the text.
  ///
  /// By default after spaces, and between East Asian characters. An implementation may know the words of scripts without
  /// spaces, such as Thai.
  ///
  /// - Parameter text: A text without line breaks.
  /// - Complexity: O(characters).
  func lineBreakOffsets(in text: String) -> [Int]

  /// Rasterises a letter before the first line that contains it.
  ///
  /// For rasterisers that cache glyphs.
  ///
  /// Does nothing by default.
  func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale)
}

extension TextRasterizer {
  /// Always returns false.
  public func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool { false }

  /// Always returns false.
  public func startRendering(
    of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void
  ) -> Bool { false }

  /// Returns the offsets after spaces and between East Asian characters.
  public func lineBreakOffsets(in text: String) -> [Int] { LineBreakRules.offsets(in: text) }

  /// Measures the beginnings of the line.
  public func geometry(of text: String, style: TextStyle, scale: DisplayScale) -> LineGeometry {
    LineGeometry(
      advances: [0] + text.indices.map { width(of: String(text[...$0]), style: style, scale: scale) })
  }

  /// Does nothing.
  public func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {}

  /// Finds the truncated line by measuring.
  public func truncatedText(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode
  ) -> String {
    truncation.truncatedText(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }
}

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

  private func pixelSize(_ style: TextStyle, _ scale: DisplayScale) -> Int {
    max(1, Int(scale.pixel(style.size)))
  }

  private func advance(_ style: TextStyle, _ scale: DisplayScale) -> Int { max(1, pixelSize(style, scale) / 2) }
}
