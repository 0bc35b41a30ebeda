/// Makes the beginnings of picture files, valid as far as a header goes.
enum HeaderFixture {
  static func jpeg(width: Int, height: Int, exif: ExifBlock? = nil, padding: Int = 0) -> [UInt8] {
    var out: [UInt8] = [0xFF, 0xD8]
    if let exif { out += segment(0xE1, Array("Exif".utf8) + [0, 0] + exif.bytes) }
    var rest = padding
    while rest > 0 {
      let count = min(rest, 65_533)
      out += segment(0xE2, [UInt8](repeating: 0xFF, count: count))
      rest -= count
    }
    out += segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    return out + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x2A, 0xFF, 0xD9]
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2, 2) + content
  }

  static func png(width: Int, height: Int, exif: ExifBlock? = nil, chunks: [[UInt8]] = []) -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    out += chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
    for chunk in chunks { out += chunk }
    if let exif { out += chunk("eXIf", exif.bytes) }
    return out + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  /// A chunk with a checksum of nought, which nobody looks at before decoding.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count, 4) + Array(name.utf8) + content + [0, 0, 0, 0]
  }

  static func webP(_ chunks: [UInt8]...) -> [UInt8] {
    let body = Array("WEBP".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  static func riffChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func lossyWebP(width: Int, height: Int) -> [UInt8] {
    riffChunk(
      "VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width | 0x4000, 2) + little(height | 0x8000, 2) + [1, 2])
  }

  static func losslessWebP(width: Int, height: Int) -> [UInt8] {
    riffChunk("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14 | 1 << 28, 4) + [7, 7])
  }

  static func extendedWebP(width: Int, height: Int, exif: [UInt8]? = nil, pixels: Int = 10) -> [UInt8] {
    webP(
      riffChunk("VP8X", [exif == nil ? 0 : 8, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)),
      riffChunk("VP8 ", [UInt8](repeating: 3, count: pixels)), exif.map { riffChunk("EXIF", $0) } ?? [])
  }

  static func gif(width: Int, height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0]
  }

  /// A canvas with a comment and a frame on it.
  static func gif(width: Int, height: Int, frame: (left: Int, top: Int, width: Int, height: Int)) -> [UInt8] {
    let palette = [UInt8](repeating: 7, count: 6)
    let place = [frame.left, frame.top, frame.width, frame.height].flatMap { little($0, 2) }
    return Array(gif(width: width, height: height)[0..<13]) + palette + [0x21, 0xFE, 3, 1, 2, 3, 2, 1, 2, 0] + [0x2C]
      + place + [0]
  }

  /// A directory of two lines, with offsets of four bytes or of eight.
  static func tiff(width: Int, height: Int, isLong: Bool) -> [UInt8] {
    let room = isLong ? 8 : 4
    func line(_ tag: Int, _ value: Int) -> [UInt8] {
      little(tag, 2) + little(isLong ? 16 : 4, 2) + little(1, room) + little(value, room)
    }
    let start = Array("II".utf8) + (isLong ? little(43, 2) + little(8, 2) + little(0, 2) : little(42, 2))
    return start + little(start.count + room, room) + little(2, isLong ? 8 : 2) + line(256, width) + line(257, height)
      + little(0, room)
  }

  static func qoi(width: Int, height: Int) -> [UInt8] {
    Array("qoif".utf8) + big(width, 4) + big(height, 4) + [4, 0]
  }

  static func bmp(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(70, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(width, 4)
      + little(height, 4) + little(1, 2) + little(24, 2)
  }

  static func oldBMP(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(70, 4) + little(0, 4) + little(26, 4) + little(12, 4) + little(width, 2)
      + little(height, 2)
  }

  static func isoBaseMedia(_ brands: String...) -> [UInt8] {
    let major = Array((brands.first ?? "    ").utf8)
    let content = Array("ftyp".utf8) + major + [0, 0, 0, 0] + brands.dropFirst().flatMap { Array($0.utf8) }
    return big(content.count + 4, 4) + content + big(8, 4) + Array("meta".utf8)
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
