import Glibc
import Rendering

@testable import ImageDecoding

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

/// Writes ICC profiles: three primaries and a curve, or a curve for grey.
struct ICCProfileWriter {
  /// X, Y and Z of red, green and blue under daylight of 5,000 kelvin.
  var primaries: [[Double]] = ICCProfileWriter.standard
  var curve = Curve.parametric
  var isGrey = false

  /// The conversion of levels to light.
  enum Curve {
    /// The formula of sRGB.
    case parametric
    /// The curve of sRGB as a table.
    case table
    /// A power function.
    case gamma(Double)
  }

  static let standard = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]]
  /// Primaries with red and green exchanged, so that the conversion is unmistakable.
  static let exchanged = [standard[1], standard[0], standard[2]]

  /// The bytes of the profile.
  var bytes: [UInt8] {
    var tags: [(String, [UInt8])] = [("wtpt", xyz([0.9642, 1, 0.8249]))]
    if isGrey {
      tags.append(("kTRC", curveBytes))
    } else {
      for (name, values) in zip(["rXYZ", "gXYZ", "bXYZ"], primaries) { tags.append((name, xyz(values))) }
      for name in ["rTRC", "gTRC", "bTRC"] { tags.append((name, curveBytes)) }
    }
    var table = big(tags.count, 4)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for (name, content) in tags {
      table += Array(name.utf8) + big(start + data.count, 4) + big(content.count, 4)
      data += content
      while data.count % 4 != 0 { data.append(0) }
    }
    var header = big(start + data.count, 4) + [0, 0, 0, 0, 4, 0x30, 0, 0] + Array("mntr".utf8)
    header += Array((isGrey ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private var curveBytes: [UInt8] {
    switch curve {
    case .parametric:
      return Array("para".utf8) + big(0, 4) + big(3, 2) + big(0, 2)
        + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    case .table:
      let levels = (0..<1024).map { step -> [UInt8] in
        let level = Double(step) / 1023
        let light = level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        return big(Int((light * 65_535).rounded()), 2)
      }
      return Array("curv".utf8) + big(0, 4) + big(1024, 4) + levels.flatMap { $0 }
    case .gamma(let power):
      return Array("curv".utf8) + big(0, 4) + big(1, 4) + big(Int((power * 256).rounded()), 2) + [0, 0]
    }
  }

  private func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ ".utf8) + big(0, 4) + values.flatMap(fixed) }

  private func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded()), 4) }

  private func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
