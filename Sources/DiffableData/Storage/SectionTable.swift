/// The sections of a snapshot in order, found by identifier and by key.
struct SectionTable<SectionID: Hashable & Sendable>: Sendable {
  typealias Record = SectionRecord<SectionID>

  /// The sections in order.
  var records: ContiguousArray<Record> = []

  private var keys: [SectionID: Int32] = [:]
  private var ranks: ContiguousArray<Int> = []
  private var free: ContiguousArray<Int32> = []

  /// Whether two tables are the same memory, and so the same sections and items.
  func isSame(as other: SectionTable) -> Bool {
    records.withUnsafeBufferPointer { mine in
      other.records.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }

  /// The index of a section, or nothing.
  ///
  /// - Complexity: O(1) expected.
  func rank(of section: SectionID) -> Int? { keys[section].map { ranks[Int($0)] } }

  /// The index of the section with a key.
  func rank(ofKey key: Int32) -> Int { ranks[Int(key)] }

  /// Adds a section before an index, or returns false when it is there already.
  ///
  /// The ranks are wrong until ``renumber(from:)`` is called.
  mutating func insert(_ section: SectionID, at rank: Int) -> Bool {
    guard keys[section] == nil else { return false }
    let key = free.popLast() ?? Int32(ranks.count)
    if key == ranks.count { ranks.append(0) }
    keys[section] = key
    records.insert(Record(identifier: section, key: key), at: rank)
    return true
  }

  /// Takes sections out; their items are the caller's to forget.
  ///
  /// - Complexity: O(s) in the number of sections.
  mutating func remove(_ sections: Set<SectionID>) -> [Record] {
    let removed = records.filter { sections.contains($0.identifier) }
    records.removeAll { sections.contains($0.identifier) }
    for record in removed {
      keys.removeValue(forKey: record.identifier)
      free.append(record.key)
    }
    renumber(from: 0)
    return Array(removed)
  }

  /// Moves a section to an index of the list without it.
  ///
  /// - Complexity: O(s) in the number of sections.
  mutating func move(from rank: Int, to target: Int) {
    let record = records.remove(at: rank)
    records.insert(record, at: target)
    renumber(from: min(rank, target))
  }

  /// Numbers the sections anew from an index on.
  mutating func renumber(from rank: Int) {
    for index in rank..<records.count { ranks[Int(records[index].key)] = index }
  }
}
