import VitrineGeometry
import VitrineImageMetadata

/// A decoder for QOI that produces one row at a time (QOI specification of 2022).
struct QOIDecoder {
  private let file: FileReader
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  private static let headerBytes = 14

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = FileReader(file)
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let size = header.storedSize, let channels = file.byte(12), let colorspace = file.byte(13) else {
      throw .damaged(detail: "the file ends in its header")
    }
    guard channels == 3 || channels == 4, colorspace <= 1 else { throw .damaged(detail: "no such channels") }
    guard file.count > QOIDecoder.headerBytes else { throw .damaged(detail: "the file ends before its pixels") }
    var rows = try RowReducer(size, for: placement, backdrop: backdrop, interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: size.width * 4)
    var pixels = QOIPixels(file, start: QOIDecoder.headerBytes)
    for _ in 0..<size.height where !rows.isFull {
      guard pixels.fill(UnsafeMutableBufferPointer(start: row.elements, count: row.count)) else { break }
      // The alpha channel of a file without alpha is ignored.
      if channels == 3 { for x in 0..<size.width { row.elements[x * 4 + 3] = 255 } }
      try rows.append(row.elements, hasAlpha: channels == 4)
    }
    guard rows.hasRows else { throw .damaged(detail: "the file ends in its first row") }
    return try rows.finish(isDamaged: pixels.isAtEnd)
  }
}

/// A reader of the consecutive pixels of a QOI file.
private struct QOIPixels {
  private let file: FileReader
  private var position: Int
  private var pixel = SIMD4<UInt8>(0, 0, 0, 255)
  private var recentPixels = [SIMD4<UInt8>](repeating: SIMD4(), count: 64)
  private var run = 0
  /// Whether the file ended before the last requested pixel.
  private(set) var isAtEnd = false

  init(_ file: FileReader, start: Int) {
    self.file = file
    position = start
  }

  /// Fills a row with R, G, B, A.
  ///
  /// - Returns: False if the file ends first.
  mutating func fill(_ row: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < row.count {
      if run > 0 {
        run -= 1
      } else if !readChunk() {
        isAtEnd = true
        return false
      }
      for channel in 0..<4 { row[index + channel] = pixel[channel] }
      index += 4
    }
    return true
  }

  /// Reads the next chunk: a pixel, or a run of the previous pixel, of which this call consumes the first.
  private mutating func readChunk() -> Bool {
    guard let tag = file.byte(position) else { return false }
    position += 1
    switch tag {
    case 0xFE, 0xFF:
      let count = tag == 0xFE ? 3 : 4
      guard let bytes = file.slice(position, count) else { return false }
      for channel in 0..<count { pixel[channel] = bytes[channel] }
      position += count
    case 0x00...0x3F:
      pixel = recentPixels[Int(tag)]
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
    recentPixels[hash % 64] = pixel
    return true
  }
}
