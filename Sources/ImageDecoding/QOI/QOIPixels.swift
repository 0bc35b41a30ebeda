/// The pixels of a QOI file one after the other.
struct QOIPixels {
  private let file: FileReader
  private var position: Int
  private var pixel = SIMD4<UInt8>(0, 0, 0, 255)
  private var seen = [SIMD4<UInt8>](repeating: SIMD4(), count: 64)
  private var run = 0
  /// Whether the file ended before a pixel that was wanted.
  private(set) var isAtEnd = false

  init(_ file: FileReader, start: Int) {
    self.file = file
    position = start
  }

  /// Fills a row of R, G, B, A; false where the file ends before.
  mutating func fill(_ row: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < row.count {
      if run > 0 {
        run -= 1
      } else if !next() {
        isAtEnd = true
        return false
      }
      for channel in 0..<4 { row[index + channel] = pixel[channel] }
      index += 4
    }
    return true
  }

  /// Reads what comes next: a pixel, or a run of the last one, of which this is the first.
  private mutating func next() -> Bool {
    guard let tag = file.byte(position) else { return false }
    position += 1
    switch tag {
    case 0xFE, 0xFF:
      let count = tag == 0xFE ? 3 : 4
      guard let bytes = file.slice(position, count) else { return false }
      for channel in 0..<count { pixel[channel] = bytes[channel] }
      position += count
    case 0x00...0x3F:
      pixel = seen[Int(tag)]
    case 0x40...0x7F:
      pixel[0] &+= (tag >> 4 & 3) &- 2
      pixel[1] &+= (tag >> 2 & 3) &- 2
      pixel[2] &+= (tag & 3) &- 2
    case 0x80...0xBF:
      guard let second = file.byte(position) else { return false }
      position += 1
      let green = (tag & 0x3F) &- 32
      pixel[0] &+= green &- 8 &+ (second >> 4)
      pixel[1] &+= green
      pixel[2] &+= green &- 8 &+ (second & 15)
    default:
      run = Int(tag & 0x3F)
    }
    let hash = Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11
    seen[hash % 64] = pixel
    return true
  }
}
