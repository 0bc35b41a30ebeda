/// Which keys chunks have in one snapshot, and to which section each belongs.
///
/// Keys are dense and given out again, so the ledger stays as small as the snapshot.
struct ChunkLedger: Sendable {
  private var owners: ContiguousArray<Int32> = []
  private var free: ContiguousArray<Int32> = []

  /// A key for a new chunk of a section.
  ///
  /// - Complexity: O(1) amortised, but for one copy of n / 512 numbers after the snapshot was copied.
  mutating func makeKey(ownedBy section: Int32) -> Int32 {
    if let key = free.popLast() {
      owners[Int(key)] = section
      return key
    }
    owners.append(section)
    return Int32(owners.count - 1)
  }

  /// Takes a key back.
  mutating func release(_ key: Int32) { free.append(key) }

  /// The key of the section that a chunk belongs to.
  func owner(of chunk: Int32) -> Int32 { owners[Int(chunk)] }
}
