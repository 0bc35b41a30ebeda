public import Geometry

/// The port to type: measures and paints one line of text.
///
/// White on nothing, to be tinted when drawn.
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
  /// letters stand finds it sooner.
  /// - Complexity: O(log n) measurements of O(n) characters.
  func fit(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation) -> String

  /// Paints a line; as high as the style's ascent and descent. Nothing for an empty text, or where no font can be had.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap?
}

extension TextRasterizer {
  /// The longest shortening of a line that fits a width in pixels.
  public func fit(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation
  ) -> String {
    truncation.fit(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }
}
