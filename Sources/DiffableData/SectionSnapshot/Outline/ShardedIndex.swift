/// A dictionary in shards that copies share: a change after a copy copies one shard and the list of them.
///
/// A shard is chosen by the first bits of the hash, so which identifiers share one differs from process to process; it
/// is looked up only, never listed.
struct ShardedIndex<Key: Hashable & Sendable>: Sendable {
  /// The number of keys in a shard on average, at most.
  private static var shardSize: Int { 256 }

  private var shards: [[Key: OutlineNode.Handle]] = [[:]]
  /// How many bits of the hash choose the shard.
  private var bits = 0
  private var count = 0

  subscript(key: Key) -> OutlineNode.Handle? { shards[shard(of: key)][key] }

  /// Adds a key, unless it is there.
  ///
  /// - Returns: Whether it was not there.
  /// - Complexity: O(1) amortised.
  mutating func insert(_ key: Key, _ handle: OutlineNode.Handle) -> Bool {
    reserve(1)
    let isNew = shards[shard(of: key)].updateValue(handle, forKey: key) == nil
    if isNew { count += 1 }
    return isNew
  }

  /// Removes a key, if it is there.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ key: Key) {
    if shards[shard(of: key)].removeValue(forKey: key) != nil { count -= 1 }
  }

  /// Makes enough shards for a number of keys more.
  ///
  /// - Complexity: O(1) amortised.
  mutating func reserve(_ added: Int) {
    guard count + added > shards.count * Self.shardSize else { return }
    while count + added > Self.shardSize << bits { bits += 2 }
    let old = shards
    shards = Array(repeating: [:], count: 1 << bits)
    for shard in old {
      for (key, handle) in shard { shards[self.shard(of: key)][key] = handle }
    }
  }

  private func shard(of key: Key) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) >> UInt(UInt.bitWidth - bits))
  }
}
