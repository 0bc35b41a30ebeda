import DataStructures
import Geometry
import Rendering

/// Painted lines of type: one bitmap a text and style, so that a label that comes back costs nothing.
final class LineCache {
  private struct Key: Hashable {
    var text: String
    var style: TextStyle
  }

  private struct WidthKey: Hashable {
    var text: String
    var style: TextStyle
    var limit: Int
    var truncation: Truncation
  }

  private let text: any TextRasterizer
  private var bitmaps: [Key: Bitmap] = [:]
  private var fitted: [WidthKey: String] = [:]
  private static let limit = 2_048

  init(text: any TextRasterizer) { self.text = text }

  /// The painted line; nothing for an empty text.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    let key = Key(text: text, style: style)
    if let bitmap = bitmaps[key] { return bitmap }
    guard let bitmap = self.text.bitmap(for: text, style: style, scale: scale) else { return nil }
    // Views keep what they show; forgetting all at once is rare and cheap to make good.
    if bitmaps.count >= LineCache.limit { bitmaps.removeAll(keepingCapacity: true) }
    bitmaps[key] = bitmap
    return bitmap
  }

  /// The text cut with an ellipsis so that it fits a width in pixels.
  func fit(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation) -> String {
    let key = WidthKey(text: text, style: style, limit: width, truncation: truncation)
    if let result = fitted[key] { return result }
    let result = truncation.fit(text, width: width) { self.text.width(of: $0, style: style, scale: scale) }
    if fitted.count >= LineCache.limit { fitted.removeAll(keepingCapacity: true) }
    fitted[key] = result
    return result
  }

  func removeAll() {
    bitmaps.removeAll()
    fitted.removeAll()
  }
}
