import DataStructures
import Geometry
import Rendering

/// Which letters are to be painted ahead of the first line that needs them: all of printable ASCII, in each style that enough
/// lines were painted in.
///
/// Names of photographs are made of the same few letters. Painting one for the first time takes as long as the rest of its
/// line, so that the first screens of a motion would take longest.
nonisolated struct LettersAhead {
  private struct Entry {
    let style: TextStyle
    var lines = 1
    /// The next letter, by its ASCII code.
    var next = UInt8(ascii: "!")
  }

  /// In how many lines a style must have been seen: a title's letters are not needed again.
  static let fewestLines = 8
  /// How many styles are looked at; where there are more, the one with the fewest lines gives way.
  static let mostStyles = 8

  private var entries: [Entry] = []

  /// A line was painted in a style.
  ///
  /// - Complexity: O(styles), of which there are few.
  mutating func note(_ style: TextStyle) {
    if let place = entries.firstIndex(where: { $0.style == style }) {
      entries[place].lines += 1
    } else if entries.count < LettersAhead.mostStyles {
      entries.append(Entry(style: style))
    } else if let rarest = entries.indices.min(by: { entries[$0].lines < entries[$1].lines }),
      entries[rarest].lines < LettersAhead.fewestLines
    {
      entries[rarest] = Entry(style: style)
    }
  }

  /// The next letter and its style; nil where all are painted.
  mutating func next() -> (letter: Unicode.Scalar, style: TextStyle)? {
    guard
      let place = entries.firstIndex(where: {
        $0.lines >= LettersAhead.fewestLines && $0.next <= UInt8(ascii: "~")
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

  /// The bytes of bitmaps that are kept at most.
  static let mostBytes = 3 << 20
  /// How many texts' shortenings are kept at most.
  private static let mostFitted = 2_048

  private let text: any TextRasterizer
  private let textures: TextureResidency
  /// What another thread paints.
  let background = BackgroundLines()
  /// The numbers of lines that are awaited.
  private var awaited: [Key: UInt64] = [:]
  /// Lines that have come and are too large to be kept, until they are drawn.
  private var large: [Key: Bitmap] = [:]
  private static let mostLarge = 4
  private var lines = LeastRecentlyUsed<Key, Bitmap>(costLimit: LineCache.mostBytes)
  private var fitted = LeastRecentlyUsed<WidthKey, String>(costLimit: LineCache.mostFitted)
  private var letters = LettersAhead()

  init(text: any TextRasterizer, textures: TextureResidency) {
    self.text = text
    self.textures = textures
  }

  /// Returns the painted line; nil for an empty text, and for a line that another thread has yet to paint.
  ///
  /// - Parameter label: drawn again when another thread has painted the line; nil where the line is only made ahead.
  func bitmap(for text: String, style: TextStyle, scale: DisplayScale, label: Label?) -> Bitmap? {
    let key = Key(text: ExactText(text), style: style)
    if let bitmap = lines.value(for: key) { return bitmap }
    if !large.isEmpty, let bitmap = large.removeValue(forKey: key) { return bitmap }
    if isAwaited(key, text, scale, label) { return nil }
    guard let bitmap = self.text.bitmap(for: text, style: style, scale: scale) else { return nil }
    letters.note(style)
    insert(bitmap, for: key)
    return bitmap
  }

  /// Whether another thread paints a line, which is asked for where it was not.
  private func isAwaited(_ key: Key, _ text: String, _ scale: DisplayScale, _ label: Label?) -> Bool {
    if !awaited.isEmpty, let number = awaited[key] {
      if let label { background.add(label, to: number) }
      return true
    }
    // Lines of one colour are painted at once.
    guard self.text.hasOwnColors(text) else { return false }
    let number = background.ask(for: text, label: label) { completion in
      self.text.startBitmap(for: text, style: key.style, scale: scale, completion: completion)
    } finish: { [weak self] bitmap in
      self?.awaited[key] = nil
      if let bitmap { self?.keep(bitmap, for: key) }
    }
    awaited[key] = number
    return number != nil
  }

  /// Keeps an awaited line; one that is too large to be kept only for the label that is drawn next.
  private func keep(_ bitmap: Bitmap, for key: Key) {
    guard bitmap.byteCount > LineCache.mostBytes else { return insert(bitmap, for: key) }
    if large.count >= LineCache.mostLarge { large.removeAll() }
    large[key] = bitmap
  }

  private func insert(_ bitmap: Bitmap, for key: Key) {
    for (_, former) in lines.insert(bitmap, for: key, cost: bitmap.byteCount) {
      // No view asks for this bitmap again: the next one that shows the line gets another, and so another texture.
      textures.giveUp(former)
    }
  }

  /// Has a letter painted that lines will need.
  ///
  /// - Returns: whether there was one.
  func prepareLetter(scale: DisplayScale) -> Bool {
    guard let (letter, style) = letters.next() else { return false }
    text.prepareLetter(letter, style: style, scale: scale)
    return true
  }

  /// The text cut with an ellipsis so that it fits a width in pixels.
  func fit(_ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: Truncation) -> String {
    let key = WidthKey(text: ExactText(text), style: style, limit: width, truncation: truncation)
    if let result = fitted.value(for: key) { return result }
    let result = self.text.fit(text, style: style, scale: scale, width: width, truncation: truncation)
    fitted.insert(result, for: key, cost: 1)
    return result
  }

  /// Forgets every line.
  func removeAll() {
    lines.removeAll()
    fitted.removeAll()
  }

  /// Forgets every line, and which letters were rasterised: they are to have another size.
  func scaleChanged() {
    letters = LettersAhead()
    background.removeAll()
    awaited.removeAll()
    large.removeAll()
    removeAll()
  }
}
