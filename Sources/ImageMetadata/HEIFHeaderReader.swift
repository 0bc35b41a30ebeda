import VitrineGeometry

/// A reader of the boxes of AVIF and HEIC (ISO/IEC 23008-12): the primary item's size and orientation, the range of the
/// preview, and EXIF and XMP data.
struct HEIFHeaderReader {
  let file: FetchedBytes

  /// The declarations of items in the boxes, before they are combined.
  private struct Items {
    var primary = -1
    var metadata = MetadataItems()
    var thumbnails: [Int] = []
    var properties: Range<Int>?
    var associations: [Range<Int>] = []
    var locations: Range<Int>?
  }

  /// The identifiers of the first items with EXIF and XMP data.
  private struct MetadataItems {
    var exif: Int?
    var xmp: Int?
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
      case ISOMediaBox.fourCC("iinf"): items.metadata = try readMetadataItems(box)
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
    if let item = items.metadata.exif, let range = try byteRange(of: item, items) { try readExif(range, into: &header) }
    if let item = items.metadata.xmp, let range = try byteRange(of: item, items), range.count <= XMPPacket.maximumBytes
    {
      XMPPacket(try file.bytes(at: range.lowerBound, count: range.count)).applyRating(to: &header)
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

  private func readMetadataItems(_ box: ISOMediaBox) throws(HeaderReadError) -> MetadataItems {
    var found = MetadataItems()
    guard let version = try readNumber(box.content.lowerBound, 1, in: box.content) else { return found }
    try ISOMediaBox.forEach(in: box.content.dropFirst(version == 0 ? 6 : 8), of: file) {
      entry throws(HeaderReadError) in
      let content = entry.content
      guard let version = try readNumber(content.lowerBound, 1, in: content), version >= 2 else { return false }
      let idBytes = version == 2 ? 2 : 4
      let typeOffset = content.lowerBound + 4 + idBytes + 2
      guard let id = try readNumber(content.lowerBound + 4, idBytes, in: content),
        let type = try readNumber(typeOffset, 4, in: content)
      else { return false }
      if type == ISOMediaBox.fourCC("Exif") {
        found.exif = found.exif ?? id
      } else if type == ISOMediaBox.fourCC("mime"), found.xmp == nil,
        try isXMP(typeOffset + 4..<content.upperBound)
      {
        found.xmp = id
      }
      return found.exif != nil && found.xmp != nil
    }
    return found
  }

  /// Returns whether the name and the media type of an item, each with a terminator, are those of XMP data.
  private func isXMP(_ range: Range<Int>) throws(HeaderReadError) -> Bool {
    let texts = try file.bytes(at: range.lowerBound, count: min(range.count, 256))
      .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    return texts.count > 1 && texts[1].elementsEqual("application/rdf+xml".utf8)
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

  /// Reads EXIF data, except for the orientation, which is determined by the item's properties, and the preview.
  private func readExif(_ range: Range<Int>, into header: inout ImageHeader) throws(HeaderReadError) {
    guard range.count > 4, range.count <= ExifReader.maximumBytes else { return }
    let skipped = try file.number(at: range.lowerBound, bytes: 4, .bigEndian)
    guard skipped <= range.count - 4 else { return }
    var described = header
    let start = range.lowerBound + 4 + skipped
    try ExifReader(file: file, start: start, end: range.upperBound)?.read(into: &described)
    described.orientation = header.orientation
    described.embeddedThumbnail = header.embeddedThumbnail
    described.exifData = min(start, range.upperBound)..<range.upperBound
    header = described
  }
}
