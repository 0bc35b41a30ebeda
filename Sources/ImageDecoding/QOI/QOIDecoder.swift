import Geometry
import ImageMetadata

/// Decodes QOI, a row at a time (the format's specification of 2022).
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
      // Of a file without alpha, what stands there does not count.
      if channels == 3 { for x in 0..<size.width { row.elements[x * 4 + 3] = 255 } }
      try rows.append(row.elements, hasAlpha: channels == 4)
    }
    guard rows.hasRows else { throw .damaged(detail: "the file ends in its first row") }
    return rows.finish(isDamaged: pixels.isAtEnd)
  }
}
