import DataStructures
import Geometry
import Rendering

/// A font of emoji in colour: which pictures a line is, and these at any size.
final class EmojiFont {
  /// The most glyphs of lines that are kept in each of two tables.
  private static let shapedGlyphs = 1_024
  /// Bytes of pictures that are kept as they were unpacked: those of a screen full of emoji, for another size of them.
  static let pictureBytes = 8 << 20

  private let face: ColorFace
  /// At the size of the font's pictures, whatever the line's: the pictures are scaled, and places with them.
  private let shaper: HarfBuzzShaper
  private var lines = RecentTable<ExactText, ShapedLine>(capacity: EmojiFont.shapedGlyphs)
  private var pictures = LeastRecentlyUsed<UInt32, GlyphPicture>(costLimit: EmojiFont.pictureBytes)
  /// How many pictures were unpacked.
  private(set) var unpackedCount = 0

  /// Opens a font.
  /// - Throws: ``DisplayError`` when FreeType cannot read it, it has no pictures in colour, or memory is out.
  init(path: String, library: FreeTypeLibrary) throws(DisplayError) {
    face = try ColorFace(path: path, library: library)
    shaper = try HarfBuzzShaper(face.pointer, of: face, pixelSize: face.pixelsPerEm)
  }

  /// Whether the font has a picture for all of a line.
  func covers(_ line: String) -> Bool {
    let shaped = shaped(line)
    return !shaped.glyphs.isEmpty && shaped.glyphs.allSatisfy { $0.glyph != 0 }
  }

  /// The width of a line in pixels.
  ///
  /// - Parameters:
  ///   - line: what the font ``covers(_:)``.
  ///   - pixelSize: the size of the type in pixels.
  func width(of line: String, pixelSize: Int) -> Int {
    max(1, Int((Double(shaped(line).advance) / 64 * scale(pixelSize)).rounded()))
  }

  /// As many of a line's first emoji as fit a width in pixels, and no mark for the others: none of the font's would do.
  ///
  /// - Complexity: O(log n) measurements of n characters.
  func fit(_ line: String, width: Int, pixelSize: Int) -> String {
    guard self.width(of: line, pixelSize: pixelSize) > width else { return line }
    let characters = Array(line)
    // So many fit, so many do not.
    var (low, high) = (0, characters.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let fits = self.width(of: String(characters[..<middle]), pixelSize: pixelSize) <= width
      if fits { low = middle } else { high = middle }
    }
    while low > 0, characters[low - 1] == " " { low -= 1 }
    return String(characters[..<low])
  }

  /// Paints a line, its pictures in the middle of the height.
  ///
  /// - Parameters:
  ///   - line: what the font ``covers(_:)``.
  ///   - pixelSize: the size of the type in pixels.
  ///   - size: the line's extent; pictures that are higher are made smaller.
  /// - Throws: `BitmapError` when memory is out.
  /// - Complexity: O(pixels).
  func bitmap(of line: String, pixelSize: Int, size: PixelSize) throws -> Bitmap {
    let shaped = shaped(line)
    return try Bitmap(size: size, isOpaque: false) { memory in
      let pixels = memory.bindMemory(to: UInt32.self)
      pixels.update(repeating: Color.clear.packed)
      for glyph in shaped.glyphs {
        guard let picture = picture(of: glyph.glyph) else { continue }
        let scale = min(scale(pixelSize), Double(size.height) / Double(picture.height))
        let width = max(1, Int((Double(picture.width) * scale).rounded()))
        let height = max(1, Int((Double(picture.height) * scale).rounded()))
        let left = Int((Double(glyph.x) / 64 * self.scale(pixelSize)).rounded())
        let top = (size.height - height) / 2
        picture.forEachPixel(width: width, height: height) { x, y, color in
          guard (0..<size.width).contains(left + x), (0..<size.height).contains(top + y) else { return }
          pixels[(top + y) * size.width + left + x] = UInt32(littleEndian: color.packed)
        }
      }
    }
  }

  /// Bytes of pictures that are kept.
  var keptBytes: Int { pictures.totalCost }

  /// The picture of a glyph, unpacked where it was not lately.
  private func picture(of glyph: UInt32) -> GlyphPicture? {
    if let known = pictures.value(for: glyph) { return known }
    guard let picture = face.picture(of: glyph) else { return nil }
    unpackedCount += 1
    pictures.insert(picture, for: glyph, cost: picture.channels.count)
    return picture
  }

  private func scale(_ pixelSize: Int) -> Double { Double(pixelSize) / Double(face.pixelsPerEm) }

  private func shaped(_ line: String) -> ShapedLine {
    let key = ExactText(line)
    if let known = lines.value(key) { return known }
    var text = line
    // Emoji have no script of their own: any rules do.
    let shaped = text.withUTF8 { shaper.shape($0, script: TextRun.Kind.commonScript, isRightToLeft: false) }
    lines.note(shaped, for: key, cost: shaped.glyphs.count + 1)
    return shaped
  }
}
