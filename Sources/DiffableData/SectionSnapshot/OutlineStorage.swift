/// An array in chunks that copies share.
///
/// A change after a copy copies one chunk and the list of chunks, not every element.
struct ChunkedArray<Element> {
  private static var chunkBits: Int { 8 }
  private static var chunkMask: Int { 255 }

  private var chunks: [[Element]] = []

  /// The number of elements.
  private(set) var count = 0

  subscript(index: Int) -> Element {
    get { chunks[index >> Self.chunkBits][index & Self.chunkMask] }
    set { chunks[index >> Self.chunkBits][index & Self.chunkMask] = newValue }
  }

  mutating func append(_ element: Element) {
    if count & Self.chunkMask == 0 { chunks.append([]) }
    chunks[count >> Self.chunkBits].append(element)
    count += 1
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

/// A dictionary in shards that copies share.
///
/// A change after a copy copies one shard and the list of shards.
///
/// The first bits of the hash select the shard. Its contents therefore differ between processes, so the dictionary
/// offers no iteration.
struct ShardedIndex<Key: Hashable & Sendable>: Sendable {
  /// The maximum average number of keys in a shard.
  private static var shardSize: Int { 256 }

  private var shards: [[Key: OutlineNode.Handle]] = [[:]]
  /// The number of bits of the hash that select the shard.
  private var bits = 0
  private var count = 0

  subscript(key: Key) -> OutlineNode.Handle? { shards[shard(of: key)][key] }

  /// Adds a key unless it exists.
  ///
  /// - Returns: Whether the key was added.
  /// - Complexity: O(1) amortised.
  mutating func insert(_ key: Key, _ handle: OutlineNode.Handle) -> Bool {
    reserve(1)
    let isNew = shards[shard(of: key)].updateValue(handle, forKey: key) == nil
    if isNew { count += 1 }
    return isNew
  }

  /// Removes a key if it exists.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ key: Key) {
    if shards[shard(of: key)].removeValue(forKey: key) != nil { count -= 1 }
  }

  /// Reserves shards for a number of additional keys.
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
