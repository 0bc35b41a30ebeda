/// What a HEIC's boxes say of its items: their kind, their extent, and of which others they are made.
struct ItemTable {
  /// One item.
  struct Item {
    /// The four letters of its kind: `hvc1` for what is coded, `grid` for what is put together of tiles.
    var kind = ""
    /// The extent that it is said to have.
    var size: (width: Int, height: Int)?
    /// What its stream decodes to, where it is HEVC; the largest, where it is said several times.
    var coded: HEVCExtent?
    /// Whether a decoder's configuration of it cannot be read.
    var hasUnknownStream = false
    /// The extent of a grid or of an overlay, by its own words.
    var canvas: (width: Int, height: Int)?
    /// The items that it is made of.
    var parts: [Int] = []
    /// The items that say whose they are: its alpha, its depth.
    var companions: [Int] = []
    /// How it is turned and mirrored, in the order of its properties: `irot` and `imir`, each with its one byte.
    var turns: [Turn] = []
    /// Whether it is alpha, and not depth or what else is said beside a picture and never decoded with it.
    var isAlpha = false
  }

  /// A property that turns or mirrors an item.
  struct Turn: Hashable {
    var name: String
    var value: UInt8
  }

  /// The item that is the picture.
  private(set) var primary = -1
  /// Whether all of the table was read, and no box or item is described twice: readers choose differently then.
  private(set) var isSound = true
  private var items: [Int: Item] = [:]

  private static let mostItems = 1 << 14
  private static let single: Set<String> = ["pitm", "iinf", "iref", "iprp", "iloc", "idat"]
  /// The names of alpha, as libheif knows them; they end with a nought.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
  ]

  /// Reads the table; what makes no sense is left out.
  init(_ bytes: UnsafeRawBufferPointer) {
    let file = FileReader(bytes)
    var locations: ItemLocations?
    var inner = 0..<0
    let metas = boxes(file, 0..<file.count).filter { $0.name == "meta" }
    let content = metas.first.map { boxes(file, $0.content.dropFirst(4)) } ?? []
    let names = content.map(\.name).filter { ItemTable.single.contains($0) }
    if metas.count > 1 || Set(names).count < names.count { isSound = false }
    for box in content {
      let version = file.byte(box.content.lowerBound) ?? 0
      let start = box.content.lowerBound + 4
      switch box.name {
      case "pitm": primary = file.big(start, bytes: version == 0 ? 2 : 4) ?? -1
      case "iinf": noteKinds(file, box.content, headBytes: version == 0 ? 6 : 8)
      case "iref": noteReferences(file, box.content, idBytes: version == 0 ? 2 : 4)
      case "iprp": noteProperties(file, box.content)
      case "iloc": locations = ItemLocations(file, box.content)
      case "idat": inner = box.content
      default: break
      }
    }
    for (id, item) in items where item.kind == "grid" || item.kind == "iovl" {
      guard let place = locations?.start(of: id, inner: inner) else { continue }
      // A grid's rows and columns come first, an overlay's colour (ISO/IEC 23008-12, sections 6.6.2.3.2 and 6.6.2.2.2).
      items[id]?.canvas = ItemTable.canvas(file, at: place, headBytes: item.kind == "grid" ? 4 : 10)
    }
  }

  /// Two numbers, whose length is in the flags behind the version.
  private static func canvas(_ file: FileReader, at place: Int, headBytes: Int) -> (width: Int, height: Int)? {
    guard let flags = file.byte(place + 1) else { return nil }
    let bytes = flags & 1 == 1 ? 4 : 2
    let start = place + headBytes
    guard let width = file.big(start, bytes: bytes), let height = file.big(start + bytes, bytes: bytes) else {
      return nil
    }
    return (width, height)
  }

  /// The boxes in a range; the table is not sound where there are more than are read.
  private mutating func boxes(_ file: FileReader, _ range: Range<Int>) -> [(name: String, content: Range<Int>)] {
    let boxes = ItemBoxes.boxes(file, in: range)
    if boxes.count == ItemBoxes.mostBoxes { isSound = false }
    return boxes
  }

  /// An item; one of which nothing is known where there is none.
  subscript(id: Int) -> Item { items[id] ?? Item() }

  private mutating func change(_ id: Int, _ body: (inout Item) -> Void) {
    guard items.count < ItemTable.mostItems || items[id] != nil else {
      isSound = false
      return
    }
    body(&items[id, default: Item()])
  }

  private mutating func noteKinds(_ file: FileReader, _ range: Range<Int>, headBytes: Int) {
    var seen: Set<Int> = []
    for box in boxes(file, range.dropFirst(headBytes)) where box.name == "infe" {
      let start = box.content.lowerBound
      guard let version = file.byte(start), version >= 2 else { continue }
      let idBytes = version == 2 ? 2 : 4
      guard let id = file.big(start + 4, bytes: idBytes), let kind = file.slice(start + 6 + idBytes, 4) else {
        continue
      }
      if !seen.insert(id).inserted { isSound = false }
      change(id) { $0.kind = String(decoding: kind, as: UTF8.self) }
    }
  }

  private mutating func noteReferences(_ file: FileReader, _ range: Range<Int>, idBytes: Int) {
    for box in boxes(file, range.dropFirst(4)) where box.name == "dimg" || box.name == "auxl" {
      let start = box.content.lowerBound
      guard let from = file.big(start, bytes: idBytes), let count = file.big(start + idBytes, bytes: 2) else {
        continue
      }
      for index in 0..<count {
        let place = start + idBytes + 2 + index * idBytes
        guard place + idBytes <= box.content.upperBound, let to = file.big(place, bytes: idBytes) else { break }
        if box.name == "dimg" {
          change(from) { $0.parts.append(to) }
        } else {
          change(to) { $0.companions.append(from) }
        }
      }
    }
  }

  private mutating func noteProperties(_ file: FileReader, _ range: Range<Int>) {
    let content = boxes(file, range)
    let containers = content.filter { $0.name == "ipco" }
    if containers.count > 1 { isSound = false }
    let properties = containers.first.map { boxes(file, $0.content) } ?? []
    let extents = properties.map { box -> HEVCExtent? in
      guard box.name == "hvcC" else { return nil }
      return file.slice(box.content.lowerBound, box.content.count).flatMap { HEVCExtent(configuration: $0) }
    }
    for box in content where box.name == "ipma" {
      let version = file.byte(box.content.lowerBound) ?? 0
      let isWide = (file.byte(box.content.lowerBound + 3) ?? 0) & 1 == 1
      var place = box.content.lowerBound + 8
      let declared = file.big(box.content.lowerBound + 4, bytes: 4) ?? 0
      if declared > ItemTable.mostItems { isSound = false }
      for _ in 0..<min(ItemTable.mostItems, declared) {
        guard place < box.content.upperBound, let id = file.big(place, bytes: version == 0 ? 2 : 4),
          let count = file.byte(place + (version == 0 ? 2 : 4))
        else { break }
        place += (version == 0 ? 2 : 4) + 1
        for _ in 0..<count {
          // The highest bit says that it must be understood.
          let index = (file.big(place, bytes: isWide ? 2 : 1) ?? 0) & (isWide ? 0x7FFF : 0x7F)
          place += isWide ? 2 : 1
          guard index >= 1, index <= properties.count else { continue }
          note(properties[index - 1], extents[index - 1], of: id, file)
        }
      }
    }
  }

  private mutating func note(
    _ property: (name: String, content: Range<Int>), _ extent: HEVCExtent?, of id: Int, _ file: FileReader
  ) {
    let start = property.content.lowerBound
    switch property.name {
    case "hvcC":
      change(id) { item in
        guard let extent else {
          item.hasUnknownStream = true
          return
        }
        if extent.bytes > item.coded?.bytes ?? 0 { item.coded = extent }
      }
    case "auxC":
      guard let bytes = file.slice(start, property.content.count)?.dropFirst(4),
        ItemTable.alphaNames.contains(where: { bytes.starts(with: $0.utf8) })
      else { return }
      change(id) { $0.isAlpha = true }
    case "irot", "imir":
      guard !property.content.isEmpty, let value = file.byte(start) else { return }
      // A turn by nothing is none.
      guard property.name == "imir" || value & 3 != 0 else { return }
      change(id) { $0.turns.append(Turn(name: property.name, value: value & 3)) }
    case "ispe":
      guard let width = file.big(start + 4, bytes: 4), let height = file.big(start + 8, bytes: 4) else { return }
      change(id) { item in
        let known = item.size.map { Double($0.width) * Double($0.height) } ?? -1
        if Double(width) * Double(height) > known { item.size = (width, height) }
      }
    default: break
    }
  }
}
