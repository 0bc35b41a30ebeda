/// Plain values by fingerprint, in little memory: the entries in the order in which they came, and places to find them by.
///
/// Open addressing with linear probing; the fingerprint's own bits are the hash. Besides an entry's own bytes, an entry
/// takes at most 8 bytes for its place, and an eighth more while the table grows.
struct FingerprintTable<Value: BitwiseCopyable & Sendable>: Sendable {
  /// A value and what it is found by.
  struct Entry: BitwiseCopyable, Sendable {
    var key: FileFingerprint
    var value: Value
  }

  /// The entries, in the order in which their keys came.
  private(set) var entries = ContiguousArray<Entry>()
  /// Where an entry stands, plus one; 0 where there is none.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 16)

  /// An empty table.
  init() {}

  /// The number of entries.
  var count: Int { entries.count }

  /// The bytes of memory that the table has taken.
  var byteCount: Int { entries.capacity * MemoryLayout<Entry>.stride + slots.count * MemoryLayout<UInt32>.stride }

  /// Takes the memory for so many entries at once.
  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    if slots.count * 3 / 4 < count { rebuild(slotCount: count + count / 2) }
  }

  /// The value of a key.
  /// - Complexity: O(1) on average.
  subscript(key: FileFingerprint) -> Value? {
    let place = slots[slot(of: key)]
    return place == 0 ? nil : entries[Int(place) - 1].value
  }

  /// Puts a value in, in place of the key's earlier one.
  /// - Complexity: O(1) on average, amortised.
  mutating func insert(_ value: Value, for key: FileFingerprint) {
    let slot = slot(of: key)
    guard slots[slot] == 0 else {
      entries[Int(slots[slot]) - 1].value = value
      return
    }
    if entries.count == entries.capacity { entries.reserveCapacity(entries.count + entries.count / 8 + 64) }
    entries.append(Entry(key: key, value: value))
    slots[slot] = UInt32(entries.count)
    if entries.count > slots.count * 3 / 4 { rebuild(slotCount: slots.count + slots.count / 4 + 16) }
  }

  /// Takes out the entries that a body chooses; the others keep their order.
  /// - Complexity: O(count).
  mutating func removeAll(where isGone: (Entry) -> Bool) {
    entries.removeAll(where: isGone)
    rebuild(slotCount: slots.count)
  }

  /// Where a key's place is, or would be.
  private func slot(of key: FileFingerprint) -> Int {
    var slot = Int(key.low.multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[slot] != 0, entries[Int(slots[slot]) - 1].key != key {
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return slot
  }

  private mutating func rebuild(slotCount count: Int) {
    slots = ContiguousArray(repeating: 0, count: max(16, count))
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.key.low.multipliedFullWidth(by: UInt64(slots.count)).high)
      while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
      slots[slot] = UInt32(index + 1)
    }
  }
}
