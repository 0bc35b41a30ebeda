/// Reads orientation, date and embedded preview out of EXIF data, which is a small TIFF file (CIPA DC-008, section 4.6).
struct ExifReader {
  /// EXIF data longer than this is not read, in bytes.
  static let mostBytes = 1 << 20

  private static let mostEntries = 512
  private static let mostDirectories = 4

  private enum Tag {
    static let subfileType = 0x00FE
    static let width = 0x0100
    static let height = 0x0101
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
    /// Where the four bytes of its value, or of its value's offset, eight in long files, stand in the file.
    var place: Int
  }

  private let file: FetchedBytes
  private let start: Int
  private let end: Int
  private let order: ByteOrder
  /// Whether offsets take eight bytes, as in files that may be longer than 4 GB.
  private let isLong: Bool

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
    let version = try file.number(at: start + 2, bytes: 2, order)
    isLong = version == 43
    guard version == 42 || version == 43 else { return nil }
  }

  private var offsetBytes: Int { isLong ? 8 : 4 }
  private var countBytes: Int { isLong ? 8 : 2 }
  private var entryBytes: Int { isLong ? 20 : 12 }

  func read(into header: inout ImageHeader) throws(HeaderGap) {
    // Each directory is visited once, whatever points at it: a file can make them a ring.
    var visited: [Int] = []
    let main = try directory(at: try number(at: start + (isLong ? 8 : 4), bytes: offsetBytes), &visited)
    if header.format == .tiff, let width = try value(main.first { $0.tag == Tag.width }),
      let height = try value(main.first { $0.tag == Tag.height })
    {
      header.declare(width: width, height: height)
    }
    if let value = try value(main.first { $0.tag == Tag.orientation }) {
      header.orientation = UInt8(exactly: value).flatMap(Orientation.init) ?? header.orientation
    }
    var dates: [Int64?] = []
    if let offset = try value(main.first { $0.tag == Tag.exifDirectory }) {
      let details = try directory(at: offset, &visited)
      dates.append(try date(details.first { $0.tag == Tag.dateTimeOriginal }))
      dates.append(try date(details.first { $0.tag == Tag.dateTimeDigitized }))
    }
    dates.append(try date(main.first { $0.tag == Tag.dateTime }))
    header.captureTime = dates.lazy.compactMap { $0 }.first
    header.embeddedThumbnail = try preview(&visited, isMarked: header.format == .tiff)
  }

  /// The second directory describes the embedded preview; in a file of pages, only one that is marked so.
  private func preview(_ visited: inout [Int], isMarked: Bool) throws(HeaderGap) -> Range<Int>? {
    guard let main = visited.first else { return nil }
    let count = try number(at: start + main, bytes: countBytes) ?? 0
    guard count <= ExifReader.mostEntries else { return nil }
    let next = start + main + countBytes + entryBytes * count
    let entries = try directory(at: try number(at: next, bytes: offsetBytes), &visited)
    func value(_ tag: Int) throws(HeaderGap) -> Int? { try self.value(entries.first { $0.tag == tag }) }
    if isMarked, (try value(Tag.subfileType) ?? 0) & 1 == 0 { return nil }
    let jpegCompression = 6
    guard let offset = try value(Tag.previewOffset), let length = try value(Tag.previewLength), length >= 4,
      try value(Tag.compression) ?? jpegCompression == jpegCompression, offset <= end - start,
      length <= end - start - offset
    else { return nil }
    return start + offset..<start + offset + length
  }

  private func directory(at offset: Int?, _ visited: inout [Int]) throws(HeaderGap) -> [Entry] {
    guard let offset, offset >= 8, !visited.contains(offset), visited.count < ExifReader.mostDirectories,
      let count = try number(at: start + offset, bytes: countBytes)
    else { return [] }
    visited.append(offset)
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, ExifReader.mostEntries))
    for index in 0..<min(count, ExifReader.mostEntries) {
      let place = start + offset + countBytes + index * entryBytes
      guard let tag = try number(at: place, bytes: 2), let type = try number(at: place + 2, bytes: 2),
        let count = try number(at: place + 4, bytes: offsetBytes), place + entryBytes <= end
      else { break }
      entries.append(Entry(tag: tag, type: type, count: count, place: place + 4 + offsetBytes))
    }
    return entries
  }

  /// A single number of two, four or eight bytes.
  private func value(_ entry: Entry?) throws(HeaderGap) -> Int? {
    guard let entry, entry.count == 1 else { return nil }
    switch entry.type {
    case 3: return try number(at: entry.place, bytes: 2)
    case 4: return try number(at: entry.place, bytes: 4)
    case 16 where isLong: return try number(at: entry.place, bytes: 8)
    default: return nil
    }
  }

  private func date(_ entry: Entry?) throws(HeaderGap) -> Int64? {
    guard let entry, entry.count >= ExifDate.byteCount, let offset = try number(at: entry.place, bytes: offsetBytes),
      start + offset + ExifDate.byteCount <= end
    else { return nil }
    return ExifDate(try file.bytes(at: start + offset, count: ExifDate.byteCount))?.secondsSince1970
  }

  /// A number, or nothing where it would lie outside the data or is past all offsets.
  private func number(at offset: Int, bytes: Int) throws(HeaderGap) -> Int? {
    guard offset >= start, offset + bytes <= end else { return nil }
    let number = try file.number(at: offset, bytes: bytes, order)
    return (0..<1 << 48).contains(number) ? number : nil
  }
}
