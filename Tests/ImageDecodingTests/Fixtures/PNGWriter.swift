import Glibc
import VitrineRendering

@testable import VitrineImageDecodingCore

/// Writes PNG files with uncompressed pixels.
struct PNGWriter {
  /// The color type of the pixels.
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
  /// The maximum number of bytes per pixel chunk.
  var bytesPerChunk = Int.max

  /// Returns a file of an image, with or without alpha.
  static func file(_ picture: TestPicture, withAlpha: Bool = false, isInterlaced: Bool = false) -> [UInt8] {
    var writer = PNGWriter(width: picture.width, height: picture.height)
    writer.kind = withAlpha ? .colorAlpha : .color
    writer.isInterlaced = isInterlaced
    return writer.file(picture)
  }

  /// Returns a file of an image in the writer's format.
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

  /// Returns a file with encoded rows, each with its filter byte.
  func file(rows: [UInt8]) -> [UInt8] { file(stream: PNGWriter.stored(rows)) }

  /// Returns a file with a zlib stream of encoded rows.
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

  /// Returns a zlib stream of a zero and 258 more per repetition, in the fixed code and without its checksum.
  static func zeros(repeating count: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]
    // The zero itself, and then repeatedly the longest length with the shortest distance.
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<count { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0]
    while bits.count % 8 != 0 { bits.append(0) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    return [0x78, 0x9C] + bytes + [0, 0, 0, 0]
  }

  /// Returns a zlib stream of stored blocks (RFC 1950 and 1951).
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

// MARK: - Checksum

/// The checksum of PNG chunks (ISO/IEC 15948, annex D).
struct CRC32 {
  private var register: UInt32 = 0xFFFF_FFFF

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  /// The checksum of all bytes so far.
  var value: UInt32 { ~register }

  /// Adds bytes to the checksum.
  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    CRC32.table.withUnsafeBufferPointer { table in
      var register = register
      for byte in bytes { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
      self.register = register
    }
  }
}

// MARK: - Color profiles
