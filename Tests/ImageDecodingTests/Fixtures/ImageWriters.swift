import VitrineRendering

// MARK: - BMP

/// Writes BMP files.
struct BMPWriter {
  let width: Int
  let height: Int
  var bits = 24
  var isTopDown = false
  /// The length of the second header: 12, 40, 56, 108 or 124 bytes.
  var headerBytes = 40
  var compression = 0
  /// The masks of red, green, blue and, in longer headers, alpha.
  var masks: [UInt32] = []
  /// R, G and B of each palette index.
  var palette: [[UInt8]] = []

  /// Returns a file with encoded pixels: padded rows in the order of the file.
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

  /// Returns a file with rows from the top, as bytes without padding.
  func file(rows: [[UInt8]]) -> [UInt8] {
    let padded = rows.map { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) }
    return file(pixels: (isTopDown ? padded : padded.reversed()).flatMap { $0 })
  }

  /// Returns a file with rows of palette indices from the top.
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

// MARK: - GIF

/// Writes GIF files whose codes all have the same width.
struct GIFWriter {
  let canvas: (width: Int, height: Int)
  /// R, G and B of each index: 2, 4, 8, up to 128 entries.
  var palette: [[UInt8]]
  var transparent: UInt8?
  var isInterlaced = false
  /// Whether the palette belongs to the frame.
  var hasOwnPalette = false

  /// A frame of palette indices.
  struct Frame {
    var left = 0
    var top = 0
    var rows: [[UInt8]]
    /// What happens to the frame before the next one: 2 clears it, 3 restores what was there.
    var disposal: UInt8 = 0
    /// Hundredths of a second.
    var delay = 0
  }

  private var bits: Int { (1...7).first { 1 << $0 >= palette.count } ?? 7 }
  private var flags: UInt8 { UInt8(0x80 | bits - 1) }
  private var colors: [UInt8] {
    palette.flatMap { $0 } + [UInt8](repeating: 0, count: ((1 << bits) - palette.count) * 3)
  }

  /// Returns a file with one frame of palette indices.
  func file(left: Int = 0, top: Int = 0, rows: [[UInt8]]) -> [UInt8] {
    file([Frame(left: left, top: top, rows: rows)])
  }

  /// Returns a file with frames.
  func file(_ frames: [Frame]) -> [UInt8] {
    var out = Array("GIF89a".utf8) + little(canvas.width) + little(canvas.height)
    out += [hasOwnPalette ? 0 : flags, 0, 0] + (hasOwnPalette ? [] : colors)
    out += [0x21, 0xFE, 5] + Array("hello".utf8) + [0]
    return out + frames.flatMap(block) + [0x3B]
  }

  /// Returns the blocks of a frame.
  private func block(_ frame: Frame) -> [UInt8] {
    var out: [UInt8] = []
    if transparent != nil || frame.disposal > 0 || frame.delay > 0 {
      out += [0x21, 0xF9, 4, frame.disposal << 2 | (transparent == nil ? 0 : 1)] + little(frame.delay)
      out += [transparent ?? 0, 0]
    }
    out += [0x2C] + little(frame.left) + little(frame.top) + little(frame.rows[0].count) + little(frame.rows.count)
    out += [(hasOwnPalette ? flags : 0) | (isInterlaced ? 0x40 : 0)] + (hasOwnPalette ? colors : [])
    let stored = isInterlaced ? GIFWriter.interlaced(frame.rows) : frame.rows
    return out + codes(stored.flatMap { $0 }, bits: max(2, bits))
  }

  /// Returns the block with one code per index.
  ///
  /// A clear code precedes the index at which the codes would become longer.
  private func codes(_ numbers: [UInt8], bits: Int) -> [UInt8] {
    let clear = 1 << bits
    var codes: [Int] = []
    for (index, number) in numbers.enumerated() {
      if index % (clear - 2) == 0 { codes.append(clear) }
      codes.append(Int(number))
    }
    codes.append(clear + 1)
    var bytes: [UInt8] = []
    var store = 0
    var stored = 0
    for code in codes {
      store |= code << stored
      stored += bits + 1
      while stored >= 8 {
        bytes.append(UInt8(store & 255))
        store >>= 8
        stored -= 8
      }
    }
    if stored > 0 { bytes.append(UInt8(store & 255)) }
    var out = [UInt8(bits)]
    for start in stride(from: 0, to: bytes.count, by: 255) {
      let block = bytes[start..<min(bytes.count, start + 255)]
      out += [UInt8(block.count)] + block
    }
    return out + [0]
  }

  private static func interlaced(_ rows: [[UInt8]]) -> [[UInt8]] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
      stride(from: start, to: rows.count, by: step).map { rows[$0] }
    }
  }

  private func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}

// MARK: - QOI

/// Writes QOI files with every kind of chunk of the format.
enum QOIWriter {
  /// Returns a file of an image.
  static func file(_ picture: TestPicture, channels: UInt8 = 4) -> [UInt8] {
    var out = Array("qoif".utf8) + big(picture.width) + big(picture.height) + [channels, 0]
    var seen = [[UInt8]](repeating: [0, 0, 0, 0], count: 64)
    var last: [UInt8] = [0, 0, 0, 255]
    var run: UInt8 = 0
    func endRun() {
      if run > 0 { out.append(0xC0 | (run - 1)) }
      run = 0
    }
    for start in stride(from: 0, to: picture.bytes.count, by: 4) {
      let pixel = Array(picture.bytes[start..<start + 4])
      if pixel == last {
        run += 1
        if run == 62 { endRun() }
        continue
      }
      endRun()
      let hash = (Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11) % 64
      let step = (0..<3).map { Int(Int8(bitPattern: pixel[$0] &- last[$0])) }
      if seen[hash] == pixel {
        out.append(UInt8(hash))
      } else if pixel[3] != last[3] {
        out += [0xFF] + pixel
      } else if step.allSatisfy({ (-2...1).contains($0) }) {
        out.append(0x40 | UInt8(step[0] + 2) << 4 | UInt8(step[1] + 2) << 2 | UInt8(step[2] + 2))
      } else if (-32...31).contains(step[1]), [step[0] - step[1], step[2] - step[1]].allSatisfy((-8...7).contains) {
        out += [0x80 | UInt8(step[1] + 32), UInt8(step[0] - step[1] + 8) << 4 | UInt8(step[2] - step[1] + 8)]
      } else {
        out += [0xFE] + pixel.prefix(3)
      }
      seen[hash] = pixel
      last = pixel
    }
    endRun()
    return out + [0, 0, 0, 0, 0, 0, 0, 1]
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}

// MARK: - TIFF

/// Writes TIFF files with uncompressed samples.
struct TIFFWriter {
  let width: Int
  let height: Int
  var isBigEndian = false
  /// Whether offsets have eight bytes.
  var isLong = false
  var bits = 8
  var samples = 3
  /// 0 and 1 for grey, 2 for colors, 3 for a palette, and 5 for inks.
  var photometric = 2
  var orientation = 1
  /// 1 for premultiplied alpha, 2 for straight alpha.
  var extraSample: Int?
  /// 1 for unsigned integers, 2 for signed integers, and 3 for floating-point numbers.
  var sampleFormat = 1
  /// Whether each component has its own strips: the rows are those of the first component, then the second, and so on.
  var isPlanar = false
  var rowsPerStrip: Int?
  /// The side of the tiles in pixels, or nil for strips.
  var tileSide: Int?
  /// Red, green and blue of each index, with 16 bits each.
  var palette: [[Int]] = []
  var profile: [UInt8] = []

  /// Returns a file with rows of stored bytes without padding.
  func file(rows: [[UInt8]]) -> [UInt8] {
    let pieces = tileSide.map { tiles(rows, side: $0) } ?? strips(rows)
    var out = number(isBigEndian ? 0x4D4D : 0x4949, 2) + number(isLong ? 43 : 42, 2)
    if isLong { out += number(8, 2) + number(0, 2) }
    let pixelStart = isLong ? 16 : 8
    var offsets: [Int] = []
    var offset = pixelStart
    for piece in pieces {
      offsets.append(offset)
      offset += piece.count
    }
    var body = pieces.flatMap { $0 }
    if body.count % 2 == 1 { body.append(0) }
    let directory = directory(offsets, pieces.map(\.count), extraAt: pixelStart + body.count)
    out += number(pixelStart + body.count + directory.extra.count, isLong ? 8 : 4)
    return out + body + directory.extra + directory.lines
  }

  private func directory(
    _ offsets: [Int], _ counts: [Int], extraAt: Int
  ) -> (lines: [UInt8], extra: [UInt8]) {
    let short = 3
    let long = 4
    var entries: [(tag: Int, type: Int, values: [Int])] = [
      (256, long, [width]), (257, long, [height]), (258, short, Array(repeating: bits, count: samples)),
      (259, short, [1]), (262, short, [photometric]),
    ]
    if tileSide == nil { entries.append((273, long, offsets)) }
    entries += [(274, short, [orientation]), (277, short, [samples])]
    if let side = tileSide {
      entries += [(322, long, [side]), (323, long, [side]), (324, long, offsets), (325, long, counts)]
    } else {
      entries += [(278, long, [rowsPerStrip ?? height]), (279, long, counts)]
    }
    if !palette.isEmpty { entries.append((320, short, (0..<3).flatMap { channel in palette.map { $0[channel] } })) }
    if let extraSample { entries.append((338, short, [extraSample])) }
    if sampleFormat != 1 { entries.append((339, short, Array(repeating: sampleFormat, count: samples))) }
    if isPlanar { entries.append((284, short, [2])) }
    if !profile.isEmpty { entries.append((34_675, 7, profile.map { Int($0) })) }
    entries.sort { $0.tag < $1.tag }
    var extra: [UInt8] = []
    var lines = number(entries.count, isLong ? 8 : 2)
    let valueBytes = isLong ? 8 : 4
    for entry in entries {
      let size = [short: 2, long: 4][entry.type] ?? 1
      lines += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, valueBytes)
      let bytes = entry.values.flatMap { number($0, size) }
      if bytes.count <= valueBytes {
        lines += bytes + [UInt8](repeating: 0, count: valueBytes - bytes.count)
      } else {
        lines += number(extraAt + extra.count, valueBytes)
        extra += bytes + (bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return (lines + number(0, valueBytes), extra)
  }

  private func strips(_ rows: [[UInt8]]) -> [[UInt8]] {
    stride(from: 0, to: rows.count, by: height).flatMap { first in
      stride(from: 0, to: height, by: rowsPerStrip ?? height).map { start in
        rows[first + start..<first + min(height, start + (rowsPerStrip ?? height))].flatMap { $0 }
      }
    }
  }

  private func tiles(_ rows: [[UInt8]], side: Int) -> [[UInt8]] {
    let pixelBytes = samples * bits / 8
    return stride(from: 0, to: height, by: side).flatMap { top in
      stride(from: 0, to: width, by: side).map { left in
        (top..<top + side).flatMap { y -> [UInt8] in
          let row = y < height ? Array(rows[y].dropFirst(left * pixelBytes).prefix(side * pixelBytes)) : []
          return row + [UInt8](repeating: 0, count: side * pixelBytes - row.count)
        }
      }
    }
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }
}
