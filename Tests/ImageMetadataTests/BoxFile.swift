/// Writes the boxes of a HEIC or AVIF by hand: a primary item, its properties, its preview and its EXIF data.
struct BoxFile {
  /// Where a property stands that is to be put together.
  enum Property {
    case size(Int, Int)
    case turn(Int)
    case mirror(Int)
    case aperture([Int])
    case other(String)
  }

  var brand = "heic"
  var properties: [Property] = []
  var exif: [UInt8]?
  var preview: [UInt8]?
  /// Whether numbers of items take four bytes, and those of properties two.
  var isLarge = false
  /// Bytes between the boxes and what they speak of.
  var gap = 0
  /// Boxes before the one that counts.
  var leading: [UInt8] = []
  /// How places are said to be counted: 0 from the file's beginning.
  var method = 0

  private static let primary = 7
  private static let thumbnail = 8
  private static let metadata = 9

  /// The file.
  var bytes: [UInt8] {
    let start = BoxFile.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1".utf8)) + leading
    // The places are known once the length of the boxes is.
    let length = meta(at: 0).count
    let data = start.count + length + gap
    return start + meta(at: data) + [UInt8](repeating: 0x55, count: gap) + (preview ?? []) + (exifItem ?? [])
  }

  private var exifItem: [UInt8]? { exif.map { [0, 0, 0, 6] + Array("Exif\0\0".utf8) + $0 } }

  private func meta(at data: Int) -> [UInt8] {
    var content: [UInt8] = [0, 0, 0, 0]
    content += BoxFile.box(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    content += full("pitm", id(BoxFile.primary))
    content += full(
      "iinf",
      number(3, isLarge ? 4 : 2) + entry(BoxFile.primary, "hvc1") + entry(BoxFile.thumbnail, "hvc1")
        + entry(BoxFile.metadata, "Exif"))
    var references = BoxFile.box("cdsc", id(BoxFile.metadata) + number(1, 2) + id(BoxFile.primary))
    if preview != nil { references += BoxFile.box("thmb", id(BoxFile.thumbnail) + number(1, 2) + id(BoxFile.primary)) }
    content += full("iref", references)
    content += BoxFile.box("iprp", BoxFile.box("ipco", properties.flatMap(property)) + associations)
    content += locations(at: data)
    return BoxFile.box("meta", content)
  }

  private var associations: [UInt8] {
    let indexes = properties.indices.flatMap { isLarge ? number($0 + 1 | 0x8000, 2) : [UInt8($0 + 1 | 0x80)] }
    let other = id(BoxFile.thumbnail) + [0]
    return BoxFile.box(
      "ipma",
      [isLarge ? 1 : 0, 0, 0, isLarge ? 1 : 0] + number(2, 4) + other + id(BoxFile.primary) + [UInt8(properties.count)]
        + indexes)
  }

  private func locations(at data: Int) -> [UInt8] {
    let items = [
      (BoxFile.thumbnail, data, preview?.count ?? 0),
      (BoxFile.metadata, data + (preview?.count ?? 0), exifItem?.count ?? 0),
    ]
    let version: UInt8 = isLarge ? 2 : 1
    var content: [UInt8] = [version, 0, 0, 0, 0x44, 0x40] + number(items.count, isLarge ? 4 : 2)
    for (item, place, count) in items {
      content +=
        id(item) + number(method, 2) + [0, 0] + number(0, 4) + number(1, 2) + number(place, 4) + number(count, 4)
    }
    return BoxFile.box("iloc", content)
  }

  private func property(_ property: Property) -> [UInt8] {
    switch property {
    case .size(let width, let height): BoxFile.box("ispe", [0, 0, 0, 0] + number(width, 4) + number(height, 4))
    case .turn(let quarters): BoxFile.box("irot", [UInt8(quarters)])
    case .mirror(let mode): BoxFile.box("imir", [UInt8(mode)])
    case .aperture(let numbers): BoxFile.box("clap", numbers.flatMap { number($0, 4) })
    case .other(let name): BoxFile.box(name, [1, 2, 3])
    }
  }

  private func entry(_ item: Int, _ type: String) -> [UInt8] {
    BoxFile.box("infe", [isLarge ? 3 : 2, 0, 0, 0] + id(item) + [0, 0] + Array(type.utf8) + [0])
  }

  private func full(_ name: String, _ content: [UInt8]) -> [UInt8] {
    BoxFile.box(name, [isLarge ? 1 : 0, 0, 0, 0] + content)
  }

  private func id(_ item: Int) -> [UInt8] { number(item, isLarge ? 4 : 2) }

  private func number(_ value: Int, _ count: Int) -> [UInt8] { HeaderFixture.big(value, count) }

  /// A box.
  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    HeaderFixture.big(content.count + 8, 4) + Array(name.utf8) + content
  }
}
