/// The sections of a snapshot, in order, accessible by identifier and by key.
struct SectionTable<SectionID: Hashable & Sendable>: Sendable {
  typealias Record = SectionRecord<SectionID>

  /// The sections, in order.
  var records: ContiguousArray<Record> = []

  private var keys: [SectionID: Int32] = [:]
  private var ranks: ContiguousArray<Int> = []
  private var freeKeys: ContiguousArray<Int32> = []

  /// Returns whether two tables share their storage, and therefore have the same sections and items.
  func isSame(as other: SectionTable) -> Bool {
    records.withUnsafeBufferPointer { mine in
      other.records.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }

  /// Returns the index of a section, or nil if the section does not exist.
  ///
  /// - Complexity: O(1) expected.
  func rank(of section: SectionID) -> Int? { keys[section].map { ranks[Int($0)] } }

  /// Returns the index of the section with a key.
  func rank(ofKey key: Int32) -> Int { ranks[Int(key)] }

  /// Inserts a section before an index.
  ///
  /// Returns false if the section already exists.
  ///
  /// The caller must call ``renumber(from:)`` afterwards to update the ranks.
  mutating func insert(_ section: SectionID, at rank: Int) -> Bool {
    guard keys[section] == nil else { return false }
    let key = freeKeys.popLast() ?? Int32(ranks.count)
    if key == ranks.count { ranks.append(0) }
    keys[section] = key
    records.insert(Record(identifier: section, key: key), at: rank)
    return true
  }

  /// Removes and returns sections.
  ///
  /// The caller must release their items.
  ///
  /// - Complexity: O(s) for s sections.
  mutating func remove(_ sections: Set<SectionID>) -> [Record] {
    let removed = records.filter { sections.contains($0.identifier) }
    records.removeAll { sections.contains($0.identifier) }
    for record in removed {
      keys.removeValue(forKey: record.identifier)
      freeKeys.append(record.key)
    }
    renumber(from: 0)
    return Array(removed)
  }

  /// Moves a section to an index in the list without the section.
  ///
  /// - Complexity: O(s) for s sections.
  mutating func move(from rank: Int, to target: Int) {
    let record = records.remove(at: rank)
    records.insert(record, at: target)
    renumber(from: min(rank, target))
  }

  /// Updates the ranks of the sections from an index on.
  mutating func renumber(from rank: Int) {
    for index in rank..<records.count { ranks[Int(records[index].key)] = index }
  }
}

/// A section of a snapshot.
struct SectionRecord<SectionID: Hashable & Sendable>: Sendable {
  let identifier: SectionID
  /// The key of the section in its snapshot, which does not change when other sections are inserted or deleted.
  let key: Int32
  var items = HandleList()
}
