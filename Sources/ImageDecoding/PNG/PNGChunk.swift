/// A chunk of a PNG file that is there whole (ISO/IEC 15948, section 5.3).
struct PNGChunk {
  /// Its name and content, over which the checksum goes.
  private let checked: UnsafeRawBufferPointer
  private let storedChecksum: UInt32
  /// Where it begins.
  let start: Int
  /// Where the next one begins.
  let end: Int

  /// Bytes before the content: its length and its name.
  static let headerBytes = 8
  /// Bytes after it.
  static let checksumBytes = 4
  /// Bytes before the first chunk.
  static let signatureBytes = 8

  /// The chunk at a place; nothing where it is cut off.
  init?(_ file: UnsafeRawBufferPointer, at start: Int) {
    guard start >= 0, start <= file.count - PNGChunk.headerBytes - PNGChunk.checksumBytes else { return nil }
    let length = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    guard length <= file.count - start - PNGChunk.headerBytes - PNGChunk.checksumBytes else { return nil }
    self.start = start
    let place = start + PNGChunk.headerBytes + length
    end = place + PNGChunk.checksumBytes
    checked = UnsafeRawBufferPointer(rebasing: file[start + 4..<place])
    storedChecksum = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// What it holds.
  var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: checked[4...]) }

  /// Whether this is its name.
  func isNamed(_ name: StaticString) -> Bool { name.withUTF8Buffer { checked.prefix(4).elementsEqual($0) } }

  /// Whether a decoder that does not know it may pass over it: its name begins with a small letter.
  var isAncillary: Bool { checked[0] & 0x20 != 0 }

  /// Whether its checksum is right.
  var isSound: Bool { LibDeflate.checksum(checked) == storedChecksum }
}
