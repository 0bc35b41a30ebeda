import Geometry
import Rendering

/// A PNG file with texts before its pixels, as programs write thumbnails.
struct ThumbnailPNG {
  var bitmap: Bitmap
  /// Keywords and texts, in order.
  var texts: [(String, String)]

  /// The file's bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    bytes += chunk("IHDR", word(width) + word(height) + [8, 6, 0, 0, 0])
    for (keyword, text) in texts { bytes += chunk("tEXt", Array(keyword.utf8) + [0] + Array(text.utf8)) }
    return bytes + chunk("IDAT", deflated) + chunk("IEND", [])
  }

  /// The rows in blocks that are stored and not compressed.
  private var deflated: [UInt8] {
    var rows: [UInt8] = []
    bitmap.withPixels { pixels in
      for row in 0..<bitmap.size.height {
        rows += [0] + pixels[(row * bitmap.bytesPerRow)..<((row + 1) * bitmap.bytesPerRow)]
      }
    }
    var bytes: [UInt8] = [0x78, 0x01]
    var start = 0
    while start < rows.count {
      let end = min(start + 65_535, rows.count)
      let count = end - start
      bytes += [
        end == rows.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255),
      ]
      bytes += rows[start..<end]
      start = end
    }
    var (low, high) = (1, 0)
    for byte in rows {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return bytes + word(high << 16 | low)
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    var check: UInt32 = .max
    for byte in named {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 0 ? check >> 1 : check >> 1 ^ 0xEDB8_8320 }
    }
    return word(content.count) + named + word(Int(~check))
  }

  private func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
