/// The natural order of file names: "img2" before "img10", "B" between "a" and "c".
///
/// A run of digits is compared as a number, and ASCII letters are compared case-insensitively. Names that are equal by
/// these rules ("img1", "IMG1", "img01") are ordered by their bytes. The result is a strict total order over all byte
/// strings.
package enum NaturalOrder {
  /// Returns whether the first name comes before the second.
  package static func precedes(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Bool {
    let (one, other) = (sortKey(of: first), sortKey(of: second))
    return one == other ? first.lexicographicallyPrecedes(second) : one.lexicographicallyPrecedes(other)
  }

  /// Returns a key whose byte order is the natural order, except for names that differ only in case or leading zeros.
  package static func sortKey(of name: some Collection<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.count + 4)
    appendKey(of: name, to: &key)
    return key
  }

  /// Returns the lowercase form of an ASCII letter, and any other byte unchanged.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Appends the key of a name.
  ///
  /// A number is encoded as "0", its number of significant digits, and these digits. More digits make a larger number,
  /// and equally many digits are compared one by one.
  static func appendKey(of name: some Collection<UInt8>, to key: inout [UInt8]) {
    var rest = name[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(lowercased(byte))
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix(while: isDigit)
      let significant = digits.drop { $0 == UInt8(ascii: "0") }
      key.append(UInt8(ascii: "0"))
      var count = significant.count
      while count >= 255 {
        key.append(255)
        count -= 255
      }
      key.append(UInt8(count))
      key.append(contentsOf: significant)
      rest = rest[digits.endIndex...]
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// A sort of the names of a folder by ``NaturalOrder``, which computes the key of each name once.
struct NaturalSort {
  private struct Entry {
    /// The first eight bytes of the key, most significant first, padded with zeros.
    var head: UInt64
    var start: Int
    var count: Int
    var index: Int
  }

  private let names: NameList
  private var keys: [UInt8] = []
  private var entries: [Entry] = []

  /// Returns the indices of the names in natural order.
  ///
  /// - Complexity: O(*n* log *n*).
  static func sortedIndices(of names: NameList) -> [Int] { NaturalSort(names).sortIndices() }

  private init(_ names: NameList) {
    self.names = names
    entries.reserveCapacity(names.count)
    for index in 0..<names.count {
      let start = keys.count
      NaturalOrder.appendKey(of: names[index], to: &keys)
      var head: UInt64 = 0
      for offset in 0..<8 {
        head = head << 8 | (start + offset < keys.count ? UInt64(keys[start + offset]) : 0)
      }
      entries.append(Entry(head: head, start: start, count: keys.count - start, index: index))
    }
  }

  private func sortIndices() -> [Int] {
    keys.withUnsafeBytes { keys in
      entries.sorted { areInIncreasingOrder($0, $1, keys) }.map(\.index)
    }
  }

  private func areInIncreasingOrder(_ one: Entry, _ other: Entry, _ keys: UnsafeRawBufferPointer) -> Bool {
    if one.head != other.head { return one.head < other.head }
    let common = min(one.count, other.count)
    var offset = min(8, common)
    while offset + 8 <= common {
      let left = UInt64(bigEndian: keys.loadUnaligned(fromByteOffset: one.start + offset, as: UInt64.self))
      let right = UInt64(bigEndian: keys.loadUnaligned(fromByteOffset: other.start + offset, as: UInt64.self))
      if left != right { return left < right }
      offset += 8
    }
    while offset < common {
      let (left, right) = (keys[one.start + offset], keys[other.start + offset])
      if left != right { return left < right }
      offset += 1
    }
    if one.count != other.count { return one.count < other.count }
    let (name, otherName) = (names[one.index], names[other.index])
    return name == otherName ? one.index < other.index : name.lexicographicallyPrecedes(otherName)
  }
}

/// The names of the files in a folder, in one buffer, because a folder may contain hundreds of thousands of files.
struct NameList {
  private var bytes: [UInt8] = []
  private var starts: [Int] = [0]

  /// The number of names.
  var count: Int { starts.count - 1 }

  /// Appends a name.
  mutating func append(_ name: some Collection<UInt8>) {
    bytes.append(contentsOf: name)
    starts.append(bytes.count)
  }

  /// Returns the bytes of a name.
  subscript(index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }
}

// MARK: - Folders

extension PhotoPath {
  /// A key whose byte order is the order in which a scan lists folders: a folder before those within, and the folders
  /// within another in natural order.
  ///
  /// The key of a folder is the beginning of the keys of those within, and of no others.
  public var listingKey: [UInt8] {
    var key: [UInt8] = []
    for component in bytes.split(separator: PhotoPath.slash) {
      // The bytes decide between names whose natural keys are equal.
      for part in [NaturalOrder.sortKey(of: component), Array(component)] {
        for byte in part { key += byte == 0 ? [0, 1] : [byte] }
        key += [0, 0]
      }
    }
    return key
  }
}
