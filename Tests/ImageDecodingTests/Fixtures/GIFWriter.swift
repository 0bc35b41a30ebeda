/// Writes GIF files by hand, their pixels in codes of one width.
struct GIFWriter {
  let canvas: (width: Int, height: Int)
  /// R, G, B of each number: 2, 4, 8, up to 128 of them.
  var palette: [[UInt8]]
  var transparent: UInt8?
  var isInterlaced = false
  /// Whether the palette belongs to the frame.
  var hasOwnPalette = false

  /// A file with one frame of numbers.
  func file(left: Int = 0, top: Int = 0, rows: [[UInt8]]) -> [UInt8] {
    let bits = (1...7).first { 1 << $0 >= palette.count } ?? 7
    let colors = palette.flatMap { $0 } + [UInt8](repeating: 0, count: ((1 << bits) - palette.count) * 3)
    let flags = UInt8(0x80 | bits - 1)
    var out = Array("GIF89a".utf8) + little(canvas.width) + little(canvas.height)
    out += [hasOwnPalette ? 0 : flags, 0, 0] + (hasOwnPalette ? [] : colors)
    out += [0x21, 0xFE, 5] + Array("hello".utf8) + [0]
    if let transparent { out += [0x21, 0xF9, 4, 1, 0, 0, transparent, 0] }
    out += [0x2C] + little(left) + little(top) + little(rows[0].count) + little(rows.count)
    out += [(hasOwnPalette ? flags : 0) | (isInterlaced ? 0x40 : 0)] + (hasOwnPalette ? colors : [])
    let stored = isInterlaced ? GIFWriter.interlaced(rows) : rows
    return out + codes(stored.flatMap { $0 }, bits: max(2, bits)) + [0x3B]
  }

  /// Each number as a code of its own; a code that empties the table stands before it would make the codes longer.
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
