import Rendering

@testable import ImageDecoding

/// Writes PNG files by hand, their pixels stored and not compressed.
struct PNGWriter {
  /// How a pixel is stored.
  enum Kind: UInt8 {
    case grey = 0
    case color = 2
    case palette = 3
    case greyAlpha = 4
    case colorAlpha = 6
  }

  let width: Int
  let height: Int
  var kind = Kind.color
  var bitDepth: UInt8 = 8
  var isInterlaced = false
  /// Chunks between the header and the pixels.
  var chunks: [[UInt8]] = []
  /// The pixels are cut into chunks of so many bytes.
  var bytesPerChunk = Int.max

  /// A file of a picture, as colours with alpha or without.
  static func file(_ picture: TestPicture, withAlpha: Bool = false, isInterlaced: Bool = false) -> [UInt8] {
    var writer = PNGWriter(width: picture.width, height: picture.height)
    writer.kind = withAlpha ? .colorAlpha : .color
    writer.isInterlaced = isInterlaced
    return writer.file(picture)
  }

  /// A file of a picture in this writer's form.
  func file(_ picture: TestPicture) -> [UInt8] {
    let passes = isInterlaced ? Adam7.passes : [Adam7(startX: 0, startY: 0, stepX: 1, stepY: 1)]
    var rows: [UInt8] = []
    for pass in passes where pass.startX < width {
      for y in stride(from: pass.startY, to: height, by: pass.stepY) {
        rows.append(0)
        for x in stride(from: pass.startX, to: width, by: pass.stepX) {
          let color = picture[x, y]
          rows += [color.red, color.green, color.blue]
          if kind == .colorAlpha { rows.append(color.alpha) }
        }
      }
    }
    return file(rows: rows)
  }

  /// A file of rows that are ready, each with its filter's byte.
  func file(rows: [UInt8]) -> [UInt8] { file(stream: PNGWriter.stored(rows)) }

  /// A file of a zlib stream of such rows.
  func file(stream: [UInt8]) -> [UInt8] {
    var out = PNGWriter.signature
    let header = PNGWriter.big(width) + PNGWriter.big(height) + [bitDepth, kind.rawValue, 0, 0, isInterlaced ? 1 : 0]
    out += PNGWriter.chunk("IHDR", header)
    for chunk in chunks { out += chunk }
    var pixels = stream[...]
    while !pixels.isEmpty {
      let part = pixels.prefix(bytesPerChunk)
      out += PNGWriter.chunk("IDAT", Array(part))
      pixels = pixels.dropFirst(part.count)
    }
    return out + PNGWriter.chunk("IEND", [])
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var sum = CRC32()
    body.withUnsafeBytes { sum.combine($0) }
    return big(content.count) + body + big(Int(sum.value))
  }

  static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A zlib stream of a nought and 258 more for each repetition, in the fixed code; without its checksum.
  static func noughts(repeating count: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]
    // The nought itself, then the longest length and the shortest distance, again and again.
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<count { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0]
    while bits.count % 8 != 0 { bits.append(0) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    return [0x78, 0x9C] + bytes + [0, 0, 0, 0]
  }

  /// A zlib stream of stored blocks (RFC 1950 and 1951).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(truncatingIfNeeded: part.count), UInt8(truncatingIfNeeded: part.count >> 8))
      out += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
      out += part
    } while !rest.isEmpty
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return out + big(Int(b << 16 | a))
  }
}
