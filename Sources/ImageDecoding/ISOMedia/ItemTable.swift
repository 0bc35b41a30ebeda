import VitrineImageDecodingCore

/// The items of a HEIC as declared by its boxes: their kind, their size, and the items that they consist of.
struct ItemTable {
  /// An item of the file.
  struct Item {
    /// The item type: `hvc1` for a coded image, `grid` for an image composed of tiles.
    var kind = ""
    /// The declared size in pixels.
    var size: (width: Int, height: Int)?
    /// The size of the HEVC stream; the largest if several are declared.
    var coded: HEVCExtent?
    /// Whether the item has a decoder configuration that cannot be parsed.
    var hasUnknownStream = false
    /// The size of the canvas that a grid or an overlay declares.
    var canvas: (width: Int, height: Int)?
    /// The items that this item consists of.
    var parts: [Int] = []
    /// The auxiliary items that refer to this item: alpha, depth.
    var auxiliaryItems: [Int] = []
    /// The `irot` and `imir` properties in order, each with its byte.
    var transforms: [Transform] = []
    /// Whether the item is alpha, rather than depth or another auxiliary image, which is never decoded with the image.
    var isAlpha = false
  }

  /// A property that rotates or mirrors an item.
  struct Transform: Hashable {
    var name: String
    var value: UInt8
  }

  /// The identifier of the primary item.
  private(set) var primary = -1
  /// Whether the whole table was parsed and no box or item is declared twice, which readers resolve differently.
  private(set) var isValid = true
  private var items: [Int: Item] = [:]

  private static let maximumItems = 1 << 14
  private static let uniqueBoxes: Set<String> = ["pitm", "iinf", "iref", "iprp", "iloc", "idat"]
  /// The URNs of alpha that libheif recognizes.
  ///
  /// In the file they end with a zero byte.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
  ]

  /// Parses the table, leaving out malformed parts.
  init(_ bytes: UnsafeRawBufferPointer) {
    let file = FileReader(bytes)
    var locations: ItemLocations?
    var itemData = 0..<0
    let metas = boxes(file, 0..<file.count).filter { $0.name == "meta" }
    let content = metas.first.map { boxes(file, $0.content.dropFirst(4)) } ?? []
    let names = content.map(\.name).filter { ItemTable.uniqueBoxes.contains($0) }
    if metas.count > 1 || Set(names).count < names.count { isValid = false }
    for box in content {
      let version = file.byte(box.content.lowerBound) ?? 0
      let start = box.content.lowerBound + 4
      switch box.name {
      case "pitm": primary = file.bigEndian(start, bytes: version == 0 ? 2 : 4) ?? -1
      case "iinf": parseItemInfos(file, box.content, headBytes: version == 0 ? 6 : 8)
      case "iref": parseReferences(file, box.content, idBytes: version == 0 ? 2 : 4)
      case "iprp": parseProperties(file, box.content)
      case "iloc": locations = ItemLocations(file, box.content)
      case "idat": itemData = box.content
      default: break
      }
    }
    for (id, item) in items where item.kind == "grid" || item.kind == "iovl" {
      guard let place = locations?.start(of: id, itemData: itemData) else { continue }
      // A grid's row and column counts precede its size, an overlay's colour does (ISO/IEC 23008-12, sections 6.6.2.3.2
      // and 6.6.2.2.2).
      items[id]?.canvas = ItemTable.canvas(file, at: place, headBytes: item.kind == "grid" ? 4 : 10)
    }
  }

  /// Parses a width and a height, whose length is in the flags after the version.
  private static func canvas(_ file: FileReader, at place: Int, headBytes: Int) -> (width: Int, height: Int)? {
    guard let flags = file.byte(place + 1) else { return nil }
    let bytes = flags & 1 == 1 ? 4 : 2
    let start = place + headBytes
    guard let width = file.bigEndian(start, bytes: bytes), let height = file.bigEndian(start + bytes, bytes: bytes)
    else {
      return nil
    }
    return (width, height)
  }

  /// Returns the boxes in a range, and marks the table as invalid if there are more than are parsed.
  private mutating func boxes(_ file: FileReader, _ range: Range<Int>) -> [(name: String, content: Range<Int>)] {
    let boxes = ItemBoxes.boxes(file, in: range)
    if boxes.count == ItemBoxes.maximumBoxes { isValid = false }
    return boxes
  }

  /// Returns an item, or an empty one if it does not exist.
  subscript(id: Int) -> Item { items[id] ?? Item() }

  private mutating func updateItem(_ id: Int, _ body: (inout Item) -> Void) {
    guard items.count < ItemTable.maximumItems || items[id] != nil else {
      isValid = false
      return
    }
    body(&items[id, default: Item()])
  }

  // MARK: - Parsing

  private mutating func parseItemInfos(_ file: FileReader, _ range: Range<Int>, headBytes: Int) {
    var seen: Set<Int> = []
    for box in boxes(file, range.dropFirst(headBytes)) where box.name == "infe" {
      let start = box.content.lowerBound
      guard let version = file.byte(start), version >= 2 else { continue }
      let idBytes = version == 2 ? 2 : 4
      guard let id = file.bigEndian(start + 4, bytes: idBytes), let kind = file.slice(start + 6 + idBytes, 4) else {
        continue
      }
      if !seen.insert(id).inserted { isValid = false }
      updateItem(id) { $0.kind = String(decoding: kind, as: UTF8.self) }
    }
  }

  private mutating func parseReferences(_ file: FileReader, _ range: Range<Int>, idBytes: Int) {
    for box in boxes(file, range.dropFirst(4)) where box.name == "dimg" || box.name == "auxl" {
      let start = box.content.lowerBound
      guard let from = file.bigEndian(start, bytes: idBytes), let count = file.bigEndian(start + idBytes, bytes: 2)
      else {
        continue
      }
      for index in 0..<count {
        let place = start + idBytes + 2 + index * idBytes
        guard place + idBytes <= box.content.upperBound, let to = file.bigEndian(place, bytes: idBytes) else { break }
        if box.name == "dimg" {
          updateItem(from) { $0.parts.append(to) }
        } else {
          updateItem(to) { $0.auxiliaryItems.append(from) }
        }
      }
    }
  }

  private mutating func parseProperties(_ file: FileReader, _ range: Range<Int>) {
    let content = boxes(file, range)
    let containers = content.filter { $0.name == "ipco" }
    if containers.count > 1 { isValid = false }
    let properties = containers.first.map { boxes(file, $0.content) } ?? []
    let extents = properties.map { box -> HEVCExtent? in
      guard box.name == "hvcC" else { return nil }
      return file.slice(box.content.lowerBound, box.content.count).flatMap { HEVCExtent(configuration: $0) }
    }
    for box in content where box.name == "ipma" {
      let version = file.byte(box.content.lowerBound) ?? 0
      let isWide = (file.byte(box.content.lowerBound + 3) ?? 0) & 1 == 1
      var place = box.content.lowerBound + 8
      let declared = file.bigEndian(box.content.lowerBound + 4, bytes: 4) ?? 0
      if declared > ItemTable.maximumItems { isValid = false }
      for _ in 0..<min(ItemTable.maximumItems, declared) {
        guard place < box.content.upperBound, let id = file.bigEndian(place, bytes: version == 0 ? 2 : 4),
          let count = file.byte(place + (version == 0 ? 2 : 4))
        else { break }
        place += (version == 0 ? 2 : 4) + 1
        for _ in 0..<count {
          // The highest bit marks an essential property.
          let index = (file.bigEndian(place, bytes: isWide ? 2 : 1) ?? 0) & (isWide ? 0x7FFF : 0x7F)
          place += isWide ? 2 : 1
          guard index >= 1, index <= properties.count else { continue }
          applyProperty(properties[index - 1], extents[index - 1], of: id, file)
        }
      }
    }
  }

  private mutating func applyProperty(
    _ property: (name: String, content: Range<Int>), _ extent: HEVCExtent?, of id: Int, _ file: FileReader
  ) {
    let start = property.content.lowerBound
    switch property.name {
    case "hvcC":
      updateItem(id) { item in
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
      updateItem(id) { $0.isAlpha = true }
    case "irot", "imir":
      guard !property.content.isEmpty, let value = file.byte(start) else { return }
      // A rotation by zero has no effect.
      guard property.name == "imir" || value & 3 != 0 else { return }
      updateItem(id) { $0.transforms.append(Transform(name: property.name, value: value & 3)) }
    case "ispe":
      guard let width = file.bigEndian(start + 4, bytes: 4), let height = file.bigEndian(start + 8, bytes: 4) else {
        return
      }
      updateItem(id) { item in
        let known = item.size.map { Double($0.width) * Double($0.height) } ?? -1
        if Double(width) * Double(height) > known { item.size = (width, height) }
      }
    default: break
    }
  }
}

// MARK: - References

/// The references between the items of a HEIC that determine which consist of which others (ISO/IEC 14496-12, section
/// 8.11.12).
///
/// libheif follows the references recursively without detecting cycles, and overflows the stack.
struct ItemReferences {
  private struct Dependency: Hashable {
    /// The item that consists of others.
    var item: Int
    /// The item that it consists of.
    var part: Int
  }

  private let dependencies: [Dependency]
  private let isTooLong: Bool

  /// The maximum depth of nested items.
  private static let maximumDepth = 16
  private static let maximumDependencies = 1 << 16

  /// Parses the references.
  ///
  /// There are none if the boxes are malformed.
  init(_ bytes: UnsafeRawBufferPointer) {
    let file = FileReader(bytes)
    var dependencies: [Dependency] = []
    var isTooLong = false
    func boxes(in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
      let boxes = ItemBoxes.boxes(file, in: range)
      if boxes.count == ItemBoxes.maximumBoxes { isTooLong = true }
      return boxes
    }
    for meta in boxes(in: 0..<file.count) where meta.name == "meta" {
      for box in boxes(in: meta.content.dropFirst(4)) where box.name == "iref" {
        let idBytes = file.byte(box.content.lowerBound) == 0 ? 2 : 4
        for reference in boxes(in: box.content.dropFirst(4)) {
          let start = reference.content.lowerBound
          guard reference.name == "dimg" || reference.name == "auxl", let from = file.bigEndian(start, bytes: idBytes),
            let count = file.bigEndian(start + idBytes, bytes: 2)
          else { continue }
          for index in 0..<count {
            let place = start + idBytes + 2 + index * idBytes
            guard place + idBytes <= reference.content.upperBound, let to = file.bigEndian(place, bytes: idBytes) else {
              break
            }
            // An image consists of its tiles and of the alpha that refers to it.
            dependencies.append(
              reference.name == "dimg" ? Dependency(item: from, part: to) : Dependency(item: to, part: from))
          }
          if dependencies.count > ItemReferences.maximumDependencies { isTooLong = true }
          if isTooLong { break }
        }
      }
    }
    self.dependencies = dependencies
    self.isTooLong = isTooLong
  }

  /// Whether no item contains itself and the nesting is not too deep.
  ///
  /// - Complexity: O(references) for each level.
  var areValid: Bool {
    guard !isTooLong else { return false }
    var left = dependencies
    for _ in 0..<ItemReferences.maximumDepth where !left.isEmpty {
      let unfinished = Set(left.map(\.item))
      left.removeAll { !unfinished.contains($0.part) }
    }
    return left.isEmpty
  }
}

// MARK: - Locations

/// The offsets of a HEIC's items (ISO/IEC 14496-12, section 8.11.3).
private struct ItemLocations {
  private struct Location {
    /// The construction method: 0 for an offset in the file, 1 for one in the `idat` box.
    var method: Int
    var offset: Int

    /// In several extents, declared twice, or not in the file.
    static let unknown = Location(method: -1, offset: 0)
  }

  private var locations: [Int: Location] = [:]

  private static let maximumItems = 1 << 14

  /// Parses the content of an `iloc` box as far as it is valid.
  init(_ file: FileReader, _ box: Range<Int>) {
    let start = box.lowerBound
    guard let version = file.byte(start), version <= 2, let sizes = file.bigEndian(start + 4, bytes: 2) else { return }
    let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexBytes = version == 0 ? 0 : sizes & 15
    // Other lengths than the standard's are parsed differently by different readers.
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else { return }
    let idBytes = version < 2 ? 2 : 4
    var place = start + 6 + idBytes
    for _ in 0..<min(ItemLocations.maximumItems, file.bigEndian(start + 6, bytes: idBytes) ?? 0) {
      guard place < box.upperBound, let id = file.bigEndian(place, bytes: idBytes) else { return }
      place += idBytes
      let method = version == 0 ? 0 : (file.bigEndian(place, bytes: 2) ?? 0) & 15
      place += version == 0 ? 2 : 4
      guard let base = file.bigEndian(place, bytes: baseBytes), let count = file.bigEndian(place + baseBytes, bytes: 2)
      else {
        return
      }
      place += baseBytes + 2
      var location = Location.unknown
      if locations[id] == nil, count == 1, let offset = file.bigEndian(place + indexBytes, bytes: offsetBytes),
        base >= 0,
        offset >= 0, base <= file.count, offset <= file.count
      {
        location = Location(method: method, offset: base + offset)
      }
      locations[id] = location
      place += count * (indexBytes + offsetBytes + lengthBytes)
    }
  }

  /// Returns the offset in the file of an item's first byte, or nil if it is unknown or the item has several extents.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - itemData: The content of the `idat` box.
  func start(of id: Int, itemData: Range<Int>) -> Int? {
    guard let location = locations[id] else { return nil }
    switch location.method {
    case 0: return location.offset
    case 1: return itemData.lowerBound + location.offset
    default: return nil
    }
  }
}

// MARK: - Boxes

/// A parser of consecutive boxes, which AVIF and HEIC files consist of (ISO/IEC 14496-12, section 4.2).
private enum ItemBoxes {
  /// The maximum number of boxes parsed; further ones are ignored.
  static let maximumBoxes = 4096

  /// Returns the boxes in a range, up to the first malformed one.
  static func boxes(_ file: FileReader, in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
    var found: [(name: String, content: Range<Int>)] = []
    var place = range.lowerBound
    while found.count < maximumBoxes, range.upperBound - place >= 8, let declared = file.bigEndian(place, bytes: 4),
      let name = file.slice(place + 4, 4)
    {
      var count = declared
      var headBytes = 8
      if declared == 1 {
        guard let long = file.bigEndian(place + 8, bytes: 8) else { break }
        count = long
        headBytes = 16
      } else if declared == 0 {
        count = range.upperBound - place
      }
      guard count >= headBytes else { break }
      count = min(count, range.upperBound - place)
      found.append((String(decoding: name, as: UTF8.self), place + headBytes..<max(place + headBytes, place + count)))
      place += count
    }
    return found
  }
}
