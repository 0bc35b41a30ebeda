import VitrineGeometry
import VitrineImageMetadata

/// A decoder for Windows and OS/2 bitmaps that produces rows from the top.
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
    return try rows.finish(isDamaged: isDamaged)
  }

  /// Decodes uncompressed rows and returns whether any are missing.
  private func decodePlain(_ bitmap: BMPHeader, into rows: inout RowReducer) throws(DecodingError) -> Bool {
    let row = try ScratchMemory<UInt8>(count: bitmap.size.width * 4)
    // The padding of the last row may be missing.
    let needed = (bitmap.size.width * bitmap.bitsPerPixel + 7) / 8
    var (available, missing) = (0, 0)
    for y in 0..<bitmap.size.height where !rows.isFull {
      let stored = bitmap.isTopDown ? y : bitmap.size.height - 1 - y
      if let source = file.slice(bitmap.pixelOffset + stored * bitmap.bytesPerRow, needed) {
        if rows.needsNextRow { convert(source, bitmap, into: row.elements) }
        try rows.append(row.elements, hasAlpha: bitmap.hasAlpha)
        available += 1
      } else {
        missing += 1
        row.clear()
        try rows.append(row.elements, hasAlpha: true)
      }
    }
    // Rows behind the result are not read.
    guard available > 0 else { throw .damaged(detail: "the file ends before its pixels") }
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
      if rows.needsNextRow {
        line.update(repeating: unpainted)
        runs.draw(row: bitmap.size.height - 1 - y, into: line)
        for x in 0..<bitmap.size.width { write(Int(line[x]), bitmap, to: row.elements + x * 4) }
      }
      // Pixels that no run covers show the backdrop.
      try rows.append(row.elements, hasAlpha: true)
    }
    return runs.isCutOff
  }

  /// Writes the colour of a palette index: black if it is outside the palette, transparent if it is negative.
  private func write(_ number: Int, _ bitmap: BMPHeader, to pixel: UnsafeMutablePointer<UInt8>) {
    let color =
      number < 0
      ? SIMD4<UInt8>() : number < bitmap.palette.count ? bitmap.palette[number] : SIMD4<UInt8>(0, 0, 0, 255)
    (pixel[0], pixel[1], pixel[2], pixel[3]) = (color[0], color[1], color[2], color[3])
  }
}

// MARK: - Header

/// A bitmap's headers, masks and palette.
///
/// Three header families share the signature: OS/2 1 (12 bytes), Windows (40 bytes and more) and OS/2 2 (16 or 64
/// bytes).
private struct BMPHeader: Hashable {
  /// The encodings of rows.
  enum Compression: Hashable {
    /// Uncompressed.
    case none
    /// Run-length encoded bytes.
    case runs8
    /// Run-length encoded half bytes.
    case runs4
  }

  let size: PixelSize
  /// Whether the first stored row is the top row.
  let isTopDown: Bool
  /// The number of bits per pixel: 1, 2, 4, 8, 16, 24 or 32.
  let bitsPerPixel: Int
  let compression: Compression
  /// The offset of the pixels in the file.
  let pixelOffset: Int
  /// The colours of the palette as R, G, B, 255, for eight bits per pixel and fewer.
  let palette: [SIMD4<UInt8>]
  /// The bit masks of red, green, blue and alpha, for 16 and 32 bits per pixel.
  let masks: [BMPMask]

  private static let fileHeaderBytes = 14

  /// Reads the header.
  ///
  /// - Throws: ``DecodingError/damaged(detail:)``, ``DecodingError/unsupported(_:detail:)``.
  init(_ file: FileReader) throws(DecodingError) {
    let start = BMPHeader.fileHeaderBytes
    guard let headerBytes = file.littleEndian(start, bytes: 4), let declaredOffset = file.littleEndian(10, bytes: 4)
    else {
      throw .damaged(detail: "the file ends in its header")
    }
    let isOldest = headerBytes == 12
    let sideBytes = isOldest ? 2 : 4
    guard let width = file.littleEndian(start + 4, bytes: sideBytes),
      let storedHeight = file.littleEndian(start + 4 + sideBytes, bytes: sideBytes),
      let bits = file.littleEndian(start + 6 + 2 * sideBytes, bytes: 2)
    else { throw .damaged(detail: "the file ends in its header") }
    let height = isOldest ? storedHeight : Int(Int32(truncatingIfNeeded: storedHeight))
    guard let size = PixelSize(width: width, height: abs(height)) else { throw .damaged(detail: "no size") }
    guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else { throw .damaged(detail: "\(bits) bits a pixel") }
    let method = headerBytes >= 40 ? file.littleEndian(start + 16, bytes: 4) ?? 0 : 0
    let isOS2 = headerBytes == 16 || headerBytes == 64
    self.size = size
    isTopDown = height < 0
    bitsPerPixel = bits
    compression = try BMPHeader.compression(method, bits: bits, isOS2: isOS2)
    guard compression == .none || !isTopDown else { throw .damaged(detail: "runs from the top") }

    let hasMasks = (method == 3 || method == 6) && (bits == 16 || bits == 32) && !isOS2
    // The masks follow the short header; longer headers contain them.
    let maskCount = headerBytes >= 56 || method == 6 ? 4 : 3
    let masksAfter = hasMasks && headerBytes == 40 ? 4 * maskCount : 0
    masks = try BMPHeader.masks(file, at: start + 40, count: hasMasks ? maskCount : 0, bits: bits)

    let paletteStart = start + headerBytes + masksAfter
    let usedColors = headerBytes >= 40 ? file.littleEndian(start + 32, bytes: 4) ?? 0 : 0
    guard bits > 8 || usedColors <= 256 else { throw .damaged(detail: "a palette of \(usedColors) colours") }
    pixelOffset = declaredOffset >= paletteStart ? declaredOffset : paletteStart
    palette =
      bits > 8
      ? []
      : BMPHeader.palette(
        file, at: paletteStart, end: pixelOffset > paletteStart ? pixelOffset : file.count,
        count: usedColors == 0 ? 1 << bits : usedColors, entryBytes: isOldest ? 3 : 4)
    guard bits > 8 || !palette.isEmpty else { throw .damaged(detail: "no palette") }
  }

  /// The length of an uncompressed row in bytes.
  var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

  /// Whether pixels may be transparent.
  var hasAlpha: Bool { masks.count == 4 && masks[3].isSet }

  private static func compression(_ method: Int, bits: Int, isOS2: Bool) throws(DecodingError) -> Compression {
    switch method {
    case 0: return .none
    case 1 where bits == 8: return .runs8
    case 2 where bits == 4: return .runs4
    case 3 where isOS2: throw .unsupported(.bmp, detail: "Huffman's code")
    case 4 where isOS2: throw .unsupported(.bmp, detail: "runs of colours")
    case 3 where bits >= 16, 6 where bits >= 16: return .none
    case 4, 5: throw .unsupported(.bmp, detail: "another format inside")
    default: throw .damaged(detail: "compression \(method) at \(bits) bits a pixel")
    }
  }

  private static func masks(
    _ file: FileReader, at offset: Int, count: Int, bits: Int
  ) throws(DecodingError) -> [BMPMask] {
    guard bits == 16 || bits == 32 else { return [] }
    guard count > 0 else {
      // Five bits per colour, or eight.
      return (bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]).map { BMPMask(bits: $0) }
    }
    var masks: [BMPMask] = []
    for index in 0..<count {
      guard let mask = file.littleEndian(offset + 4 * index, bytes: 4) else {
        throw .damaged(detail: "the file ends in its header")
      }
      masks.append(BMPMask(bits: UInt32(mask)))
    }
    return masks
  }

  /// Reads up to the given number of colours, stored as blue, green, red.
  private static func palette(
    _ file: FileReader, at start: Int, end: Int, count: Int, entryBytes: Int
  ) -> [SIMD4<UInt8>] {
    var colors: [SIMD4<UInt8>] = []
    for index in 0..<min(count, 256) {
      let place = start + index * entryBytes
      guard place + 3 <= end, let bytes = file.slice(place, 3) else { break }
      colors.append(SIMD4(bytes[2], bytes[1], bytes[0], 255))
    }
    return colors
  }
}

/// The bits of a pixel that hold a channel.
private struct BMPMask: Hashable {
  private let mask: UInt32
  private let shift: UInt32
  private let maximum: UInt32

  init(bits mask: UInt32) {
    self.mask = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    maximum = mask == 0 ? 0 : mask >> shift
  }

  /// Whether the channel exists.
  var isSet: Bool { mask != 0 }

  /// Returns the channel of a pixel, 0 to 255.
  func value(_ pixel: UInt32) -> UInt8 {
    guard maximum > 0 else { return 0 }
    let value = UInt64((pixel & mask) >> shift)
    return UInt8(truncatingIfNeeded: (value * 255 + UInt64(maximum) / 2) / UInt64(maximum))
  }
}

// MARK: - Run-length encoding

/// The rows of a run-length encoded bitmap: two bytes per command, rows from the bottom.
///
/// A command may move to another row. One pass over the commands therefore finds where each row begins; each row is
/// then decoded on demand, from the top as in the other bitmaps.
private struct BMPRuns {
  private struct Start {
    var offset: Int
    var column: Int
  }

  private enum Command {
    case run(count: Int, value: UInt8)
    case pixels(count: Int, offset: Int)
    case endOfRow
    case move(right: Int, up: Int)
    case end
  }

  private let file: FileReader
  private let header: BMPHeader
  /// The start of each row's commands, counted from the bottom row; nil for rows that are skipped or missing.
  private var starts: [Start?]
  /// Whether the commands end before the last row without an end marker.
  private(set) var isCutOff = false

  /// Scans the commands for the start of each row.
  ///
  /// - Complexity: O(bytes of the file).
  init(_ file: FileReader, _ header: BMPHeader, interruption: DecodingInterruption) throws(DecodingError) {
    self.file = file
    self.header = header
    starts = Array(repeating: nil, count: header.size.height)
    var meter = WorkMeter(interruption)
    var position = header.pixelOffset
    var row = 0
    var column = 0
    starts[0] = Start(offset: position, column: 0)
    while row < header.size.height {
      guard let command = command(at: &position) else {
        isCutOff = true
        return
      }
      switch command {
      case .run(let count, _), .pixels(let count, _):
        column += count
        continue
      case .endOfRow:
        row += 1
        column = 0
      case .move(let right, let up):
        column += right
        guard up > 0 else { continue }
        row += up
      case .end:
        return
      }
      if row < header.size.height { starts[row] = Start(offset: position, column: column) }
      try meter.add(header.size.width)
    }
  }

  /// Whether no row contains a pixel.
  var isEmpty: Bool {
    guard let first = starts.first.flatMap({ $0 }) else { return true }
    var position = first.offset
    return command(at: &position) == nil
  }

  /// Writes the palette indices of a row, counted from the bottom.
  ///
  /// Pixels that no command covers are unchanged.
  func draw(row: Int, into pixels: UnsafeMutableBufferPointer<Int16>) {
    guard let start = starts[row] else { return }
    var position = start.offset
    var column = start.column
    while let command = command(at: &position) {
      switch command {
      case .run(let count, let value):
        for index in 0..<count where column + index < pixels.count {
          pixels[column + index] = number(value, index)
        }
        column += count
      case .pixels(let count, let offset):
        for index in 0..<count where column + index < pixels.count {
          let byte = header.compression == .runs8 ? index : index / 2
          pixels[column + index] = number(file.byte(offset + byte) ?? 0, index)
        }
        column += count
      case .move(let right, 0):
        column += right
      case .endOfRow, .move, .end:
        return
      }
    }
  }

  /// Returns the palette index in a byte; the high half byte comes first.
  private func number(_ byte: UInt8, _ index: Int) -> Int16 {
    switch header.compression {
    case .runs4: Int16(index % 2 == 0 ? byte >> 4 : byte & 15)
    case .none, .runs8: Int16(byte)
    }
  }

  /// Reads the next command, or returns nil if the file ends before or inside it.
  private func command(at position: inout Int) -> Command? {
    guard let count = file.byte(position), let value = file.byte(position + 1) else { return nil }
    position += 2
    guard count == 0 else { return .run(count: Int(count), value: value) }
    switch value {
    case 0: return .endOfRow
    case 1: return .end
    case 2:
      guard let right = file.byte(position), let up = file.byte(position + 1) else { return nil }
      position += 2
      return .move(right: Int(right), up: Int(up))
    default:
      let bytes = header.compression == .runs8 ? Int(value) : (Int(value) + 1) / 2
      guard position + bytes <= file.count else { return nil }
      let start = position
      // Padded to an even number of bytes.
      position += (bytes + 1) / 2 * 2
      return .pixels(count: Int(value), offset: start)
    }
  }
}
