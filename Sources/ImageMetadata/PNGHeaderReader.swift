/// A reader of a PNG's first chunk, and of EXIF and XMP data that precedes the pixels (ISO/IEC 15948, section 11).
struct PNGHeaderReader {
  let file: FetchedBytes

  /// The offset of the first chunk, after the signature.
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
      let start = position + 8
      if !cursor.hasExif, length <= ExifReader.maximumBytes, try file.matches("eXIf", at: position + 4) {
        let end = min(file.fileBytes, start + length)
        try cursor.readExif(file, start: start, end: end)
        cursor.header.exifData = start..<max(start, end)
      } else if !cursor.hasExif, length <= PNGExifProfile.maximumBytes, try file.matches("tEXt", at: position + 4) {
        try readProfileText(at: start, length: length, &cursor)
      } else if !cursor.hasXMP, length <= XMPPacket.maximumBytes, try file.matches("iTXt", at: position + 4) {
        try readPacketText(at: start, length: length, &cursor)
      }
      cursor.position = position + 12 + length
    }
  }

  /// Reads EXIF data from a text chunk.
  ///
  /// A preview in it has no range in the file.
  private func readProfileText(at start: Int, length: Int, _ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let keywordBytes = PNGExifProfile.keyword.utf8CodeUnitCount
    guard length > keywordBytes, try file.matches(PNGExifProfile.keyword, at: start) else { return }
    let text = try file.bytes(at: start + keywordBytes, count: length - keywordBytes)
    guard let profile = PNGExifProfile(text) else { return }
    try cursor.readExif(profile.data, start: 0, end: profile.data.fileBytes)
    cursor.header.embeddedThumbnail = nil
    // A chunk of EXIF data is used instead.
    cursor.hasExif = false
  }

  /// Reads XMP data from a text chunk.
  private func readPacketText(at start: Int, length: Int, _ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let keyword: StaticString = "XML:com.adobe.xmp\0"
    let keywordBytes = keyword.utf8CodeUnitCount
    // A flag for compression, which is not used for XMP data, and four more bytes precede the text.
    guard length > keywordBytes, try file.matches(keyword, at: start), try file.byte(at: start + keywordBytes) == 0
    else {
      return
    }
    let end = min(file.fileBytes, start + length)
    cursor.readXMP(try file.bytes(at: start + keywordBytes, count: end - start - keywordBytes))
  }
}

/// EXIF data that ImageMagick and similar programs wrote into a PNG's text as hexadecimal digits, before PNG had a
/// chunk for it.
private struct PNGExifProfile {
  /// The keyword of the text, with its terminator.
  static let keyword: StaticString = "Raw profile type exif\0"
  /// The maximum length of the text in bytes.
  ///
  /// Longer text is ignored.
  static let maximumBytes = 1 << 17

  /// The decoded bytes, as a file.
  let data: FetchedBytes

  /// Parses the text after the keyword: an empty line, the word "exif", the number of bytes, and lines of digits.
  init?(_ text: ArraySlice<UInt8>) {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    guard lines.count >= 3, lines[0].elementsEqual("exif".utf8) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in lines.dropFirst(2).joined() {
      guard let digit = PNGExifProfile.hexValue(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    // The six letters of a JPEG segment precede the data.
    if bytes.starts(with: "Exif\0\0".utf8) { bytes.removeFirst(6) }
    var file = FetchedBytes(fileBytes: bytes.count)
    file.insertPiece(bytes, for: 0..<bytes.count)
    data = file
  }

  private static func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
