import Geometry
import ImageMetadata

/// Decodes Windows and OS/2 bitmaps, a row at a time from the top.
struct BMPDecoder {
  private let file: FileReader
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = FileReader(file)
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let bitmap = try BMPHeader(file)
    guard bitmap.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    var rows = try RowReducer(bitmap.size, for: placement, backdrop: backdrop, interruption: interruption)
    let isDamaged =
      bitmap.compression == .none ? try decodePlain(bitmap, into: &rows) : try decodeRuns(bitmap, into: &rows)
    return rows.finish(isDamaged: isDamaged)
  }

  /// Whether rows are missing.
  private func decodePlain(_ bitmap: BMPHeader, into rows: inout RowReducer) throws(DecodingError) -> Bool {
    let row = try ScratchMemory<UInt8>(count: bitmap.size.width * 4)
    // What is there of the last row is padding and pixels; its padding may be missing.
    let needed = (bitmap.size.width * bitmap.bitsPerPixel + 7) / 8
    var missing = 0
    for y in 0..<bitmap.size.height where !rows.isFull {
      let stored = bitmap.isTopDown ? y : bitmap.size.height - 1 - y
      if let source = file.slice(bitmap.pixelOffset + stored * bitmap.bytesPerRow, needed) {
        if rows.wantsNextRow { convert(source, bitmap, into: row.elements) }
        try rows.append(row.elements, hasAlpha: bitmap.hasAlpha)
      } else {
        missing += 1
        row.clear()
        try rows.append(row.elements, hasAlpha: true)
      }
    }
    guard missing < bitmap.size.height else { throw .damaged(detail: "the file ends before its pixels") }
    return missing > 0
  }

  private func convert(
    _ source: UnsafeRawBufferPointer, _ bitmap: BMPHeader, into row: UnsafeMutablePointer<UInt8>
  ) {
    var pixel = row
    switch bitmap.bitsPerPixel {
    case 24:
      for x in 0..<bitmap.size.width {
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (source[x * 3 + 2], source[x * 3 + 1], source[x * 3], 255)
        pixel += 4
      }
    case 16, 32:
      for x in 0..<bitmap.size.width {
        let number =
          bitmap.bitsPerPixel == 16
          ? UInt32(source.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self).littleEndian)
          : source.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self).littleEndian
        for channel in 0..<3 { pixel[channel] = bitmap.masks[channel].value(number) }
        pixel[3] = bitmap.hasAlpha ? bitmap.masks[3].value(number) : 255
        pixel += 4
      }
    default:
      let bits = bitmap.bitsPerPixel
      let perByte = 8 / bits
      let most = UInt8(truncatingIfNeeded: (1 << bits) - 1)
      for x in 0..<bitmap.size.width {
        let shift = 8 - bits * (x % perByte + 1)
        write(Int(source[x / perByte] >> UInt8(shift) & most), bitmap, to: pixel)
        pixel += 4
      }
    }
  }

  private func decodeRuns(_ bitmap: BMPHeader, into rows: inout RowReducer) throws(DecodingError) -> Bool {
    let runs = try BMPRuns(file, bitmap, interruption: interruption)
    guard !runs.isEmpty else { throw .damaged(detail: "the file ends before its pixels") }
    let row = try ScratchMemory<UInt8>(count: bitmap.size.width * 4)
    let numbers = try ScratchMemory<Int16>(count: bitmap.size.width)
    let line = UnsafeMutableBufferPointer(start: numbers.elements, count: bitmap.size.width)
    let unpainted: Int16 = -1
    for y in 0..<bitmap.size.height where !rows.isFull {
      if rows.wantsNextRow {
        line.update(repeating: unpainted)
        runs.draw(row: bitmap.size.height - 1 - y, into: line)
        for x in 0..<bitmap.size.width { write(Int(line[x]), bitmap, to: row.elements + x * 4) }
      }
      // What no run paints shows what is behind.
      try rows.append(row.elements, hasAlpha: true)
    }
    return runs.isCutOff
  }

  /// Writes the colour of a number; one that the palette has not is black, and none is nothing at all.
  private func write(_ number: Int, _ bitmap: BMPHeader, to pixel: UnsafeMutablePointer<UInt8>) {
    let color =
      number < 0
      ? SIMD4<UInt8>() : number < bitmap.palette.count ? bitmap.palette[number] : SIMD4<UInt8>(0, 0, 0, 255)
    (pixel[0], pixel[1], pixel[2], pixel[3]) = (color[0], color[1], color[2], color[3])
  }
}
