import Geometry

/// A reader of the boxes of AVIF and HEIC (ISO/IEC 23008-12): the primary item's size and orientation, the capture time
/// and the range of the preview.
struct HEIFHeaderReader {
  let file: FetchedBytes

  /// The declarations of items in the boxes, before they are combined.
  private struct Items {
    var primary = -1
    var exif: [Int] = []
    var thumbnails: [Int] = []
    var properties: Range<Int>?
    var associations: [Range<Int>] = []
    var locations: Range<Int>?
  }

  private static let maximumItems = 4096

  func read(into header: inout ImageHeader) throws(HeaderReadError) {
    var meta: ISOMediaBox?
    var movie: ISOMediaBox?
    try ISOMediaBox.forEach(in: 0..<file.fileBytes, of: file) { box throws(HeaderReadError) in
      if box.type == ISOMediaBox.fourCC("meta") { meta = box }
      if box.type == ISOMediaBox.fourCC("moov") { movie = box }
      return meta != nil
    }
    if let meta, meta.content.count >= 4 { try readItems(meta, into: &header) }
    if header.storedSize == nil, !header.isOversized, let movie {
      try MovieHeaderReader(file: file).read(movie, into: &header)
    }
  }

  private func readItems(_ meta: ISOMediaBox, into header: inout ImageHeader) throws(HeaderReadError) {
    var items = Items()
    // After the version and flags.
    try ISOMediaBox.forEach(in: meta.content.dropFirst(4), of: file) { box throws(HeaderReadError) in
      switch box.type {
      case ISOMediaBox.fourCC("pitm"): items.primary = try readPrimaryItem(box) ?? -1
      case ISOMediaBox.fourCC("iinf"): items.exif = try readExifItems(box)
      case ISOMediaBox.fourCC("iref"): items.thumbnails = try readThumbnailItems(box, of: items.primary)
      case ISOMediaBox.fourCC("iloc"): items.locations = box.content
      case ISOMediaBox.fourCC("iprp"):
        try ISOMediaBox.forEach(in: box.content, of: file) { part throws(HeaderReadError) in
          if part.type == ISOMediaBox.fourCC("ipco") { items.properties = part.content }
          if part.type == ISOMediaBox.fourCC("ipma") { items.associations.append(part.content) }
          return false
        }
      default: break
      }
      return false
    }
    try applyItemProperties(items, into: &header)
    if let item = items.thumbnails.first { header.embeddedThumbnail = try byteRange(of: item, items) }
    if let item = items.exif.first, let range = try byteRange(of: item, items) {
      try readCaptureTime(range, into: &header)
    }
  }

  private func applyItemProperties(_ items: Items, into header: inout ImageHeader) throws(HeaderReadError) {
    var properties = HEIFItemProperties()
    for index in try propertyIndexes(of: items.primary, items) {
      guard let box = try readProperty(index, items) else { continue }
      try properties.applyProperty(box, file)
    }
    guard let size = properties.codedSize else { return }
    header.setStoredSize(width: size.width, height: size.height)
    header.orientation = properties.orientation
    if let aperture = properties.cleanAperture {
      header.cleanAperture = aperture
      header.setStoredSize(width: Int(aperture.width), height: Int(aperture.height))
    }
  }

  // MARK: - Boxes

  /// Reads an integer, or returns nil past the end of a box.
  private func readNumber(_ place: Int, _ count: Int, in box: Range<Int>) throws(HeaderReadError) -> Int? {
    guard place >= box.lowerBound, count <= box.upperBound - place else { return nil }
    return try file.number(at: place, bytes: count, .bigEndian)
  }

  private func readPrimaryItem(_ box: ISOMediaBox) throws(HeaderReadError) -> Int? {
    guard let version = try readNumber(box.content.lowerBound, 1, in: box.content) else { return nil }
    return try readNumber(box.content.lowerBound + 4, version == 0 ? 2 : 4, in: box.content)
  }

  /// Returns the identifiers of the items with EXIF data.
  private func readExifItems(_ box: ISOMediaBox) throws(HeaderReadError) -> [Int] {
    guard let version = try readNumber(box.content.lowerBound, 1, in: box.content) else { return [] }
    var found: [Int] = []
    try ISOMediaBox.forEach(in: box.content.dropFirst(version == 0 ? 6 : 8), of: file) {
      entry throws(HeaderReadError) in
      let content = entry.content
      guard let version = try readNumber(content.lowerBound, 1, in: content), version >= 2 else { return false }
      let idBytes = version == 2 ? 2 : 4
      let type = try readNumber(content.lowerBound + 4 + idBytes + 2, 4, in: content)
      guard type == ISOMediaBox.fourCC("Exif"), let id = try readNumber(content.lowerBound + 4, idBytes, in: content)
      else {
        return false
      }
      found.append(id)
      return true
    }
    return found
  }

  /// Returns the identifiers of the items that are previews of the primary item.
  private func readThumbnailItems(_ box: ISOMediaBox, of primary: Int) throws(HeaderReadError) -> [Int] {
    guard let version = try readNumber(box.content.lowerBound, 1, in: box.content) else { return [] }
    let idBytes = version == 0 ? 2 : 4
    var found: [Int] = []
    try ISOMediaBox.forEach(in: box.content.dropFirst(4), of: file) { reference throws(HeaderReadError) in
      let content = reference.content
      guard reference.type == ISOMediaBox.fourCC("thmb"),
        let from = try readNumber(content.lowerBound, idBytes, in: content),
        try readNumber(content.lowerBound + idBytes + 2, idBytes, in: content) == primary
      else { return false }
      found.append(from)
      return true
    }
    return found
  }

  /// Returns the indices of an item's properties, from 1.
  private func propertyIndexes(of item: Int, _ items: Items) throws(HeaderReadError) -> [Int] {
    for box in items.associations {
      guard let version = try readNumber(box.lowerBound, 1, in: box),
        let flags = try readNumber(box.lowerBound + 3, 1, in: box),
        let count = try readNumber(box.lowerBound + 4, 4, in: box)
      else { continue }
      let idBytes = version == 0 ? 2 : 4
      let indexBytes = flags & 1 == 1 ? 2 : 1
      var place = box.lowerBound + 8
      for _ in 0..<min(count, HEIFHeaderReader.maximumItems) {
        guard let id = try readNumber(place, idBytes, in: box),
          let indexCount = try readNumber(place + idBytes, 1, in: box)
        else {
          break
        }
        place += idBytes + 1
        if id == item {
          var indexes: [Int] = []
          for index in 0..<indexCount {
            guard let value = try readNumber(place + index * indexBytes, indexBytes, in: box) else { break }
            // The highest bit marks an essential property.
            indexes.append(value & (indexBytes == 2 ? 0x7FFF : 0x7F))
          }
          return indexes
        }
        place += indexCount * indexBytes
      }
    }
    return []
  }

  private func readProperty(_ index: Int, _ items: Items) throws(HeaderReadError) -> ISOMediaBox? {
    guard let range = items.properties, index > 0 else { return nil }
    var place = 0
    var found: ISOMediaBox?
    try ISOMediaBox.forEach(in: range, of: file) { box throws(HeaderReadError) in
      place += 1
      if place == index { found = box }
      return found != nil
    }
    return found
  }

  /// Returns the byte range of an item, if it is contiguous in the file.
  private func byteRange(of item: Int, _ items: Items) throws(HeaderReadError) -> Range<Int>? {
    guard let box = items.locations, let version = try readNumber(box.lowerBound, 1, in: box), version <= 2,
      let sizes = try readNumber(box.lowerBound + 4, 2, in: box)
    else { return nil }
    let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
    let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else { return nil }
    let idBytes = version < 2 ? 2 : 4
    guard let count = try readNumber(box.lowerBound + 6, idBytes, in: box) else { return nil }
    var place = box.lowerBound + 6 + idBytes
    for _ in 0..<min(count, HEIFHeaderReader.maximumItems) {
      guard let id = try readNumber(place, idBytes, in: box) else { return nil }
      place += idBytes
      var method = 0
      if version > 0 {
        method = try readNumber(place, 2, in: box) ?? 0
        place += 2
      }
      place += 2
      guard let base = try readNumber(place, baseBytes, in: box),
        let extentCount = try readNumber(place + baseBytes, 2, in: box)
      else { return nil }
      place += baseBytes + 2
      if id == item {
        guard method & 15 == 0, extentCount == 1, let offset = try readNumber(place + indexBytes, offsetBytes, in: box),
          let length = try readNumber(place + indexBytes + offsetBytes, lengthBytes, in: box)
        else { return nil }
        return validatedRange(base, offset, length)
      }
      place += extentCount * (indexBytes + offsetBytes + lengthBytes)
    }
    return nil
  }

  private func validatedRange(_ base: Int, _ offset: Int, _ length: Int) -> Range<Int>? {
    let end = file.fileBytes
    guard base >= 0, offset >= 0, length > 0, base <= end, offset <= end - base, length <= end - base - offset else {
      return nil
    }
    return base + offset..<base + offset + length
  }

  /// Reads only the date, because the orientation is determined by the item's properties.
  private func readCaptureTime(_ range: Range<Int>, into header: inout ImageHeader) throws(HeaderReadError) {
    guard range.count > 4, range.count <= ExifReader.maximumBytes else { return }
    let skipped = try file.number(at: range.lowerBound, bytes: 4, .bigEndian)
    guard skipped <= range.count - 4 else { return }
    var described = header
    let start = range.lowerBound + 4 + skipped
    try ExifReader(file: file, start: start, end: range.upperBound)?.read(into: &described)
    header.captureTime = described.captureTime
  }
}
