/// Where the bytes of a HEIC's items begin (ISO/IEC 14496-12, section 8.11.3).
struct ItemLocations {
  private struct Location {
    /// 0 in the file, 1 in the box of items' data.
    var method: Int
    var offset: Int

    /// In several pieces, said twice, or nowhere in the file.
    static let unknown = Location(method: -1, offset: 0)
  }

  private var locations: [Int: Location] = [:]

  private static let mostItems = 1 << 14

  /// Reads the content of an `iloc` box as far as it makes sense.
  init(_ file: FileReader, _ box: Range<Int>) {
    let start = box.lowerBound
    guard let version = file.byte(start), version <= 2, let sizes = file.big(start + 4, bytes: 2) else { return }
    let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexBytes = version == 0 ? 0 : sizes & 15
    // Others than the standard's are read in other ways by others.
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else { return }
    let idBytes = version < 2 ? 2 : 4
    var place = start + 6 + idBytes
    for _ in 0..<min(ItemLocations.mostItems, file.big(start + 6, bytes: idBytes) ?? 0) {
      guard place < box.upperBound, let id = file.big(place, bytes: idBytes) else { return }
      place += idBytes
      let method = version == 0 ? 0 : (file.big(place, bytes: 2) ?? 0) & 15
      place += version == 0 ? 2 : 4
      guard let base = file.big(place, bytes: baseBytes), let count = file.big(place + baseBytes, bytes: 2) else {
        return
      }
      place += baseBytes + 2
      var location = Location.unknown
      if locations[id] == nil, count == 1, let offset = file.big(place + indexBytes, bytes: offsetBytes), base >= 0,
        offset >= 0, base <= file.count, offset <= file.count
      {
        location = Location(method: method, offset: base + offset)
      }
      locations[id] = location
      place += count * (indexBytes + offsetBytes + lengthBytes)
    }
  }

  /// The place in the file of an item's first byte; nothing where it is in no known place, or in several pieces.
  ///
  /// - Parameter inner: the content of the box of items' data.
  func start(of id: Int, inner: Range<Int>) -> Int? {
    guard let location = locations[id] else { return nil }
    switch location.method {
    case 0: return location.offset
    case 1: return inner.lowerBound + location.offset
    default: return nil
    }
  }
}
