/// Reads the first chunk of a WebP, and the EXIF chunk where the first says that there is one (RFC 9649).
struct WebPHeaderReader {
  let file: FetchedBytes

  private static let exifFlag: UInt8 = 0x08

  /// Where the first chunk begins, behind the container's own header.
  static let firstChunkOffset = 12

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    if cursor.position == WebPHeaderReader.firstChunkOffset {
      guard try readFirstChunk(into: &cursor.header) else { return }
    }
    try readExif(&cursor)
  }

  /// Reads the size; returns whether EXIF data is promised.
  private func readFirstChunk(into header: inout ImageHeader) throws(HeaderReadError) -> Bool {
    let content = 20
    if try file.matches("VP8 ", at: 12) {
      guard try file.bytes(at: content + 3, count: 3).elementsEqual([0x9D, 0x01, 0x2A]) else { return false }
      // The two highest bits are a hint for scaling up.
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
      return try file.byte(at: content) & WebPHeaderReader.exifFlag != 0
    }
    return false
  }

  private func readExif(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    while true {
      let position = cursor.position
      let isExif = try file.matches("EXIF", at: position)
      let length = try file.number(at: position + 4, bytes: 4, .littleEndian)
      if isExif {
        guard length <= ExifReader.maximumBytes else { return }
        var start = position + 8
        let end = min(file.fileBytes, start + length)
        // Some writers keep JPEG's six letters before the data.
        if length >= 6, try file.matches("Exif\0\0", at: start) { start += 6 }
        try ExifReader(file: file, start: start, end: end)?.read(into: &cursor.header)
        return
      }
      cursor.position = position + 8 + length + length % 2
    }
  }
}
