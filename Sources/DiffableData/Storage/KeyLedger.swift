/// Which keys parts of a list have in one snapshot, and to what each part belongs.
///
/// Keys are dense and given out again, so the ledger stays as small as the snapshot.
struct KeyLedger: Sendable {
  private var owners: ContiguousArray<Int32> = []
  private var free: ContiguousArray<Int32> = []

  /// A key for a new part of something.
  ///
  /// - Complexity: O(1) amortised, but for one copy of the ledger after the snapshot was copied.
  mutating func makeKey(ownedBy owner: Int32) -> Int32 {
    if let key = free.popLast() {
      owners[Int(key)] = owner
      return key
    }
    owners.append(owner)
    return Int32(owners.count - 1)
  }

  /// Takes a key back.
  mutating func release(_ key: Int32) { free.append(key) }

  /// The key of what a part belongs to.
  ///
  /// - Complexity: O(1).
  subscript(key: Int32) -> Int32 {
    get { owners[Int(key)] }
    set { owners[Int(key)] = newValue }
  }
}
