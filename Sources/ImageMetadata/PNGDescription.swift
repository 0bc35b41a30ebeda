package import VitrineGeometry

/// The size and the texts of a PNG file, such as a thumbnail that programs share.
///
/// Reading it is a pure function that accepts any bytes. Only chunks before the pixels are read, and no text is
/// decompressed.
package struct PNGDescription: Hashable, Sendable {
  /// A text with its keyword.
  package struct Text: Hashable, Sendable {
    /// The keyword.
    package var keyword: String
    /// The text.
    package var value: String

    /// Creates a text.
    package init(keyword: String, value: String) {
      self.keyword = keyword
      self.value = value
    }
  }

  /// The size in pixels.
  package var size: PixelSize
  /// The texts, in the order of the file.
  package var texts: [Text]

  /// The number of bytes from which it is read.
  package static let maximumBytes = 1 << 14
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Creates a description.
  package init(size: PixelSize, texts: [Text]) {
    self.size = size
    self.texts = texts
  }

  /// Reads the first bytes of a file.
  ///
  /// - Returns: Nil if the file is no PNG.
  /// - Complexity: O(*n*) in the number of bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: PNGDescription.signature),
      let header = PNGDescription.chunk(at: 8, in: bytes), header.name == "IHDR", header.content.count == 13,
      let width = PNGDescription.number(at: header.content.startIndex, in: bytes),
      let height = PNGDescription.number(at: header.content.startIndex + 4, in: bytes),
      let size = PixelSize(width: width, height: height)
    else { return nil }
    self.init(size: size, texts: [])
    var offset = header.content.endIndex + 4
    while let chunk = PNGDescription.chunk(at: offset, in: bytes), chunk.name != "IDAT" {
      if chunk.name == "tEXt" { appendText(bytes[chunk.content]) }
      offset = chunk.content.endIndex + 4
    }
  }

  private mutating func appendText(_ text: ArraySlice<UInt8>) {
    guard let end = text.firstIndex(of: 0) else { return }
    texts.append(
      Text(
        keyword: String(decoding: text[..<end], as: UTF8.self),
        value: String(decoding: text[(end + 1)...], as: UTF8.self)))
  }

  /// Returns the chunk at an offset, or nil if it does not end within the bytes.
  private static func chunk(at offset: Int, in bytes: [UInt8]) -> (name: String, content: Range<Int>)? {
    guard let count = number(at: offset, in: bytes), offset + 8 + count <= bytes.count else { return nil }
    return (String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self), (offset + 8)..<(offset + 8 + count))
  }

  /// Returns a big-endian number of four bytes.
  private static func number(at offset: Int, in bytes: [UInt8]) -> Int? {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    return bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
