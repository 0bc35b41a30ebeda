/// Writes the boxes of a HEIC file without its pixels.
struct HEICBoxWriter {
  /// An item, whose ID is its index plus one.
  struct Item {
    var kind: String
    var width: Int
    var height: Int
    /// The content of its decoder configuration.
    var configuration: [UInt8]?
    var parts: [Int] = []
    var alphaOf: Int?
    /// The type of an auxiliary item.
    var auxiliary = "urn:mpeg:hevc:2015:auxid:1"
    /// The canvas size in the description of a grid or an overlay.
    var gridSize: (width: Int, height: Int)?
    /// The construction method of the description: 1 for the box of item data.
    var constructionMethod = 1
    /// The number of extents of the description.
    var extentCount = 1
    /// The number of location entries of the item.
    var locationCount = 1
    /// A second decoder configuration of the item.
    var otherConfiguration: [UInt8]?
  }

  var primary = 1
  var items: [Item]
  /// The name of a box that occurs twice.
  var repeated: String?
  /// The number of empty boxes before all others.
  var fillers = 0

  /// The file, with the descriptions in the box of item data.
  var file: [UInt8] {
    let entries = items.enumerated().flatMap { index, item in
      box("infe", [2, 0, 0, 0] + big(index + 1, 2) + [0, 0] + Array(item.kind.utf8) + [0])
    }
    var references: [UInt8] = []
    var properties: [UInt8] = []
    var associations: [UInt8] = []
    var laterAssociations: [UInt8] = []
    var locations: [UInt8] = []
    var data: [UInt8] = []
    var propertyCount = 0
    var locationEntryCount = 0
    for (index, item) in items.enumerated() {
      let id = big(index + 1, 2)
      if !item.parts.isEmpty {
        references += box("dimg", id + big(item.parts.count, 2) + item.parts.flatMap { big($0, 2) })
      }
      if let other = item.alphaOf { references += box("auxl", id + [0, 1] + big(other, 2)) }
      properties += box("ispe", [0, 0, 0, 0] + big(item.width, 4) + big(item.height, 4))
      propertyCount += 1
      var own = [UInt8(propertyCount)]
      if let configuration = item.configuration {
        properties += box("hvcC", configuration)
        propertyCount += 1
        own.append(UInt8(propertyCount | 0x80))
      }
      if item.alphaOf != nil {
        properties += box("auxC", [0, 0, 0, 0] + Array(item.auxiliary.utf8) + [0])
        propertyCount += 1
        own.append(UInt8(propertyCount | 0x80))
      }
      associations += id + [UInt8(own.count)] + own
      if let configuration = item.otherConfiguration {
        properties += box("hvcC", configuration)
        propertyCount += 1
        laterAssociations += id + [1, UInt8(propertyCount)]
      }
      guard let size = item.gridSize else { continue }
      let extents = (0..<item.extentCount).flatMap { _ in big(data.count, 4) + big(item.kind == "grid" ? 12 : 18, 4) }
      for _ in 0..<item.locationCount {
        locationEntryCount += 1
        locations += id + [0, UInt8(item.constructionMethod), 0, 0] + big(item.extentCount, 2) + extents
      }
      data += [0, 1] + Array(repeating: 0, count: item.kind == "grid" ? 2 : 8)
      data += big(size.width, 4) + big(size.height, 4)
    }
    let later = items.count { $0.otherConfiguration != nil }
    let contents: [(name: String, content: [UInt8])] = [
      ("pitm", [0, 0, 0, 0] + big(primary, 2)), ("idat", data),
      ("iloc", [1, 0, 0, 0, 0x44, 0x00] + big(locationEntryCount, 2) + locations),
      ("iinf", [0, 0, 0, 0] + big(items.count, 2) + entries), ("iref", [0, 0, 0, 0] + references),
      (
        "iprp",
        box("ipco", properties) + box("ipma", [0, 0, 0, 0] + big(items.count, 4) + associations)
          + box("ipma", [0, 0, 0, 0] + big(later, 4) + laterAssociations)
      ),
    ]
    let empty = (0..<fillers).flatMap { _ in box("free", []) }
    let boxes = contents.flatMap { name, content in
      Array(repeating: box(name, content), count: name == repeated ? 2 : 1).flatMap { $0 }
    }
    let meta = box("meta", [0, 0, 0, 0] + empty + boxes)
    return box("ftyp", Array("heic".utf8)) + meta + (repeated == "meta" ? meta : [])
  }

  /// Returns a decoder configuration with one parameter set.
  static func configuration(width: Int, height: Int, chroma: Int = 1, bits: Int = 8, layers: Int = 0) -> [UInt8] {
    var set = EntropyBits()
    set.usesByteStuffing = false
    set.append(33 << 9 | 1, count: 16)
    set.append(0, count: 4)
    set.append(layers, count: 3)
    set.append(1, count: 1)
    for _ in 0..<12 { set.append(0x5A, count: 8) }
    // Every second layer has a profile, and each layer has a level.
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
