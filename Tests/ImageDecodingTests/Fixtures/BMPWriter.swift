/// Writes bitmaps by hand.
struct BMPWriter {
  let width: Int
  let height: Int
  var bits = 24
  var isTopDown = false
  /// The second header's length: 12, 40, 56, 108 or 124.
  var headerBytes = 40
  var compression = 0
  /// Red, green, blue and, in longer headers, alpha.
  var masks: [UInt32] = []
  /// R, G, B of each number.
  var palette: [[UInt8]] = []

  /// A file of pixels that are ready: rows in the file's order, padded.
  func file(pixels: [UInt8]) -> [UInt8] {
    var header = little(headerBytes, 4)
    let sideBytes = headerBytes == 12 ? 2 : 4
    header +=
      little(width, sideBytes) + little(isTopDown ? -height : height, sideBytes) + little(1, 2) + little(bits, 2)
    if headerBytes >= 40 {
      header +=
        little(compression, 4) + little(pixels.count, 4) + little(0, 8) + little(palette.count, 4) + little(0, 4)
    }
    var maskBytes: [UInt8] = []
    for mask in masks { maskBytes += little(Int(mask), 4) }
    if headerBytes > 40 { header += maskBytes }
    header += [UInt8](repeating: 0, count: max(0, headerBytes - header.count))
    if headerBytes == 40 { header += maskBytes }
    var colors: [UInt8] = []
    for color in palette { colors += [color[2], color[1], color[0]] + (headerBytes == 12 ? [] : [0]) }
    let offset = 14 + header.count + colors.count
    var out = Array("BM".utf8)
    out += little(offset + pixels.count, 4) + little(0, 4) + little(offset, 4)
    return out + header + colors + pixels
  }

  /// A file of rows from the top, each as bytes without padding.
  func file(rows: [[UInt8]]) -> [UInt8] {
    let padded = rows.map { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) }
    return file(pixels: (isTopDown ? padded : padded.reversed()).flatMap { $0 })
  }

  /// A file of numbers in a palette, a row after the other from the top.
  func file(numbers: [[Int]]) -> [UInt8] {
    let perByte = 8 / bits
    return file(
      rows: numbers.map { row in
        stride(from: 0, to: row.count, by: perByte).map { start in
          (0..<perByte).reduce(0) { byte, index in
            let number = start + index < row.count ? row[start + index] : 0
            return byte | UInt8(number << (8 - bits * (index + 1)))
          }
        }
      })
  }

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
