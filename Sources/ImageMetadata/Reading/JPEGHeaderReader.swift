/// Walks a JPEG's segments up to the frame header, taking the EXIF data on the way (ITU-T T.81, annex B).
struct JPEGHeaderReader {
  let file: FetchedBytes

  /// Where the first segment begins, behind the two bytes that name the format.
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
        if marker == 0xE1, !cursor.hasExif, length >= 16, try file.matches("Exif\0\0", at: position + 2) {
          let end = min(file.fileBytes, position + length)
          try ExifReader(file: file, start: position + 8, end: end)?.read(into: &cursor.header)
          cursor.hasExif = true
        }
        position += length
      }
      cursor.position = position
    }
  }

  /// The second byte of the next marker, at whose first byte the position then stands.
  ///
  /// Bytes that may stand between two segments are gone over, as libjpeg does, and not looked at again.
  private func nextMarker(from position: inout Int) throws(HeaderReadError) -> UInt8 {
    while true {
      let pair = try file.number(at: position, bytes: 2, .bigEndian)
      let byte = UInt8(pair & 0xFF)
      if pair >> 8 == 0xFF, byte != 0, byte != 0xFF { return byte }
      position += 1
    }
  }
}
