/// An image file directory of a little-endian TIFF: entries in the order of their tags, values behind them.
struct TiffDirectory {
  static let entryBytes = 12

  private struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: UInt32
    let value: [UInt8]
  }

  private var entries: [Entry] = []

  /// Adds text with the zero that ends it.
  ///
  /// Tags must be added in ascending order.
  mutating func add(ascii text: some Sequence<UInt8>, tag: UInt16) {
    let value = Array(text) + [0]
    entries.append(Entry(tag: tag, type: 2, count: UInt32(value.count), value: value))
  }

  /// Adds bytes without a meaning of their own.
  mutating func add(undefined bytes: some Sequence<UInt8>, tag: UInt16) {
    let value = Array(bytes)
    entries.append(Entry(tag: tag, type: 7, count: UInt32(value.count), value: value))
  }

  /// Adds a number of 16 bits.
  mutating func add(short value: UInt16, tag: UInt16) {
    entries.append(Entry(tag: tag, type: 3, count: 1, value: [UInt8(value & 0xFF), UInt8(value >> 8)]))
  }

  /// Adds a number of 32 bits.
  mutating func add(long value: UInt32, tag: UInt16) {
    entries.append(Entry(tag: tag, type: 4, count: 1, value: Self.little(value)))
  }

  /// The bytes of the directory and of the values behind it.
  var byteCount: Int {
    entries.reduce(2 + 4) { $0 + Self.entryBytes + ($1.value.count > 4 ? Self.padded($1.value.count) : 0) }
  }

  /// The directory as it stands at an offset of its file.
  ///
  /// - Parameter next: the offset of the directory after it; 0 for none.
  func bytes(at offset: Int, next: Int) -> [UInt8] {
    var table: [UInt8] = [UInt8(entries.count & 0xFF), UInt8(entries.count >> 8)]
    var values: [UInt8] = []
    let valuesAt = offset + 2 + entries.count * Self.entryBytes + 4
    for entry in entries {
      table += [UInt8(entry.tag & 0xFF), UInt8(entry.tag >> 8), UInt8(entry.type), 0] + Self.little(entry.count)
      if entry.value.count > 4 {
        table += Self.little(UInt32(valuesAt + values.count))
        values += entry.value
        values += [UInt8](repeating: 0, count: Self.padded(entry.value.count) - entry.value.count)
      } else {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    return table + Self.little(UInt32(next)) + values
  }

  /// Values begin at even offsets.
  private static func padded(_ count: Int) -> Int { count + count % 2 }

  private static func little(_ value: UInt32) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16 & 0xFF), UInt8(value >> 24)]
  }
}
