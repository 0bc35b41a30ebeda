import DataStructures
import Geometry
import Rendering

/// Painted lines of type: one bitmap a text and style, so that a label that comes back costs nothing.
///
/// The lines painted or asked for last, of two megabytes at least and four at most: two tables, and when the young one is
/// full it becomes the old one. Views keep what they show.
final class LineCache {
  // Not the main actor's, as keys are hashed by whoever may: that would be checked each time.
  private nonisolated struct Key: Hashable {
    var text: ExactText
    var style: TextStyle

    // Few texts are shown in two styles: the text alone finds its place.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private nonisolated struct WidthKey: Hashable {
    var text: ExactText
    var style: TextStyle
    var limit: Int
    var truncation: Truncation

    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(limit)
    }
  }

  /// Lines in the order in which they came.
  private struct Table {
    var bitmaps: [Key: Bitmap] = [:]
    var order: [Key] = []
    var bytes = 0
  }

  /// The bytes of bitmaps of which a table is full.
  static let mostBytes = 2 << 20

  private let text: any TextRasterizer
  private let textures: TextureResidency
  private var young = Table()
  private var old = Table()
  private var fitted: [WidthKey: String] = [:]
  private static let limit = 2_048

  init(text: any TextRasterizer, textures: TextureResidency) {
    self.text = text
    self.textures = textures
  }

  /// The painted line; nothing for an empty text.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    let key = Key(text: ExactText(text), style: style)
    if let bitmap = young.bitmaps[key] { return bitmap }
    guard let bitmap = old.bitmaps.removeValue(forKey: key) ?? self.text.bitmap(for: text, style: style, scale: scale)
    else { return nil }
    keep(bitmap, for: key)
    return bitmap
  }

  private func keep(_ bitmap: Bitmap, for key: Key) {
    if young.bytes >= LineCache.mostBytes {
      // Nobody will ask for these bitmaps again: who wants the line gets another one, and so another texture.
      for key in old.order { old.bitmaps[key].map(textures.giveUp) }
      swap(&old, &young)
      young.bitmaps.removeAll(keepingCapacity: true)
      young.order.removeAll(keepingCapacity: true)
      young.bytes = 0
    }
    young.bitmaps[key] = bitmap
    young.order.append(key)
    young.bytes += bitmap.byteCount
  }

  /// The text cut with an ellipsis so that it fits a width in pixels.
  func fit(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation) -> String {
    let key = WidthKey(text: ExactText(text), style: style, limit: width, truncation: truncation)
    if let result = fitted[key] { return result }
    let result = self.text.fit(text, style: style, scale: scale, width: width, truncation: truncation)
    if fitted.count >= LineCache.limit { fitted.removeAll(keepingCapacity: true) }
    fitted[key] = result
    return result
  }

  func removeAll() {
    young = Table()
    old = Table()
    fitted.removeAll()
  }
}
