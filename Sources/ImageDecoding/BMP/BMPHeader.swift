import Geometry
import ImageMetadata

/// What stands before a bitmap's pixels.
///
/// Three families share the two letters: that of OS/2 1 (12 bytes), of Windows (40 and more) and of OS/2 2 (16 or 64).
struct BMPHeader: Hashable {
  /// How rows are stored.
  enum Compression: Hashable {
    /// As they are.
    case none
    /// Runs of bytes.
    case runs8
    /// Runs of half bytes.
    case runs4
  }

  let size: PixelSize
  /// Whether the first row in the file is the top one.
  let isTopDown: Bool
  /// 1, 2, 4, 8, 16, 24 or 32.
  let bitsPerPixel: Int
  let compression: Compression
  /// Where the pixels begin.
  let pixelOffset: Int
  /// R, G, B of each number, for eight bits a pixel and fewer.
  let palette: [SIMD4<UInt8>]
  /// Which bits are red, green, blue and alpha, for 16 and 32 bits a pixel.
  let masks: [BMPMask]

  private static let fileHeaderBytes = 14

  /// Reads it.
  ///
  /// - Throws: ``DecodingError/damaged(detail:)``, ``DecodingError/unsupported(_:detail:)``.
  init(_ file: FileReader) throws(DecodingError) {
    let start = BMPHeader.fileHeaderBytes
    guard let headerBytes = file.little(start, bytes: 4), let declaredOffset = file.little(10, bytes: 4) else {
      throw .damaged(detail: "the file ends in its header")
    }
    let isOldest = headerBytes == 12
    let sideBytes = isOldest ? 2 : 4
    guard let width = file.little(start + 4, bytes: sideBytes),
      let storedHeight = file.little(start + 4 + sideBytes, bytes: sideBytes),
      let bits = file.little(start + 6 + 2 * sideBytes, bytes: 2)
    else { throw .damaged(detail: "the file ends in its header") }
    let height = isOldest ? storedHeight : Int(Int32(truncatingIfNeeded: storedHeight))
    guard let size = PixelSize(width: width, height: abs(height)) else { throw .damaged(detail: "no size") }
    guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else { throw .damaged(detail: "\(bits) bits a pixel") }
    let method = headerBytes >= 40 ? file.little(start + 16, bytes: 4) ?? 0 : 0
    let isOS2 = headerBytes == 16 || headerBytes == 64
    self.size = size
    isTopDown = height < 0
    bitsPerPixel = bits
    compression = try BMPHeader.compression(method, bits: bits, isOS2: isOS2)
    guard compression == .none || !isTopDown else { throw .damaged(detail: "runs from the top") }

    let hasMasks = (method == 3 || method == 6) && (bits == 16 || bits == 32) && !isOS2
    // The short header is followed by its masks; the longer ones hold them.
    let maskCount = headerBytes >= 56 || method == 6 ? 4 : 3
    let masksAfter = hasMasks && headerBytes == 40 ? 4 * maskCount : 0
    masks = try BMPHeader.masks(file, at: start + 40, count: hasMasks ? maskCount : 0, bits: bits)

    let paletteStart = start + headerBytes + masksAfter
    let usedColors = headerBytes >= 40 ? file.little(start + 32, bytes: 4) ?? 0 : 0
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

  /// Bytes of a row that is not compressed.
  var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

  /// Whether a pixel may be anything but opaque.
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
      // Five bits a colour, or eight.
      return (bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]).map { BMPMask(bits: $0) }
    }
    var masks: [BMPMask] = []
    for index in 0..<count {
      guard let mask = file.little(offset + 4 * index, bytes: 4) else {
        throw .damaged(detail: "the file ends in its header")
      }
      masks.append(BMPMask(bits: UInt32(mask)))
    }
    return masks
  }

  /// Reads as many colours as there are, in the order blue, green, red.
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
