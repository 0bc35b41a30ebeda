/// Writes TIFF files by hand, their samples stored and not compressed.
struct TIFFWriter {
  let width: Int
  let height: Int
  var isBigEndian = false
  /// Whether offsets take eight bytes.
  var isLong = false
  var bits = 8
  var samples = 3
  /// 0 and 1 grey, 2 colours, 3 a palette, 5 inks.
  var photometric = 2
  var orientation = 1
  /// 1 premultiplied alpha, 2 alpha.
  var extraSample: Int?
  /// 1 whole numbers, 2 such with a sign, 3 floating-point numbers.
  var sampleFormat = 1
  /// Whether each kind of sample has strips of its own: then the rows are those of the first kind, the second and so on.
  var isPlanar = false
  var rowsPerStrip: Int?
  /// Tiles of so many pixels a side, in place of strips.
  var tileSide: Int?
  /// Red, green and blue of each number, 16 bits each.
  var palette: [[Int]] = []
  var profile: [UInt8] = []

  /// A file of rows of bytes as they are to be stored, without padding.
  func file(rows: [[UInt8]]) -> [UInt8] {
    let pieces = tileSide.map { tiles(rows, side: $0) } ?? strips(rows)
    var out = number(isBigEndian ? 0x4D4D : 0x4949, 2) + number(isLong ? 43 : 42, 2)
    if isLong { out += number(8, 2) + number(0, 2) }
    let pixelStart = isLong ? 16 : 8
    var offsets: [Int] = []
    var place = pixelStart
    for piece in pieces {
      offsets.append(place)
      place += piece.count
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
    let room = isLong ? 8 : 4
    for entry in entries {
      let size = [short: 2, long: 4][entry.type] ?? 1
      lines += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, room)
      let bytes = entry.values.flatMap { number($0, size) }
      if bytes.count <= room {
        lines += bytes + [UInt8](repeating: 0, count: room - bytes.count)
      } else {
        lines += number(extraAt + extra.count, room)
        extra += bytes + (bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return (lines + number(0, room), extra)
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
