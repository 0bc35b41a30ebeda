/// Finds a row by the hash of its path, in constant time.
///
/// Cut into segments that grow one at a time, so that no single insertion into a library of a million rebuilds a table
/// of a million. Each entry keeps the row beside half of its hash: growing needs no names.
struct PathIndex: Sendable {
  private struct Segment: Sendable {
    var count = 0
    /// The hash's lower half above the row plus one; zero where the place is free.
    var places = [UInt64](repeating: 0, count: 16)

    mutating func insert(entry: UInt64) {
      let mask = places.count - 1
      var place = Int(entry >> 32) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = entry
      count += 1
    }

    mutating func grow() {
      let old = places
      places = [UInt64](repeating: 0, count: old.count * 2)
      count = 0
      for entry in old where entry != 0 { insert(entry: entry) }
    }
  }

  /// Where its first segment lies in memory: elsewhere once it was copied.
  var firstAddress: UnsafeRawPointer? { segments.first?.places.withUnsafeBytes { $0.baseAddress } }

  private var segments = [Segment](repeating: Segment(), count: 64)

  /// The row with this hash for which the closure answers yes.
  func row(hash: UInt64, where matches: (UInt32) -> Bool) -> UInt32? {
    let segment = segments[Int(hash >> 58)]
    let mask = segment.places.count - 1
    var place = Int(hash & 0xFFFF_FFFF) & mask
    while segment.places[place] != 0 {
      let entry = segment.places[place]
      if entry >> 32 == hash & 0xFFFF_FFFF {
        let row = UInt32(truncatingIfNeeded: entry) - 1
        if matches(row) { return row }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Adds a row that is not there yet.
  mutating func insert(hash: UInt64, row: UInt32) {
    let number = Int(hash >> 58)
    // Full to seven eighths: the tag beside each row makes a longer search cheap.
    if (segments[number].count + 1) * 8 > segments[number].places.count * 7 { segments[number].grow() }
    segments[number].insert(entry: (hash & 0xFFFF_FFFF) << 32 | UInt64(row + 1))
  }

  /// The memory that is held, in bytes.
  var heldBytes: Int {
    segments.reduce(0) { $0 + $1.places.capacity * MemoryLayout<UInt64>.stride + 32 }
  }
}
