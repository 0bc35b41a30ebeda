public import Geometry

/// The port to type: measures and paints one line of text.
///
/// White on nothing, to be tinted when drawn; lines that have their own colours, as emoji may, are not to be.
@MainActor
public protocol TextRasterizer: AnyObject {
  /// The vertical measures of a style.
  func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics

  /// The width of a line in pixels.
  /// - Complexity: O(characters).
  func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int

  /// The longest shortening of a line that fits a width in pixels, an ellipsis in place of what is gone.
  ///
  /// What ``Truncation/fit(_:width:measure:)`` finds by measuring, as it does unless implemented: whoever knows where
  /// letters stand finds it sooner. A line in colours of its own may lose its end without an ellipsis, and keep its colours.
  /// - Complexity: O(log n) measurements of O(n) characters.
  func truncatedText(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation)
    -> String

  /// Whether ``bitmap(for:style:scale:)`` paints a line in colours of its own, which no tint is to change.
  ///
  /// No line unless implemented. A line of emoji alone may be; one with letters too is painted in one colour.
  /// - Complexity: O(1) for most lines, else O(characters).
  func hasOwnColors(_ text: String) -> Bool

  /// Starts to paint a line on another thread, where it takes long, as of emoji that are unpacked first.
  ///
  /// Default: paints none so. Such a line is not painted by ``bitmap(for:style:scale:)``.
  ///
  /// - Parameter completion: called once, on any thread, with the line, or nil where it cannot be painted.
  /// - Returns: whether it was started; false where ``bitmap(for:style:scale:)`` paints the line at once.
  func startRendering(
    for text: String, style: TextStyle, scale: DisplayScale, completion: @escaping @Sendable (Bitmap?) -> Void
  ) -> Bool

  /// Paints a line at once.
  ///
  /// - Returns: the line, as high as the style's ascent and descent; nil for an empty text, where no font can be had, and for
  ///   lines that ``startBitmap(for:style:scale:completion:)`` paints.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap?

  /// Rasterises a letter ahead of the first line that has it; for those that keep letters.
  ///
  /// Does nothing unless implemented.
  func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale)
}

extension TextRasterizer {
  /// None has.
  public func hasOwnColors(_ text: String) -> Bool { false }

  /// No line is painted on another thread.
  public func startRendering(
    for text: String, style: TextStyle, scale: DisplayScale, completion: @escaping @Sendable (Bitmap?) -> Void
  ) -> Bool { false }

  /// Letters are not kept.
  public func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {}

  /// The longest shortening of a line that fits a width in pixels.
  public func truncatedText(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation
  ) -> String {
    truncation.truncatedText(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }
}
