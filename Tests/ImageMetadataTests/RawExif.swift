/// Writes EXIF data field by field, so that a test can make any of them wrong.
struct RawExif {
  /// An entry of a directory.
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The bytes of the value, of which as many are written as an entry has.
    var value: [UInt8]
    /// The value as a number, written in the byte order of the data instead of the bytes.
    var number: (Int, bytes: Int)?

    init(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) {
      (self.tag, self.type, self.count, self.value) = (tag, type, count, value)
    }

    static func short(_ tag: Int, _ number: Int) -> Entry {
      var entry = Entry(tag, 3, 1, [])
      entry.number = (number, bytes: 2)
      return entry
    }

    static func long(_ tag: Int, _ number: Int) -> Entry {
      var entry = Entry(tag, 4, 1, [])
      entry.number = (number, bytes: 4)
      return entry
    }
  }

  var isBigEndian = false
  /// Whether offsets have eight bytes.
  var isLong = false
  var main: [Entry] = []
  /// The entries of the directory after the main one, or nil if there is none.
  var next: [Entry]?
  var mark: String?
  var version: Int?
  /// The offset of the main directory, or nil for where it is.
  var firstDirectory: Int?
  /// The values outside the entries, which follow the header.
  private var values: [UInt8] = []

  init(isBigEndian: Bool = false, isLong: Bool = false, main: [Entry] = [], next: [Entry]? = nil) {
    (self.isBigEndian, self.isLong, self.main, self.next) = (isBigEndian, isLong, main, next)
  }

  /// The offset of the data in ``jpeg``.
  static let startInJPEG = 12

  private var headerBytes: Int { isLong ? 16 : 8 }
  private var offsetBytes: Int { isLong ? 8 : 4 }

  /// Returns an entry of bytes, which are in the entry if they fit.
  mutating func text(
    _ tag: Int, _ text: [UInt8], type: Int = 2, count: Int? = nil, offset: Int? = nil
  ) -> Entry {
    if text.count <= offsetBytes, offset == nil, count ?? 0 <= offsetBytes {
      return Entry(tag, type, count ?? text.count, text)
    }
    return entry(tag, type, count ?? text.count, outside: text, at: offset)
  }

  /// Adds bytes that no entry refers to.
  mutating func addBytes(_ count: Int) { values += [UInt8](repeating: 0, count: count) }

  /// Returns an entry of fractions, which are in the entry if they fit.
  mutating func fractions(
    _ tag: Int, _ fractions: [(Int, Int)], type: Int = 5, count: Int? = nil, offset: Int? = nil
  ) -> Entry {
    let bytes = fractions.flatMap { number($0.0, 4) + number($0.1, 4) }
    if isLong, bytes.count <= 8 { return Entry(tag, type, count ?? fractions.count, bytes) }
    return entry(tag, type, count ?? fractions.count, outside: bytes, at: offset)
  }

  /// Returns an entry with the offset of another directory.
  mutating func directory(_ tag: Int, _ entries: [Entry]) -> Entry {
    entry(tag, 4, 1, outside: lines(entries, next: 0), at: nil)
  }

  /// Returns the entries of the directory of a preview.
  static func preview(offset: Int, length: Int, compression: Int = 6) -> [Entry] {
    [.short(0x0103, compression), .long(0x0201, offset), .long(0x0202, length)]
  }

  private mutating func entry(_ tag: Int, _ type: Int, _ count: Int, outside bytes: [UInt8], at offset: Int?) -> Entry {
    var entry = Entry(tag, type, count, [])
    entry.number = (offset ?? headerBytes + values.count, bytes: offsetBytes)
    if type == 4 { entry.number?.bytes = 4 }
    values += bytes
    return entry
  }

  /// The data.
  var bytes: [UInt8] {
    let start = headerBytes + values.count
    var out = Array((mark ?? (isBigEndian ? "MM" : "II")).utf8) + number(version ?? (isLong ? 43 : 42), 2)
    if isLong { out += number(8, 2) + number(0, 2) }
    out += number(firstDirectory ?? start, offsetBytes) + values
    let length = lines(main, next: 0).count
    out += lines(main, next: next == nil ? 0 : start + length)
    if let next { out += lines(next, next: 0) }
    return out
  }

  /// A JPEG file of 8 x 6 pixels with the data.
  var jpeg: [UInt8] { jpeg(of: bytes) }

  func jpeg(of exif: some Collection<UInt8>) -> [UInt8] {
    [0xFF, 0xD8] + HeaderFixture.segment(0xE1, Array("Exif\0\0".utf8) + exif)
      + HeaderFixture.jpeg(width: 8, height: 6).dropFirst(2)
  }

  private func lines(_ entries: [Entry], next: Int) -> [UInt8] {
    var out = number(entries.count, isLong ? 8 : 2)
    for entry in entries {
      let value = entry.number.map { number($0.0, $0.bytes) } ?? entry.value
      out += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, offsetBytes)
      out += Array((value + [UInt8](repeating: 0, count: 8)).prefix(offsetBytes))
    }
    return out + number(next, offsetBytes)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    isBigEndian ? HeaderFixture.big(value, count) : HeaderFixture.little(value, count)
  }
}
