/// Makes the boxes of a HEIC without its pixels.
struct HEICBoxes {
  /// One item, whose number is its place from 1 on.
  struct Item {
    var kind: String
    var width: Int
    var height: Int
    /// The content of its decoder's configuration.
    var configuration: [UInt8]?
    var parts: [Int] = []
    var alphaOf: Int?
    /// What a grid says of itself.
    var gridSize: (width: Int, height: Int)?
  }

  var primary = 1
  var items: [Item]

  /// The file; items' data stand in their box.
  var file: [UInt8] {
    let entries = items.enumerated().flatMap { index, item in
      box("infe", [2, 0, 0, 0] + big(index + 1, 2) + [0, 0] + Array(item.kind.utf8) + [0])
    }
    var references: [UInt8] = []
    var properties: [UInt8] = []
    var associations: [UInt8] = []
    var locations: [UInt8] = []
    var data: [UInt8] = []
    var places = 0
    var located = 0
    for (index, item) in items.enumerated() {
      let id = big(index + 1, 2)
      if !item.parts.isEmpty {
        references += box("dimg", id + big(item.parts.count, 2) + item.parts.flatMap { big($0, 2) })
      }
      if let other = item.alphaOf { references += box("auxl", id + [0, 1] + big(other, 2)) }
      properties += box("ispe", [0, 0, 0, 0] + big(item.width, 4) + big(item.height, 4))
      places += 1
      var own = [UInt8(places)]
      if let configuration = item.configuration {
        properties += box("hvcC", configuration)
        places += 1
        own.append(UInt8(places | 0x80))
      }
      associations += id + [UInt8(own.count)] + own
      guard let size = item.gridSize else { continue }
      located += 1
      locations += id + [0, 1, 0, 0, 0, 1] + big(data.count, 4) + big(12, 4)
      data += [0, 1, 0, 0] + big(size.width, 4) + big(size.height, 4)
    }
    let meta =
      box("pitm", [0, 0, 0, 0] + big(primary, 2))
      + box("idat", data) + box("iloc", [1, 0, 0, 0, 0x44, 0x00] + big(located, 2) + locations)
      + box("iinf", [0, 0, 0, 0] + big(items.count, 2) + entries) + box("iref", [0, 0, 0, 0] + references)
      + box("iprp", box("ipco", properties) + box("ipma", [0, 0, 0, 0] + big(items.count, 4) + associations))
    return box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + meta)
  }

  /// A decoder's configuration with one parameter set.
  static func configuration(width: Int, height: Int, chroma: Int = 1, bits: Int = 8, layers: Int = 0) -> [UInt8] {
    var set = EntropyBits()
    set.stuffs = false
    set.append(33 << 9 | 1, count: 16)
    set.append(0, count: 4)
    set.append(layers, count: 3)
    set.append(1, count: 1)
    for _ in 0..<12 { set.append(0x5A, count: 8) }
    // Every other layer has a profile of its own, and each a level.
    for layer in 0..<layers { set.append(layer.isMultiple(of: 2) ? 3 : 1, count: 2) }
    if layers > 0 { set.append(0, count: 2 * (8 - layers)) }
    for layer in 0..<layers { for _ in 0..<(layer.isMultiple(of: 2) ? 12 : 1) { set.append(0xA5, count: 8) } }
    func exponential(_ number: Int) {
      let length = Int.bitWidth - (number + 1).leadingZeroBitCount
      set.append(0, count: length - 1)
      set.append(number + 1, count: length)
    }
    for number in [0, chroma] { exponential(number) }
    if chroma == 3 { set.append(0, count: 1) }
    for number in [width, height] { exponential(number) }
    set.append(1, count: 1)
    for number in [0, 1, 0, 1, bits - 8, 0, 4] { exponential(number) }
    set.pad()
    var unit: [UInt8] = []
    for byte in set.bytes {
      if unit.suffix(2) == [0, 0], byte <= 3 { unit.append(3) }
      unit.append(byte)
    }
    return Array(repeating: 0, count: 22) + [1, 0xA1, 0, 1, UInt8(unit.count >> 8), UInt8(unit.count & 255)] + unit
  }

  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(name.utf8) + content
  }
}
