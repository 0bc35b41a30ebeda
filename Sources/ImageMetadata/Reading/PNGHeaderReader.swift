/// Reads a PNG's first chunk, and the EXIF chunk where one stands before the pixels (ISO/IEC 15948, section 11).
struct PNGHeaderReader {
  let file: FetchedBytes

  /// Where the first chunk begins, behind the signature.
  static let firstChunkOffset = 8

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    if cursor.position == PNGHeaderReader.firstChunkOffset {
      guard try file.matches("IHDR", at: 12) else { return }
      let width = try file.number(at: 16, bytes: 4, .bigEndian)
      let height = try file.number(at: 20, bytes: 4, .bigEndian)
      cursor.header.setStoredSize(width: width, height: height)
    }
    while true {
      let position = cursor.position
      let length = try file.number(at: position, bytes: 4, .bigEndian)
      guard length < 1 << 31 else { return }
      if try file.matches("IDAT", at: position + 4) { return }
      if length <= ExifReader.maximumBytes, try file.matches("eXIf", at: position + 4) {
        let start = position + 8
        try ExifReader(file: file, start: start, end: min(file.fileBytes, start + length))?.read(into: &cursor.header)
        return
      }
      if length <= PNGExifProfile.maximumBytes, try file.matches("tEXt", at: position + 4) {
        try readProfileText(at: position + 8, length: length, into: &cursor.header)
      }
      cursor.position = position + 12 + length
    }
  }

  /// Looks for EXIF data among the texts; the preview in it has no place in the file.
  private func readProfileText(at start: Int, length: Int, into header: inout ImageHeader) throws(HeaderReadError) {
    let keywordBytes = PNGExifProfile.keyword.utf8CodeUnitCount
    guard length > keywordBytes, try file.matches(PNGExifProfile.keyword, at: start) else { return }
    let text = try file.bytes(at: start + keywordBytes, count: length - keywordBytes)
    guard let profile = PNGExifProfile(text) else { return }
    var described = header
    try ExifReader(file: profile.data, start: 0, end: profile.data.fileBytes)?.read(into: &described)
    header.orientation = described.orientation
    header.captureTime = described.captureTime
  }
}
