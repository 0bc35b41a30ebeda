/// Finds a row by the hash of its path, in constant time.
///
/// Cut into segments that grow one at a time, so that no single insertion into a library of a million rebuilds a table
/// of a million. Each entry keeps the row beside half of its hash: growing needs no names.
struct PathIndex: Sendable {
  private struct Segment: Sendable {
    var count = 0
    /// The hash's lower half above the row plus one; zero where the place is free.
    var slots = [UInt64](repeating: 0, count: 16)

    mutating func insert(entry: UInt64) {
      let mask = slots.count - 1
      var place = Int(entry >> 32) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = entry
      count += 1
    }

    mutating func grow() {
      let old = slots
      slots = [UInt64](repeating: 0, count: old.count * 2)
      count = 0
      for entry in old where entry != 0 { insert(entry: entry) }
    }
  }

  /// Where its first segment lies in memory: elsewhere once it was copied.
  var storageAddress: UnsafeRawPointer? { segments.first?.slots.withUnsafeBytes { $0.baseAddress } }

  private var segments = [Segment](repeating: Segment(), count: 64)

  /// The row with this hash for which the closure answers yes.
  func row(hash: UInt64, where matches: (UInt32) -> Bool) -> UInt32? {
    let segment = segments[Int(hash >> 58)]
    let mask = segment.slots.count - 1
    var place = Int(hash & 0xFFFF_FFFF) & mask
    while segment.slots[place] != 0 {
      let entry = segment.slots[place]
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
    if (segments[number].count + 1) * 8 > segments[number].slots.count * 7 { segments[number].grow() }
    segments[number].insert(entry: (hash & 0xFFFF_FFFF) << 32 | UInt64(row + 1))
  }

  /// The memory that is held, in bytes.
  var memoryBytes: Int {
    segments.reduce(0) { $0 + $1.slots.capacity * MemoryLayout<UInt64>.stride + 32 }
  }
}
