/// Reads orientation, date and embedded preview out of EXIF data, which is a small TIFF file (CIPA DC-008, section 4.6).
struct ExifReader {
  /// EXIF data longer than this is not read, in bytes.
  static let mostBytes = 1 << 20

  private static let mostEntries = 512
  private static let mostDirectories = 4

  private enum Tag {
    static let compression = 0x0103
    static let orientation = 0x0112
    static let dateTime = 0x0132
    static let previewOffset = 0x0201
    static let previewLength = 0x0202
    static let exifDirectory = 0x8769
    static let dateTimeOriginal = 0x9003
    static let dateTimeDigitized = 0x9004
  }

  /// One line of a directory.
  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// Where the four bytes of its value, or of its value's offset, stand in the file.
    var place: Int
  }

  private let file: FetchedBytes
  private let start: Int
  private let end: Int
  private let order: ByteOrder

  /// Begins at the byte order's letters; nothing when there are none.
  init?(file: FetchedBytes, start: Int, end: Int) throws(HeaderGap) {
    guard start + 8 <= end else { return nil }
    if try file.holds("II", at: start) {
      order = .littleEndian
    } else if try file.holds("MM", at: start) {
      order = .bigEndian
    } else {
      return nil
    }
    self.file = file
    self.start = start
    self.end = end
    guard try number(at: start + 2, bytes: 2) == 42 else { return nil }
  }

  func read(into header: inout ImageHeader) throws(HeaderGap) {
    // Each directory is visited once, whatever points at it: a file can make them a ring.
    var visited: [Int] = []
    let main = try directory(at: try number(at: start + 4, bytes: 4), &visited)
    if let entry = main.first(where: { $0.tag == Tag.orientation }), let value = try value(of: entry) {
      header.orientation = UInt8(exactly: value).flatMap(Orientation.init) ?? header.orientation
    }
    var dates: [Int64?] = []
    if let entry = main.first(where: { $0.tag == Tag.exifDirectory }), let offset = try value(of: entry) {
      let details = try directory(at: offset, &visited)
      dates.append(try date(details.first { $0.tag == Tag.dateTimeOriginal }))
      dates.append(try date(details.first { $0.tag == Tag.dateTimeDigitized }))
    }
    dates.append(try date(main.first { $0.tag == Tag.dateTime }))
    header.captureTime = dates.lazy.compactMap { $0 }.first
    if header.format != .tiff { header.embeddedThumbnail = try preview(&visited) }
  }

  /// The second directory describes the embedded preview.
  private func preview(_ visited: inout [Int]) throws(HeaderGap) -> Range<Int>? {
    guard let main = visited.first else { return nil }
    let next = start + main + 2 + 12 * (try number(at: start + main, bytes: 2) ?? 0)
    let entries = try directory(at: try number(at: next, bytes: 4), &visited)
    func value(_ tag: Int) throws(HeaderGap) -> Int? {
      guard let entry = entries.first(where: { $0.tag == tag }) else { return nil }
      return try self.value(of: entry)
    }
    let jpegCompression = 6
    guard let offset = try value(Tag.previewOffset), let length = try value(Tag.previewLength), length >= 4,
      try value(Tag.compression) ?? jpegCompression == jpegCompression, offset <= end - start,
      length <= end - start - offset
    else { return nil }
    return start + offset..<start + offset + length
  }

  private func directory(at offset: Int?, _ visited: inout [Int]) throws(HeaderGap) -> [Entry] {
    guard let offset, offset >= 8, !visited.contains(offset), visited.count < ExifReader.mostDirectories,
      let count = try number(at: start + offset, bytes: 2)
    else { return [] }
    visited.append(offset)
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, ExifReader.mostEntries))
    for index in 0..<min(count, ExifReader.mostEntries) {
      let place = start + offset + 2 + index * 12
      guard let tag = try number(at: place, bytes: 2), let type = try number(at: place + 2, bytes: 2),
        let count = try number(at: place + 4, bytes: 4), place + 12 <= end
      else { break }
      entries.append(Entry(tag: tag, type: type, count: count, place: place + 8))
    }
    return entries
  }

  /// A single number of two or four bytes.
  private func value(of entry: Entry) throws(HeaderGap) -> Int? {
    let short = 3
    let long = 4
    guard entry.count == 1, entry.type == short || entry.type == long else { return nil }
    return try number(at: entry.place, bytes: entry.type == short ? 2 : 4)
  }

  private func date(_ entry: Entry?) throws(HeaderGap) -> Int64? {
    guard let entry, entry.count >= ExifDate.byteCount, let offset = try number(at: entry.place, bytes: 4),
      start + offset + ExifDate.byteCount <= end
    else { return nil }
    return ExifDate(try file.bytes(at: start + offset, count: ExifDate.byteCount))?.secondsSince1970
  }

  /// A number, or nothing where it would lie outside the data.
  private func number(at offset: Int, bytes: Int) throws(HeaderGap) -> Int? {
    guard offset >= start, offset + bytes <= end else { return nil }
    return try file.number(at: offset, bytes: bytes, order)
  }
}
