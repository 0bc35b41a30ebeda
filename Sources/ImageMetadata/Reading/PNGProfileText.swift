/// Reads EXIF data that ImageMagick and its kin wrote into a PNG's text, as hexadecimal digits, before PNG had a chunk
/// for it.
struct PNGExifProfile {
  /// The text's keyword, with the byte that ends it.
  static let keyword: StaticString = "Raw profile type exif\0"
  /// Text longer than this is not read, in bytes.
  static let maximumBytes = 1 << 17

  /// The bytes that the digits stand for, as a file of their own.
  let data: FetchedBytes

  /// Reads what follows the keyword: an empty line, the word "exif", the number of bytes, and the digits in lines.
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
    // JPEG's six letters come first.
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
