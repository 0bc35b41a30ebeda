import Geometry

/// Reads the boxes of AVIF and HEIC (ISO/IEC 23008-12): the primary item's extent and how it is turned, when it was taken
/// and where its preview lies.
struct ItemFileReader {
  let file: FetchedBytes

  /// What the boxes say of items, before it is put together.
  private struct Items {
    var primary = -1
    var exif: [Int] = []
    var thumbnails: [Int] = []
    var properties: Range<Int>?
    var associations: [Range<Int>] = []
    var locations: Range<Int>?
  }

  private static let mostItems = 4096

  func read(into header: inout ImageHeader) throws(HeaderGap) {
    var meta: Box?
    var movie: Box?
    try Box.forEach(in: 0..<file.fileBytes, of: file) { box throws(HeaderGap) in
      if box.name == Box.name("meta") { meta = box }
      if box.name == Box.name("moov") { movie = box }
      return meta != nil
    }
    if let meta, meta.content.count >= 4 { try readItems(meta, into: &header) }
    if header.storedSize == nil, !header.declaresGiant, let movie {
      try MovieReader(file: file).read(movie, into: &header)
    }
  }

  private func readItems(_ meta: Box, into header: inout ImageHeader) throws(HeaderGap) {
    var items = Items()
    // Behind the version.
    try Box.forEach(in: meta.content.dropFirst(4), of: file) { box throws(HeaderGap) in
      switch box.name {
      case Box.name("pitm"): items.primary = try primary(box) ?? -1
      case Box.name("iinf"): items.exif = try itemsOfExif(box)
      case Box.name("iref"): items.thumbnails = try thumbnails(box, of: items.primary)
      case Box.name("iloc"): items.locations = box.content
      case Box.name("iprp"):
        try Box.forEach(in: box.content, of: file) { part throws(HeaderGap) in
          if part.name == Box.name("ipco") { items.properties = part.content }
          if part.name == Box.name("ipma") { items.associations.append(part.content) }
          return false
        }
      default: break
      }
      return false
    }
    try describe(items, into: &header)
    if let item = items.thumbnails.first { header.embeddedThumbnail = try location(of: item, items) }
    if let item = items.exif.first, let range = try location(of: item, items) { try readExif(range, into: &header) }
  }

  private func describe(_ items: Items, into header: inout ImageHeader) throws(HeaderGap) {
    var properties = ItemProperties()
    for index in try associations(of: items.primary, items) {
      guard let box = try property(index, items) else { continue }
      try properties.note(box, file)
    }
    guard let size = properties.size else { return }
    header.declare(width: size.width, height: size.height)
    header.orientation = properties.orientation
    if let aperture = properties.aperture {
      header.aperture = aperture
      header.declare(width: Int(aperture.width), height: Int(aperture.height))
    }
  }

  // MARK: - Boxes

  /// A number, or nothing past a box's end.
  private func number(_ place: Int, _ count: Int, in box: Range<Int>) throws(HeaderGap) -> Int? {
    guard place >= box.lowerBound, count <= box.upperBound - place else { return nil }
    return try file.number(at: place, bytes: count, .bigEndian)
  }

  private func primary(_ box: Box) throws(HeaderGap) -> Int? {
    guard let version = try number(box.content.lowerBound, 1, in: box.content) else { return nil }
    return try number(box.content.lowerBound + 4, version == 0 ? 2 : 4, in: box.content)
  }

  /// The numbers of the items that hold EXIF data.
  private func itemsOfExif(_ box: Box) throws(HeaderGap) -> [Int] {
    guard let version = try number(box.content.lowerBound, 1, in: box.content) else { return [] }
    var found: [Int] = []
    try Box.forEach(in: box.content.dropFirst(version == 0 ? 6 : 8), of: file) { entry throws(HeaderGap) in
      let content = entry.content
      guard let version = try number(content.lowerBound, 1, in: content), version >= 2 else { return false }
      let idBytes = version == 2 ? 2 : 4
      let type = try number(content.lowerBound + 4 + idBytes + 2, 4, in: content)
      guard type == Box.name("Exif"), let id = try number(content.lowerBound + 4, idBytes, in: content) else {
        return false
      }
      found.append(id)
      return true
    }
    return found
  }

  /// The numbers of the items that are said to be previews of the primary one.
  private func thumbnails(_ box: Box, of primary: Int) throws(HeaderGap) -> [Int] {
    guard let version = try number(box.content.lowerBound, 1, in: box.content) else { return [] }
    let idBytes = version == 0 ? 2 : 4
    var found: [Int] = []
    try Box.forEach(in: box.content.dropFirst(4), of: file) { reference throws(HeaderGap) in
      let content = reference.content
      guard reference.name == Box.name("thmb"), let from = try number(content.lowerBound, idBytes, in: content),
        try number(content.lowerBound + idBytes + 2, idBytes, in: content) == primary
      else { return false }
      found.append(from)
      return true
    }
    return found
  }

  /// The properties of an item, by their places from 1 on.
  private func associations(of item: Int, _ items: Items) throws(HeaderGap) -> [Int] {
    for box in items.associations {
      guard let version = try number(box.lowerBound, 1, in: box),
        let flags = try number(box.lowerBound + 3, 1, in: box),
        let count = try number(box.lowerBound + 4, 4, in: box)
      else { continue }
      let idBytes = version == 0 ? 2 : 4
      let indexBytes = flags & 1 == 1 ? 2 : 1
      var place = box.lowerBound + 8
      for _ in 0..<min(count, ItemFileReader.mostItems) {
        guard let id = try number(place, idBytes, in: box), let indexCount = try number(place + idBytes, 1, in: box)
        else {
          break
        }
        place += idBytes + 1
        if id == item {
          var indexes: [Int] = []
          for index in 0..<indexCount {
            guard let value = try number(place + index * indexBytes, indexBytes, in: box) else { break }
            // The highest bit says that it must be understood.
            indexes.append(value & (indexBytes == 2 ? 0x7FFF : 0x7F))
          }
          return indexes
        }
        place += indexCount * indexBytes
      }
    }
    return []
  }

  private func property(_ index: Int, _ items: Items) throws(HeaderGap) -> Box? {
    guard let range = items.properties, index > 0 else { return nil }
    var place = 0
    var found: Box?
    try Box.forEach(in: range, of: file) { box throws(HeaderGap) in
      place += 1
      if place == index { found = box }
      return found != nil
    }
    return found
  }

  /// Where an item's bytes lie, if they lie in one piece of the file.
  private func location(of item: Int, _ items: Items) throws(HeaderGap) -> Range<Int>? {
    guard let box = items.locations, let version = try number(box.lowerBound, 1, in: box), version <= 2,
      let sizes = try number(box.lowerBound + 4, 2, in: box)
    else { return nil }
    let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
    let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else { return nil }
    let idBytes = version < 2 ? 2 : 4
    guard let count = try number(box.lowerBound + 6, idBytes, in: box) else { return nil }
    var place = box.lowerBound + 6 + idBytes
    for _ in 0..<min(count, ItemFileReader.mostItems) {
      guard let id = try number(place, idBytes, in: box) else { return nil }
      place += idBytes
      var method = 0
      if version > 0 {
        method = try number(place, 2, in: box) ?? 0
        place += 2
      }
      place += 2
      guard let base = try number(place, baseBytes, in: box),
        let extentCount = try number(place + baseBytes, 2, in: box)
      else { return nil }
      place += baseBytes + 2
      if id == item {
        guard method & 15 == 0, extentCount == 1, let offset = try number(place + indexBytes, offsetBytes, in: box),
          let length = try number(place + indexBytes + offsetBytes, lengthBytes, in: box)
        else { return nil }
        return range(base, offset, length)
      }
      place += extentCount * (indexBytes + offsetBytes + lengthBytes)
    }
    return nil
  }

  private func range(_ base: Int, _ offset: Int, _ length: Int) -> Range<Int>? {
    let end = file.fileBytes
    guard base >= 0, offset >= 0, length > 0, base <= end, offset <= end - base, length <= end - base - offset else {
      return nil
    }
    return base + offset..<base + offset + length
  }

  /// Takes the date alone: how the picture is turned is said by its properties.
  private func readExif(_ range: Range<Int>, into header: inout ImageHeader) throws(HeaderGap) {
    guard range.count > 4, range.count <= ExifReader.mostBytes else { return }
    let skipped = try file.number(at: range.lowerBound, bytes: 4, .bigEndian)
    guard skipped <= range.count - 4 else { return }
    var described = header
    let start = range.lowerBound + 4 + skipped
    try ExifReader(file: file, start: start, end: range.upperBound)?.read(into: &described)
    header.captureTime = described.captureTime
  }
}
