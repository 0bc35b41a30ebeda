/// Sorts the names of a folder by ``NaturalOrder``, each name's key computed once.
struct NaturalSort {
  private struct Entry {
    /// The key's first eight bytes, most significant first, zeros where it is shorter.
    var head: UInt64
    var start: Int
    var count: Int
    var index: Int
  }

  private let names: NameList
  private var keys: [UInt8] = []
  private var entries: [Entry] = []

  /// The indices of the names in order.
  ///
  /// - Complexity: O(n log n).
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
