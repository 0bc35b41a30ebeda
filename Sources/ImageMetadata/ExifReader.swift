/// A reader of the orientation, date, camera, rating, location and embedded preview in EXIF data, a small TIFF file (CIPA
/// DC-008, section 4.6), and separately of the settings with which the photograph was taken.
struct ExifReader {
  /// The maximum length of EXIF data in bytes.
  ///
  /// Longer data is ignored.
  static let maximumBytes = 1 << 20

  private static let maximumEntries = 512
  private static let maximumDirectories = 4

  private enum Tag {
    static let subfileType = 0x00FE
    static let width = 0x0100
    static let height = 0x0101
    static let compression = 0x0103
    static let maker = 0x010F
    static let model = 0x0110
    static let orientation = 0x0112
    static let dateTime = 0x0132
    static let xmp = 0x02BC
    static let previewOffset = 0x0201
    static let previewLength = 0x0202
    /// Written by Windows and most programs for photographs.
    static let rating = 0x4746
    static let exifDirectory = 0x8769
    static let locationDirectory = 0x8825
    static let dateTimeOriginal = 0x9003
    static let dateTimeDigitized = 0x9004
    static let exposureTime = 0x829A
    static let aperture = 0x829D
    static let sensitivity = 0x8827
    static let focalLength = 0x920A
    static let focalLengthIn35mmFilm = 0xA405
    static let lens = 0xA434

    // In the directory of the location.
    static let latitudeReference = 1
    static let latitude = 2
    static let longitudeReference = 3
    static let longitude = 4
  }

  /// An entry of a directory.
  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The offset in the file of the value, or of the offset of a longer value: four bytes, or eight in BigTIFF.
    var valueOffset: Int
  }

  private let file: FetchedBytes
  private let start: Int
  private let end: Int
  private let byteOrder: ByteOrder
  /// Whether offsets have eight bytes, as in files that may exceed 4 GB.
  private let isBigTIFF: Bool

  /// Creates a reader at the byte order mark, or returns nil if there is none.
  init?(file: FetchedBytes, start: Int, end: Int) throws(HeaderReadError) {
    guard start + 8 <= end else { return nil }
    if try file.matches("II", at: start) {
      byteOrder = .littleEndian
    } else if try file.matches("MM", at: start) {
      byteOrder = .bigEndian
    } else {
      return nil
    }
    self.file = file
    self.start = start
    self.end = end
    let version = try file.number(at: start + 2, bytes: 2, byteOrder)
    isBigTIFF = version == 43
    guard version == 42 || version == 43 else { return nil }
  }

  private var offsetBytes: Int { isBigTIFF ? 8 : 4 }
  private var countBytes: Int { isBigTIFF ? 8 : 2 }
  private var entryBytes: Int { isBigTIFF ? 20 : 12 }

  func read(into header: inout ImageHeader) throws(HeaderReadError) {
    // Each directory is read once, because a file can link them in a cycle.
    var visited: [Int] = []
    let main = try readDirectory(at: try readNumber(at: start + (isBigTIFF ? 8 : 4), bytes: offsetBytes), &visited)
    if header.format == .tiff, let width = try readValue(main.first { $0.tag == Tag.width }),
      let height = try readValue(main.first { $0.tag == Tag.height })
    {
      header.setStoredSize(width: width, height: height)
    }
    if let value = try readValue(main.first { $0.tag == Tag.orientation }) {
      header.orientation = UInt8(exactly: value).flatMap(Orientation.init) ?? header.orientation
    }
    if let value = try readValue(main.first { $0.tag == Tag.rating }), (1...5).contains(value) {
      header.rating = UInt8(value)
    }
    if header.format == .tiff, let packet = try readPacket(main.first { $0.tag == Tag.xmp }) {
      XMPPacket(packet).applyRating(to: &header)
    }
    header.camera = ExifReader.cameraName(
      maker: try readText(main.first { $0.tag == Tag.maker }), model: try readText(main.first { $0.tag == Tag.model }))
    var dates: [Int64?] = []
    if let offset = try readValue(main.first { $0.tag == Tag.exifDirectory }) {
      let details = try readDirectory(at: offset, &visited)
      dates.append(try readDate(details.first { $0.tag == Tag.dateTimeOriginal }))
      dates.append(try readDate(details.first { $0.tag == Tag.dateTimeDigitized }))
    }
    dates.append(try readDate(main.first { $0.tag == Tag.dateTime }))
    header.captureTime = dates.lazy.compactMap { $0 }.first
    if let offset = try readValue(main.first { $0.tag == Tag.locationDirectory }) {
      header.location = try readLocation(try readDirectory(at: offset, &visited))
    }
    header.embeddedThumbnail = try previewRange(&visited, isMarked: header.format == .tiff)
  }

  /// Reads how the photograph was taken.
  func readCaptureSettings() throws(HeaderReadError) -> CaptureSettings {
    var (settings, visited): (CaptureSettings, [Int]) = (CaptureSettings(), [])
    let main = try readDirectory(at: try readNumber(at: start + (isBigTIFF ? 8 : 4), bytes: offsetBytes), &visited)
    guard let offset = try readValue(main.first { $0.tag == Tag.exifDirectory }) else { return settings }
    let details = try readDirectory(at: offset, &visited)
    func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 ? $0 : nil } }
    settings.exposureTime = positive(try readFraction(details.first { $0.tag == Tag.exposureTime }))
    settings.aperture = positive(try readFraction(details.first { $0.tag == Tag.aperture }))
    settings.focalLength = positive(try readFraction(details.first { $0.tag == Tag.focalLength }))
    // Cameras with several kinds of sensitivity write a number for each, of which the first one counts.
    if var entry = details.first(where: { $0.tag == Tag.sensitivity }), (1...2).contains(entry.count) {
      entry.count = 1
      settings.sensitivity = try readValue(entry).flatMap { $0 > 0 ? $0 : nil }
    }
    settings.focalLengthIn35mmFilm = try readValue(details.first { $0.tag == Tag.focalLengthIn35mmFilm })
      .flatMap { $0 > 0 ? $0 : nil }
    settings.lens = try readText(details.first { $0.tag == Tag.lens })
    return settings
  }

  /// Returns the preview that the second directory describes.
  ///
  /// In a multi-page file, the directory must be marked as reduced.
  private func previewRange(_ visited: inout [Int], isMarked: Bool) throws(HeaderReadError) -> Range<Int>? {
    guard let main = visited.first, let count = try readNumber(at: start + main, bytes: countBytes),
      count <= ExifReader.maximumEntries
    else { return nil }
    let next = start + main + countBytes + entryBytes * count
    let entries = try readDirectory(at: try readNumber(at: next, bytes: offsetBytes), &visited)
    func value(_ tag: Int) throws(HeaderReadError) -> Int? { try self.readValue(entries.first { $0.tag == tag }) }
    if isMarked, (try value(Tag.subfileType) ?? 0) & 1 == 0 { return nil }
    let jpegCompression = 6
    guard let offset = try value(Tag.previewOffset), let length = try value(Tag.previewLength), length >= 4,
      try value(Tag.compression) ?? jpegCompression == jpegCompression, offset <= end - start,
      length <= end - start - offset
    else { return nil }
    return start + offset..<start + offset + length
  }

  private func readDirectory(at offset: Int?, _ visited: inout [Int]) throws(HeaderReadError) -> [Entry] {
    guard let offset, offset >= 8, !visited.contains(offset), visited.count < ExifReader.maximumDirectories,
      let count = try readNumber(at: start + offset, bytes: countBytes)
    else { return [] }
    visited.append(offset)
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, ExifReader.maximumEntries))
    for index in 0..<min(count, ExifReader.maximumEntries) {
      let place = start + offset + countBytes + index * entryBytes
      guard let tag = try readNumber(at: place, bytes: 2), let type = try readNumber(at: place + 2, bytes: 2),
        let count = try readNumber(at: place + 4, bytes: offsetBytes), place + entryBytes <= end
      else { break }
      entries.append(Entry(tag: tag, type: type, count: count, valueOffset: place + 4 + offsetBytes))
    }
    return entries
  }

  /// Returns a single integer of two, four or eight bytes.
  private func readValue(_ entry: Entry?) throws(HeaderReadError) -> Int? {
    guard let entry, entry.count == 1 else { return nil }
    switch entry.type {
    case 3: return try readNumber(at: entry.valueOffset, bytes: 2)
    case 4: return try readNumber(at: entry.valueOffset, bytes: 4)
    case 16 where isBigTIFF: return try readNumber(at: entry.valueOffset, bytes: 8)
    default: return nil
    }
  }

  /// The maximum number of bytes of the name of a camera or its manufacturer.
  ///
  /// Longer names are not read.
  private static let maximumNameBytes = 64

  /// Returns an ASCII value without surrounding spaces, or nil if there is none.
  ///
  /// Bytes that are not printable ASCII are left out, as they come from damaged files.
  private func readText(_ entry: Entry?) throws(HeaderReadError) -> String? {
    guard let entry, entry.type == 2, (1...ExifReader.maximumNameBytes).contains(entry.count) else { return nil }
    var offset = entry.valueOffset - start
    if entry.count > offsetBytes {
      guard let place = try readNumber(at: entry.valueOffset, bytes: offsetBytes) else { return nil }
      offset = place
    }
    guard start + offset + entry.count <= end else { return nil }
    let bytes = try file.bytes(at: start + offset, count: entry.count)
    let words = bytes.prefix { $0 != 0 }.filter { (0x20..<0x7F).contains($0) }.split(separator: UInt8(ascii: " "))
    return words.isEmpty ? nil : words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Returns the name of a camera for display, such as “NIKON D750” or “Apple iPhone 12”.
  static func cameraName(maker: String?, model: String?) -> String? {
    guard let model else { return maker }
    guard let maker, let brand = maker.split(separator: " ").first else { return model }
    return model.lowercased().hasPrefix(brand.lowercased()) ? model : "\(brand) \(model)"
  }

  private func readDate(_ entry: Entry?) throws(HeaderReadError) -> Int64? {
    guard let entry, entry.count >= ExifDate.byteCount,
      let offset = try readNumber(at: entry.valueOffset, bytes: offsetBytes),
      start + offset + ExifDate.byteCount <= end
    else { return nil }
    return ExifDate(try file.bytes(at: start + offset, count: ExifDate.byteCount))?.secondsSince1970
  }

  // MARK: - Location and XMP data

  private func readLocation(_ entries: [Entry]) throws(HeaderReadError) -> GeographicLocation? {
    func read(_ reference: Int, _ value: Int, negativeIf letter: String) throws(HeaderReadError) -> Double? {
      guard let degrees = try readAngle(entries.first { $0.tag == value }) else { return nil }
      return try readText(entries.first { $0.tag == reference }) == letter ? -degrees : degrees
    }
    guard let latitude = try read(Tag.latitudeReference, Tag.latitude, negativeIf: "S"),
      let longitude = try read(Tag.longitudeReference, Tag.longitude, negativeIf: "W")
    else { return nil }
    return GeographicLocation(latitude: latitude, longitude: longitude)
  }

  /// Returns a fraction of two integers, or nil if there is none or the divisor is 0.
  private func readFraction(_ entry: Entry?) throws(HeaderReadError) -> Double? {
    let rationalType = 5
    guard let entry, entry.type == rationalType, entry.count == 1 else { return nil }
    // Where offsets have eight bytes, the value is in the entry itself.
    let place =
      isBigTIFF ? entry.valueOffset : try readNumber(at: entry.valueOffset, bytes: offsetBytes).map { start + $0 }
    guard let place, let numerator = try readNumber(at: place, bytes: 4),
      let denominator = try readNumber(at: place + 4, bytes: 4),
      denominator > 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }

  /// Returns the sum of degrees, minutes and seconds, each a fraction of two integers.
  private func readAngle(_ entry: Entry?) throws(HeaderReadError) -> Double? {
    let (rationalType, partBytes) = (5, 8)
    guard let entry, entry.type == rationalType, entry.count == 3,
      let offset = try readNumber(at: entry.valueOffset, bytes: offsetBytes)
    else { return nil }
    var degrees = 0.0
    for part in 0..<3 {
      let place = start + offset + part * partBytes
      guard let numerator = try readNumber(at: place, bytes: 4),
        let denominator = try readNumber(at: place + 4, bytes: 4)
      else { return nil }
      // Some writers leave out seconds as 0/0.
      if part > 0, numerator == 0 { continue }
      guard denominator > 0 else { return nil }
      degrees += Double(numerator) / Double(denominator) / [1, 60, 3600][part]
    }
    return degrees
  }

  private func readPacket(_ entry: Entry?) throws(HeaderReadError) -> ArraySlice<UInt8>? {
    guard let entry, entry.type == 1 || entry.type == 7,
      (offsetBytes + 1...XMPPacket.maximumBytes).contains(entry.count),
      let offset = try readNumber(at: entry.valueOffset, bytes: offsetBytes), start + offset + entry.count <= end
    else { return nil }
    return try file.bytes(at: start + offset, count: entry.count)
  }

  /// Reads an integer, or returns nil if it is outside the data or too large for an offset.
  private func readNumber(at offset: Int, bytes: Int) throws(HeaderReadError) -> Int? {
    guard offset >= start, offset + bytes <= end else { return nil }
    let number = try file.number(at: offset, bytes: bytes, byteOrder)
    return (0..<1 << 48).contains(number) ? number : nil
  }
}

// MARK: - Date

/// A date as written by cameras, `YYYY:MM:DD HH:MM:SS`, in the proleptic Gregorian calendar without a time zone.
struct ExifDate: Hashable, Sendable {
  /// The number of characters of a date.
  static let byteCount = 19

  /// The seconds since the start of 1970, as if the camera's clock were UTC.
  let secondsSince1970: Int64

  /// Parses 19 characters, or returns nil if they are blank or not a valid date and time.
  init?(_ text: some Collection<UInt8>) {
    let text = Array(text)
    guard text.count == ExifDate.byteCount, let year = ExifDate.parseNumber(text[0..<4]),
      let month = ExifDate.parseNumber(text[5..<7]), let day = ExifDate.parseNumber(text[8..<10]),
      let hour = ExifDate.parseNumber(text[11..<13]), let minute = ExifDate.parseNumber(text[14..<16]),
      let second = ExifDate.parseNumber(text[17..<19])
    else { return nil }
    let daySeparators = Array(":-/".utf8)
    guard daySeparators.contains(text[4]), daySeparators.contains(text[7]), Array(" T".utf8).contains(text[10]),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
    else { return nil }
    // No photographs exist from earlier years.
    guard year >= 1800, (1...12).contains(month), (1...ExifDate.days(in: month, of: year)).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let days = ExifDate.daysSince1970(year: year, month: month, day: day)
    secondsSince1970 = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private static func parseNumber(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts in years that begin in March, so that the leap day is the last day of a year.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let daysBeforeMonth = (153 * monthsSinceMarch + 2) / 5
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let daysFromYearZeroTo1970 = 719_468
    return marchYear * 365 + leapDays + daysBeforeMonth + day - 1 - daysFromYearZeroTo1970
  }
}
