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

  /// Paints a line; as high as the style's ascent and descent. Nothing for an empty text, or where no font can be had.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap?
}
