import VitrineDataStructures
import VitrineGeometry
import VitrineRendering

/// A cache of rendered lines, one bitmap per text and style, for the least recently used up to three megabytes, and up to
/// as much of lines that another thread lays out.
///
/// An insertion evicts one or two lines: evicting many at a time would make that frame late. Views retain the lines
/// that they display.
final class LineCache {
  // Not isolated to the main actor: hashing would check the actor on each lookup.
  private nonisolated struct Key: Hashable {
    var text: BytewiseText
    /// What distinguishes styles of simple fonts: copying whole styles would cost as much as the rest of a look-up.
    private let size: Double
    private let weight: TextStyle.Weight
    private let hasMonospacedDigits: Bool

    /// Creates the key of a line in a simple font.
    init(_ text: String, _ style: TextStyle) {
      self.text = BytewiseText(text)
      (size, weight, hasMonospacedDigits) = (style.size, style.weight, style.hasMonospacedDigits)
    }

    // Few texts occur in two styles, so hashing the text suffices.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private nonisolated struct WidthKey: Hashable {
    var text: BytewiseText
    var style: TextStyle
    var limit: Int
    var truncation: LineBreakMode

    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(limit)
    }
  }

  private nonisolated struct LayoutKey: Hashable {
    var line: WidthKey
    var styledText: StyledText?

    func hash(into hasher: inout Hasher) { line.hash(into: &hasher) }

    init(_ request: LineRequest) {
      line = WidthKey(
        text: BytewiseText(request.text), style: request.style, limit: request.maximumWidth,
        truncation: request.truncation)
      styledText = request.styledText
    }
  }

  /// The maximum total size of cached bitmaps, in bytes.
  static let maximumBytes = 3 << 20
  /// The maximum number of cached truncated texts.
  private static let maximumTruncatedTexts = 2_048

  private let text: any TextRasterizer
  private let textures: TextureCache
  /// The lines that another thread renders.
  let backgroundLines = BackgroundLineLoader()
  /// The request numbers of pending lines.
  private var pendingNumbers: [LayoutKey: UInt64] = [:]
  /// The finished lines that are too large for the cache, until they are drawn.
  private var oversizedLines: [LayoutKey: RenderedLine] = [:]
  private static let maximumOversizedLines = 4
  /// The lines from another thread, each truncated to a width.
  private var layoutLines = LRUCache<LayoutKey, RenderedLine>(costLimit: LineCache.maximumBytes)
  private var lines = LRUCache<Key, Bitmap>(costLimit: LineCache.maximumBytes)
  /// The lines in styles of other fonts, such as italic ones.
  private var otherLines = LRUCache<WidthKey, Bitmap>(costLimit: LineCache.maximumBytes)
  private var truncatedTexts = LRUCache<WidthKey, String>(costLimit: LineCache.maximumTruncatedTexts)
  private var glyphPrefetches = GlyphPrefetchQueue()

  init(text: any TextRasterizer, textures: TextureCache) {
    self.text = text
    self.textures = textures
  }

  /// Returns a line of a single font, or nil for an empty text.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    if style.needsOtherFont { return otherBitmap(for: text, style: style, scale: scale) }
    let key = Key(text, style)
    if let bitmap = lines.value(for: key) { return bitmap }
    guard let bitmap = self.text.bitmap(for: text, style: style, scale: scale) else { return nil }
    glyphPrefetches.recordStyle(style)
    insertLine(bitmap, for: key)
    return bitmap
  }

  private func otherBitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    let key = WidthKey(text: BytewiseText(text), style: style, limit: 0, truncation: .byTruncatingTail)
    if let bitmap = otherLines.value(for: key) { return bitmap }
    guard let bitmap = self.text.bitmap(for: text, style: style, scale: scale) else { return nil }
    for (_, evicted) in otherLines.insert(bitmap, for: key, cost: bitmap.byteCount) {
      textures.evictTexture(of: evicted)
    }
    return bitmap
  }

  /// Returns a line that another thread lays out and renders, or nil if it has not finished.
  ///
  /// - Parameters:
  ///   - request: The line.
  ///   - label: The label to redraw when the line is finished, or nil for a line rendered ahead.
  func line(for request: LineRequest, label: Label?) -> RenderedLine? {
    let key = LayoutKey(request)
    if let line = layoutLines.value(for: key) { return line }
    if let line = oversizedLines.removeValue(forKey: key) { return line }
    if let number = pendingNumbers[key] {
      if let label { backgroundLines.addLabel(label, to: number) }
      return nil
    }
    pendingNumbers[key] = backgroundLines.requestLine(for: request.text, label: label) { completion in
      self.text.startRendering(of: request, completion: completion)
    } finish: { [weak self] line in
      self?.pendingNumbers[key] = nil
      if let line { self?.storeLine(line, for: key) }
    }
    return nil
  }

  /// Stores a finished line; one that is too large for the cache is stored only until it is drawn.
  private func storeLine(_ line: RenderedLine, for key: LayoutKey) {
    guard line.bitmap.byteCount > LineCache.maximumBytes else {
      for (_, evicted) in layoutLines.insert(line, for: key, cost: line.bitmap.byteCount) {
        textures.evictTexture(of: evicted.bitmap)
      }
      return
    }
    if oversizedLines.count >= LineCache.maximumOversizedLines { oversizedLines.removeAll() }
    oversizedLines[key] = line
  }

  private func insertLine(_ bitmap: Bitmap, for key: Key) {
    for (_, evicted) in lines.insert(bitmap, for: key, cost: bitmap.byteCount) {
      // No view requests this bitmap again: the next one that displays the line gets another bitmap and texture.
      textures.evictTexture(of: evicted)
    }
  }

  /// Renders a letter that lines will need.
  ///
  /// - Returns: Whether there was one.
  func prepareGlyph(scale: DisplayScale) -> Bool {
    guard let (letter, style) = glyphPrefetches.nextGlyph() else { return false }
    text.prepareGlyph(letter, style: style, scale: scale)
    return true
  }

  /// Returns the text truncated with an ellipsis to a width in pixels.
  func truncatedText(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode)
    -> String
  {
    let key = WidthKey(text: BytewiseText(text), style: style, limit: width, truncation: truncation)
    if let result = truncatedTexts.value(for: key) { return result }
    let result = self.text.truncatedText(text, style: style, scale: scale, width: width, truncation: truncation)
    truncatedTexts.insert(result, for: key, cost: 1)
    return result
  }

  /// Removes all lines and truncated texts.
  func removeAll() {
    lines.removeAll()
    otherLines.removeAll()
    layoutLines.removeAll()
    truncatedTexts.removeAll()
  }

  /// Removes all lines and the state of glyph prefetching, after a change of the display scale.
  func scaleDidChange() {
    glyphPrefetches = GlyphPrefetchQueue()
    backgroundLines.removeAll()
    pendingNumbers.removeAll()
    oversizedLines.removeAll()
    removeAll()
  }
}

/// A queue of glyphs to render before lines need them: printable ASCII in each style with enough rendered lines.
///
/// File names consist of the same few letters. Rendering a letter for the first time takes as long as the rest of its
/// line, so the first screens of a scroll would take longest.
nonisolated struct GlyphPrefetchQueue {
  private struct Entry {
    let style: TextStyle
    var lines = 1
    /// The next letter, as its ASCII code.
    var next = UInt8(ascii: "!")
  }

  /// The number of lines after which a style is prefetched; the letters of a title are not needed again.
  static let minimumLines = 8
  /// The maximum number of styles; a new one replaces the style with the fewest lines.
  static let maximumStyles = 8

  private var entries: [Entry] = []

  /// Records that a line was rendered in a style.
  ///
  /// - Complexity: O(n) for n styles, of which there are few.
  mutating func recordStyle(_ style: TextStyle) {
    if let index = entries.firstIndex(where: { $0.style == style }) {
      entries[index].lines += 1
    } else if entries.count < GlyphPrefetchQueue.maximumStyles {
      entries.append(Entry(style: style))
    } else if let rarest = entries.indices.min(by: { entries[$0].lines < entries[$1].lines }),
      entries[rarest].lines < GlyphPrefetchQueue.minimumLines
    {
      entries[rarest] = Entry(style: style)
    }
  }

  /// Returns the next letter and its style, or nil if all are rendered.
  mutating func nextGlyph() -> (letter: Unicode.Scalar, style: TextStyle)? {
    guard
      let index = entries.firstIndex(where: {
        $0.lines >= GlyphPrefetchQueue.minimumLines && $0.next <= UInt8(ascii: "~")
      })
    else { return nil }
    defer { entries[index].next += 1 }
    return (Unicode.Scalar(entries[index].next), entries[index].style)
  }
}
