/// Distinct identifiers in the order in which they came, found by hash.
///
/// Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4, algorithm L) at a load of at most
/// three quarters. Each place of the table has a tag of one byte, so that a probe looks at an identifier only where seven
/// bits of the hash agree: beside an identifier it takes 5 / 0.75 bytes, which is 6.7.
struct IdentifierTable<ID: Hashable & Sendable>: Sendable {
  /// The identifiers, in order of insertion.
  private(set) var identifiers: ContiguousArray<ID> = []
  /// For each place 0, or seven bits of the hash and the eighth set.
  private var tags: ContiguousArray<UInt8> = []
  /// For each place that has a tag the number of the identifier.
  private var numbers: ContiguousArray<Int32> = []

  /// Makes an empty table with room for some identifiers.
  init(capacity: Int) { reserve(capacity) }

  var count: Int { identifiers.count }

  /// The number of an identifier, or -1.
  ///
  /// - Parameter hash: the identifier's hash value.
  /// - Complexity: O(1) expected.
  func find(_ id: ID, hash: Int) -> Int32 {
    let tag = IdentifierTable.tag(hash)
    var place = place(hash)
    while true {
      let other = tags[place]
      if other == 0 { return -1 }
      if other == tag, identifiers[Int(numbers[place])] == id { return numbers[place] }
      place = place + 1 == tags.count ? 0 : place + 1
    }
  }

  /// The number of an identifier, which is added unless it is there.
  ///
  /// - Precondition: There is room for it.
  /// - Complexity: O(1) expected.
  mutating func insert(_ id: ID, hash: Int) -> Int32 {
    let tag = IdentifierTable.tag(hash)
    var place = place(hash)
    while true {
      let other = tags[place]
      if other == 0 { break }
      if other == tag, identifiers[Int(numbers[place])] == id { return numbers[place] }
      place = place + 1 == tags.count ? 0 : place + 1
    }
    let number = Int32(truncatingIfNeeded: identifiers.count)
    tags[place] = tag
    numbers[place] = number
    identifiers.append(id)
    return number
  }

  /// Makes room for identifiers in all.
  ///
  /// - Complexity: O(1) when there is room, else O(n).
  mutating func reserve(_ capacity: Int) {
    guard capacity * 4 > tags.count * 3 || tags.isEmpty else { return }
    // Grown in proportion when it grows again, so that one by one costs O(1) amortised.
    let wanted = Swift.max(8, capacity * 4 / 3 + 1, tags.isEmpty ? 0 : tags.count * 2)
    tags = ContiguousArray(repeating: 0, count: wanted)
    numbers = ContiguousArray(repeating: 0, count: wanted)
    identifiers.reserveCapacity(tags.count * 3 / 4)
    for number in identifiers.indices {
      let hash = identifiers[number].hashValue
      var place = place(hash)
      while tags[place] != 0 { place = place + 1 == tags.count ? 0 : place + 1 }
      tags[place] = IdentifierTable.tag(hash)
      numbers[place] = Int32(truncatingIfNeeded: number)
    }
  }

  private func place(_ hash: Int) -> Int {
    // The upper half of a product falls evenly into any range (Lemire, Fast random integer generation in an interval).
    Int(truncatingIfNeeded: UInt(bitPattern: hash).multipliedFullWidth(by: UInt(bitPattern: tags.count)).high)
  }

  private static func tag(_ hash: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash) | 0x80 }
}
