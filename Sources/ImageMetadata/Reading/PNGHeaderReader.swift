/// Reads a PNG's first chunk, and the EXIF chunk where one stands before the pixels (ISO/IEC 15948, section 11).
struct PNGHeaderReader {
  let file: FetchedBytes

  private static let mostChunks = 4096

  func read(into header: inout ImageHeader) throws(HeaderGap) {
    guard try file.holds("IHDR", at: 12) else { return }
    let width = try file.number(at: 16, bytes: 4, .bigEndian)
    let height = try file.number(at: 20, bytes: 4, .bigEndian)
    header.declare(width: width, height: height)
    var position = 8
    for _ in 0..<PNGHeaderReader.mostChunks {
      let length = try file.number(at: position, bytes: 4, .bigEndian)
      guard length < 1 << 31 else { return }
      if try file.holds("IDAT", at: position + 4) { return }
      if length <= ExifReader.mostBytes, try file.holds("eXIf", at: position + 4) {
        let start = position + 8
        try ExifReader(file: file, start: start, end: min(file.fileBytes, start + length))?.read(into: &header)
        return
      }
      position += 12 + length
    }
  }
}
