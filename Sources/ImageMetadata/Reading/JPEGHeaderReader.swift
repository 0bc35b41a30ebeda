/// Walks a JPEG's segments up to the frame header, taking the EXIF data on the way (ITU-T T.81, annex B).
struct JPEGHeaderReader {
  let file: FetchedBytes

  /// Bytes that may stand between two segments, as libjpeg skips them too.
  private static let mostStrayBytes = 4096
  private static let mostSegments = 2048

  /// Where the first segment begins, behind the two bytes that name the format.
  static let start = 2

  func read(_ cursor: inout HeaderCursor) throws(HeaderGap) {
    for _ in 0..<JPEGHeaderReader.mostSegments {
      var position = cursor.position
      guard let marker = try nextMarker(from: &position) else { return }
      switch marker {
      case 0x01, 0xD0...0xD8:
        break
      case 0xD9, 0xDA:
        return
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        let height = try file.number(at: position + 3, bytes: 2, .bigEndian)
        let width = try file.number(at: position + 5, bytes: 2, .bigEndian)
        cursor.header.declare(width: width, height: height)
        return
      default:
        let length = try file.number(at: position, bytes: 2, .bigEndian)
        guard length >= 2 else { return }
        if marker == 0xE1, !cursor.hasExif, length >= 16, try file.holds("Exif\0\0", at: position + 2) {
          let end = min(file.fileBytes, position + length)
          try ExifReader(file: file, start: position + 8, end: end)?.read(into: &cursor.header)
          cursor.hasExif = true
        }
        position += length
      }
      cursor.position = position
    }
  }

  /// The next marker's second byte; the position then stands behind it.
  private func nextMarker(from position: inout Int) throws(HeaderGap) -> UInt8? {
    var isAfterFF = false
    for _ in 0..<JPEGHeaderReader.mostStrayBytes {
      let byte = try file.byte(at: position)
      position += 1
      if isAfterFF, byte != 0, byte != 0xFF { return byte }
      isAfterFF = byte == 0xFF
    }
    return nil
  }
}
