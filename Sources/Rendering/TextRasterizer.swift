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

  /// Returns the width in pixels of a line whose parts have styles.
  ///
  /// By default, the sum of the widths of its runs.
  /// - Complexity: O(characters).
  func width(of text: StyledText, scale: DisplayScale) -> Int

  /// Returns the extents of the characters of a line whose parts have styles.
  ///
  /// By default, the characters are laid out from left to right, and measured.
  func geometry(of text: StyledText, scale: DisplayScale) -> LineGeometry

  /// Makes the font families of a file available to ``TextStyle/family``.
  ///
  /// - Parameter path: The path of an OpenType or TrueType file or collection.
  /// - Returns: Whether the file has fonts. Default: false.
  func registerFonts(atPath path: String) -> Bool

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

  /// Adds the widths of the runs.
  public func width(of text: StyledText, scale: DisplayScale) -> Int {
    text.runs.reduce(0) { $0 + width(of: text.slice($1.range).string, style: $1.style, scale: scale) }
  }

  /// Measures the beginnings of the line.
  public func geometry(of text: StyledText, scale: DisplayScale) -> LineGeometry {
    var (advances, end) = ([0], 0)
    for character in text.string {
      end += character.utf8.count
      advances.append(width(of: text.slice(0..<end), scale: scale))
    }
    return LineGeometry(advances: advances)
  }

  /// Always returns false.
  public func registerFonts(atPath path: String) -> Bool { false }

  /// Does nothing.
  public func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {}

  /// Finds the truncated line by measuring.
  public func truncatedText(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode
  ) -> String {
    truncation.truncatedText(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }
}
