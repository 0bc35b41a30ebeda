import DataStructures
import Geometry
import Rendering

/// Which letters are to be painted ahead of the first line that needs them: all of printable ASCII, in each style that enough
/// lines were painted in.
///
/// Names of photographs are made of the same few letters. Painting one for the first time takes as long as the rest of its
/// line, so that the first screens of a motion would take longest.
nonisolated struct GlyphPrefetchQueue {
  private struct Entry {
    let style: TextStyle
    var lines = 1
    /// The next letter, by its ASCII code.
    var next = UInt8(ascii: "!")
  }

  /// In how many lines a style must have been seen: a title's letters are not needed again.
  static let minimumLines = 8
  /// How many styles are looked at; where there are more, the one with the fewest lines gives way.
  static let maximumStyles = 8

  private var entries: [Entry] = []

  /// A line was painted in a style.
  ///
  /// - Complexity: O(styles), of which there are few.
  mutating func recordStyle(_ style: TextStyle) {
    if let place = entries.firstIndex(where: { $0.style == style }) {
      entries[place].lines += 1
    } else if entries.count < GlyphPrefetchQueue.maximumStyles {
      entries.append(Entry(style: style))
    } else if let rarest = entries.indices.min(by: { entries[$0].lines < entries[$1].lines }),
      entries[rarest].lines < GlyphPrefetchQueue.minimumLines
    {
      entries[rarest] = Entry(style: style)
    }
  }

  /// The next letter and its style; nil where all are painted.
  mutating func nextGlyph() -> (letter: Unicode.Scalar, style: TextStyle)? {
    guard
      let place = entries.firstIndex(where: {
        $0.lines >= GlyphPrefetchQueue.minimumLines && $0.next <= UInt8(ascii: "~")
      })
    else { return nil }
    defer { entries[place].next += 1 }
    return (Unicode.Scalar(entries[place].next), entries[place].style)
  }
}

/// Painted lines of type: one bitmap a text and style, so that a label that comes back costs nothing.
///
/// A cache of the lines painted or asked for last, three megabytes at most.
///
/// An insertion evicts one or two lines: evicting many at once would make that frame late. Views keep what they show.
final class LineCache {
  // Not isolated to the main actor: hashing would check the actor at each look-up.
  private nonisolated struct Key: Hashable {
    var text: BytewiseText
    var style: TextStyle

    // Few texts are shown in two styles: the text alone finds its place.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private nonisolated struct WidthKey: Hashable {
    var text: BytewiseText
    var style: TextStyle
    var limit: Int
    var truncation: Truncation

    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(limit)
    }
  }

  /// The bytes of bitmaps that are kept at most.
  static let maximumBytes = 3 << 20
  /// How many texts' shortenings are kept at most.
  private static let maximumTruncatedTexts = 2_048

  private let text: any TextRasterizer
  private let textures: TextureCache
  /// What another thread paints.
  let backgroundLines = BackgroundLineLoader()
  /// The numbers of lines that are awaited.
  private var awaited: [Key: UInt64] = [:]
  /// Lines that have come and are too large to be kept, until they are drawn.
  private var oversizedLines: [Key: Bitmap] = [:]
  private static let maximumOversizedLines = 4
  private var lines = LRUCache<Key, Bitmap>(costLimit: LineCache.maximumBytes)
  private var truncatedTexts = LRUCache<WidthKey, String>(costLimit: LineCache.maximumTruncatedTexts)
  private var glyphPrefetches = GlyphPrefetchQueue()

  init(text: any TextRasterizer, textures: TextureCache) {
    self.text = text
    self.textures = textures
  }

  /// Returns the painted line; nil for an empty text, and for a line that another thread has yet to paint.
  ///
  /// - Parameter label: drawn again when another thread has painted the line; nil where the line is only made ahead.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale, label: Label?) -> Bitmap? {
    let key = Key(text: BytewiseText(text), style: style)
    if let bitmap = lines.value(for: key) { return bitmap }
    if !oversizedLines.isEmpty, let bitmap = oversizedLines.removeValue(forKey: key) { return bitmap }
    if isAwaited(key, text, scale, label) { return nil }
    guard let bitmap = self.text.bitmap(for: text, style: style, scale: scale) else { return nil }
    glyphPrefetches.recordStyle(style)
    insertLine(bitmap, for: key)
    return bitmap
  }

  /// Whether another thread paints a line, which is asked for where it was not.
  private func isAwaited(_ key: Key, _ text: String, _ scale: DisplayScale, _ label: Label?) -> Bool {
    if !awaited.isEmpty, let number = awaited[key] {
      if let label { backgroundLines.addLabel(label, to: number) }
      return true
    }
    // Lines of one colour are painted at once.
    guard self.text.hasOwnColors(text) else { return false }
    let number = backgroundLines.requestLine(for: text, label: label) { completion in
      self.text.startRendering(for: text, style: key.style, scale: scale, completion: completion)
    } finish: { [weak self] bitmap in
      self?.awaited[key] = nil
      if let bitmap { self?.storeLine(bitmap, for: key) }
    }
    awaited[key] = number
    return number != nil
  }

  /// Keeps an awaited line; one that is too large to be kept only for the label that is drawn next.
  private func storeLine(_ bitmap: Bitmap, for key: Key) {
    guard bitmap.byteCount > LineCache.maximumBytes else { return insertLine(bitmap, for: key) }
    if oversizedLines.count >= LineCache.maximumOversizedLines { oversizedLines.removeAll() }
    oversizedLines[key] = bitmap
  }

  private func insertLine(_ bitmap: Bitmap, for key: Key) {
    for (_, former) in lines.insert(bitmap, for: key, cost: bitmap.byteCount) {
      // No view asks for this bitmap again: the next one that shows the line gets another, and so another texture.
      textures.evictTexture(of: former)
    }
  }

  /// Has a letter painted that lines will need.
  ///
  /// - Returns: whether there was one.
  func prepareGlyph(scale: DisplayScale) -> Bool {
    guard let (letter, style) = glyphPrefetches.nextGlyph() else { return false }
    text.prepareGlyph(letter, style: style, scale: scale)
    return true
  }

  /// The text cut with an ellipsis so that it fits a width in pixels.
  func truncatedText(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation)
    -> String
  {
    let key = WidthKey(text: BytewiseText(text), style: style, limit: width, truncation: truncation)
    if let result = truncatedTexts.value(for: key) { return result }
    let result = self.text.truncatedText(text, style: style, scale: scale, width: width, truncation: truncation)
    truncatedTexts.insert(result, for: key, cost: 1)
    return result
  }

  /// Forgets every line.
  func removeAll() {
    lines.removeAll()
    truncatedTexts.removeAll()
  }

  /// Forgets every line, and which letters were rasterised: they are to have another size.
  func scaleDidChange() {
    glyphPrefetches = GlyphPrefetchQueue()
    backgroundLines.removeAll()
    awaited.removeAll()
    oversizedLines.removeAll()
    removeAll()
  }
}
