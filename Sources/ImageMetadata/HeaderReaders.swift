/// A reader of a JPEG's segments up to the frame header, including EXIF and XMP data (ITU-T T.81, annex B).
struct JPEGHeaderReader {
  let file: FetchedBytes

  /// The offset of the first segment, after the start-of-image marker.
  static let firstSegmentOffset = 2

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    while true {
      let marker = try nextMarker(from: &cursor.position)
      var position = cursor.position + 2
      switch marker {
      case 0x01, 0xD0...0xD8:
        break
      case 0xD9, 0xDA:
        return
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        let height = try file.number(at: position + 3, bytes: 2, .bigEndian)
        let width = try file.number(at: position + 5, bytes: 2, .bigEndian)
        cursor.header.setStoredSize(width: width, height: height)
        return
      default:
        let length = try file.number(at: position, bytes: 2, .bigEndian)
        guard length >= 2 else { return }
        if marker == 0xE1 { try readMetadata(at: position + 2, bytes: length - 2, &cursor) }
        position += length
      }
      cursor.position = position
    }
  }

  /// Reads a segment with EXIF or XMP data, of each of which the first one counts.
  private func readMetadata(at start: Int, bytes: Int, _ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let end = min(file.fileBytes, start + bytes)
    if !cursor.hasExif, bytes >= 14, try file.matches("Exif\0\0", at: start) {
      try cursor.readExif(file, start: start + 6, end: end)
      cursor.header.exifData = start + 6..<end
      return
    }
    let identifierBytes = XMPPacket.jpegIdentifier.utf8CodeUnitCount
    guard !cursor.hasXMP, end - start > identifierBytes, try file.matches(XMPPacket.jpegIdentifier, at: start) else {
      return
    }
    cursor.readXMP(try file.bytes(at: start + identifierBytes, count: end - start - identifierBytes))
  }

  /// Returns the second byte of the next marker, and moves the position to its first byte.
  ///
  /// Bytes between two segments are skipped, as in libjpeg, and not read again.
  private func nextMarker(from position: inout Int) throws(HeaderReadError) -> UInt8 {
    while true {
      let pair = try file.number(at: position, bytes: 2, .bigEndian)
      let byte = UInt8(pair & 0xFF)
      if pair >> 8 == 0xFF, byte != 0, byte != 0xFF { return byte }
      position += 1
    }
  }
}

/// A reader of a GIF's canvas, extended by its first frame if that exceeds the canvas (GIF89a, sections 18 to 20).
struct GIFHeaderReader {
  let file: FetchedBytes

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let width = try file.number(at: 6, bytes: 2, .littleEndian)
    let height = try file.number(at: 8, bytes: 2, .littleEndian)
    if cursor.position == 0 {
      cursor.header.setStoredSize(width: width, height: height)
      let flags = Int(try file.byte(at: 10))
      let hasPalette = flags & 0x80 != 0
      cursor.position = 13 + (hasPalette ? 3 << ((flags & 7) + 1) : 0)
    }
    while true {
      if cursor.isInBlocks { try skipBlocks(&cursor) }
      switch try file.byte(at: cursor.position) {
      case UInt8(ascii: ","):
        let frame = cursor.position + 1
        let left = try file.number(at: frame, bytes: 2, .littleEndian)
        let top = try file.number(at: frame + 2, bytes: 2, .littleEndian)
        let right = left + (try file.number(at: frame + 4, bytes: 2, .littleEndian))
        let bottom = top + (try file.number(at: frame + 6, bytes: 2, .littleEndian))
        cursor.header.setStoredSize(width: max(width, right), height: max(height, bottom))
        return
      case UInt8(ascii: "!"):
        cursor.position += 2
        cursor.isInBlocks = true
      default:
        return
      }
    }
  }

  /// Skips blocks, each of which begins with its length; the last one is empty.
  private func skipBlocks(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    while true {
      let count = Int(try file.byte(at: cursor.position))
      cursor.position += 1 + count
      if count == 0 { break }
    }
    cursor.isInBlocks = false
  }
}

/// A reader of a WebP's first chunk, and of its EXIF and XMP chunks if the first chunk announces them (RFC 9649).
struct WebPHeaderReader {
  let file: FetchedBytes

  private static let (exifFlag, xmpFlag): (UInt8, UInt8) = (0x08, 0x04)

  /// The offset of the first chunk, after the container's header.
  static let firstChunkOffset = 12

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    if cursor.position == WebPHeaderReader.firstChunkOffset {
      guard try readFirstChunk(into: &cursor.header) else { return }
    }
    try readMetadata(&cursor)
  }

  /// The offset of the flags of the first chunk.
  private static let flagsOffset = 20

  /// Reads the size and returns whether EXIF or XMP data is announced.
  private func readFirstChunk(into header: inout ImageHeader) throws(HeaderReadError) -> Bool {
    let content = WebPHeaderReader.flagsOffset
    if try file.matches("VP8 ", at: 12) {
      guard try file.bytes(at: content + 3, count: 3).elementsEqual([0x9D, 0x01, 0x2A]) else { return false }
      // The two highest bits are a hint for upscaling.
      let width = try file.number(at: content + 6, bytes: 2, .littleEndian) & 0x3FFF
      let height = try file.number(at: content + 8, bytes: 2, .littleEndian) & 0x3FFF
      header.setStoredSize(width: width, height: height)
    } else if try file.matches("VP8L", at: 12) {
      guard try file.byte(at: content) == 0x2F else { return false }
      let bits = try file.number(at: content + 1, bytes: 4, .littleEndian)
      header.setStoredSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    } else if try file.matches("VP8X", at: 12) {
      let width = try file.number(at: content + 4, bytes: 3, .littleEndian) + 1
      let height = try file.number(at: content + 7, bytes: 3, .littleEndian) + 1
      header.setStoredSize(width: width, height: height)
      return try file.byte(at: content) & (WebPHeaderReader.exifFlag | WebPHeaderReader.xmpFlag) != 0
    }
    return false
  }

  private func readMetadata(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let flags = try file.byte(at: WebPHeaderReader.flagsOffset)
    cursor.hasExif = cursor.hasExif || flags & WebPHeaderReader.exifFlag == 0
    cursor.hasXMP = cursor.hasXMP || flags & WebPHeaderReader.xmpFlag == 0
    while !cursor.hasExif || !cursor.hasXMP {
      let position = cursor.position
      let isExif = try file.matches("EXIF", at: position)
      let length = try file.number(at: position + 4, bytes: 4, .littleEndian)
      var start = position + 8
      let end = min(file.fileBytes, start + length)
      if isExif, !cursor.hasExif, length <= ExifReader.maximumBytes {
        // Some writers retain the six letters of a JPEG segment before the data.
        if length >= 6, try file.matches("Exif\0\0", at: start) { start += 6 }
        try cursor.readExif(file, start: start, end: end)
        cursor.header.exifData = start..<max(start, end)
      } else if !isExif, !cursor.hasXMP, length <= XMPPacket.maximumBytes, try file.matches("XMP ", at: position) {
        cursor.readXMP(try file.bytes(at: start, count: end - start))
      }
      cursor.position = position + 8 + length + length % 2
    }
  }
}

/// A reader of a bitmap's size.
struct BMPHeaderReader {
  let file: FetchedBytes

  func read(into header: inout ImageHeader) throws(HeaderReadError) {
    // The oldest header has two bytes per side. Later ones have four, and a negative height for rows from the top.
    let isOldest = try file.number(at: 14, bytes: 4, .littleEndian) == 12
    let bytes = isOldest ? 2 : 4
    let width = try file.number(at: 18, bytes: bytes, .littleEndian)
    let height = try file.number(at: 18 + bytes, bytes: bytes, .littleEndian)
    header.setStoredSize(width: width, height: height >= 1 << 31 ? (1 << 32) - height : height)
  }
}
