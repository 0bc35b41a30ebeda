/// What a HEIC's boxes say of its items: their kind, their extent, and of which others they are made.
struct ItemTable {
  /// One item.
  struct Item {
    /// The four letters of its kind: `hvc1` for what is coded, `grid` for what is put together of tiles.
    var kind = ""
    /// The extent that it is said to have.
    var size: (width: Int, height: Int)?
    /// What its stream decodes to, where it is HEVC.
    var coded: HEVCExtent?
    /// The extent of a grid, by its own words.
    var gridSize: (width: Int, height: Int)?
    /// The items that it is made of.
    var parts: [Int] = []
    /// The items that are its alpha, or depth.
    var companions: [Int] = []
  }

  /// The item that is the picture.
  private(set) var primary = -1
  private var items: [Int: Item] = [:]

  private static let mostItems = 1 << 14

  /// Reads the table; what makes no sense is left out.
  init(_ bytes: UnsafeRawBufferPointer) {
    let file = FileReader(bytes)
    var locations: ItemLocations?
    var inner = 0..<0
    for box in ItemBoxes.meta(file) {
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
    for (id, item) in items where item.kind == "grid" {
      guard let place = locations?.start(of: id, inner: inner) else { continue }
      items[id]?.gridSize = ItemTable.gridSize(file, at: place)
    }
  }

  /// Behind a version, flags, and the number of rows and columns (ISO/IEC 23008-12, section 6.6.2.3.2).
  private static func gridSize(_ file: FileReader, at place: Int) -> (width: Int, height: Int)? {
    guard let flags = file.byte(place + 1) else { return nil }
    let bytes = flags & 1 == 1 ? 4 : 2
    guard let width = file.big(place + 4, bytes: bytes), let height = file.big(place + 4 + bytes, bytes: bytes) else {
      return nil
    }
    return (width, height)
  }

  /// An item; one of which nothing is known where there is none.
  subscript(id: Int) -> Item { items[id] ?? Item() }

  private mutating func change(_ id: Int, _ body: (inout Item) -> Void) {
    if items.count < ItemTable.mostItems || items[id] != nil { body(&items[id, default: Item()]) }
  }

  private mutating func noteKinds(_ file: FileReader, _ range: Range<Int>, headBytes: Int) {
    for box in ItemBoxes.boxes(file, in: range.dropFirst(headBytes)) where box.name == "infe" {
      let start = box.content.lowerBound
      guard let version = file.byte(start), version >= 2 else { continue }
      let idBytes = version == 2 ? 2 : 4
      guard let id = file.big(start + 4, bytes: idBytes), let kind = file.slice(start + 6 + idBytes, 4) else {
        continue
      }
      change(id) { $0.kind = String(decoding: kind, as: UTF8.self) }
    }
  }

  private mutating func noteReferences(_ file: FileReader, _ range: Range<Int>, idBytes: Int) {
    for box in ItemBoxes.boxes(file, in: range.dropFirst(4)) where box.name == "dimg" || box.name == "auxl" {
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
    let boxes = ItemBoxes.boxes(file, in: range)
    let properties = boxes.first { $0.name == "ipco" }.map { ItemBoxes.boxes(file, in: $0.content) } ?? []
    let extents = properties.map { box -> HEVCExtent? in
      guard box.name == "hvcC" else { return nil }
      return file.slice(box.content.lowerBound, box.content.count).flatMap { HEVCExtent(configuration: $0) }
    }
    for box in boxes where box.name == "ipma" {
      let version = file.byte(box.content.lowerBound) ?? 0
      let isWide = (file.byte(box.content.lowerBound + 3) ?? 0) & 1 == 1
      var place = box.content.lowerBound + 8
      for _ in 0..<min(ItemTable.mostItems, file.big(box.content.lowerBound + 4, bytes: 4) ?? 0) {
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
    if let extent { change(id) { $0.coded = extent } }
    let start = property.content.lowerBound
    guard property.name == "ispe", let width = file.big(start + 4, bytes: 4), let height = file.big(start + 8, bytes: 4)
    else { return }
    change(id) { $0.size = (width, height) }
  }
}
