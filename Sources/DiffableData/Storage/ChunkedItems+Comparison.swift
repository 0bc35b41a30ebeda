extension ChunkedItems {
  /// How many items both begin with.
  ///
  /// - Complexity: O(n / 512) over chunks that both share, O(n) over others.
  func commonPrefix(with other: ChunkedItems) -> Int {
    var left = (chunk: 0, slot: 0)
    var right = (chunk: 0, slot: 0)
    var length = 0
    while left.chunk < chunks.count, right.chunk < other.chunks.count {
      let (mine, theirs) = (chunks[left.chunk], other.chunks[right.chunk])
      let run: Int
      if left.slot == 0, right.slot == 0, ChunkedItems.isSame(mine, theirs) {
        run = mine.count
      } else {
        run = min(mine.count - left.slot, theirs.count - right.slot)
        for step in 0..<run where mine[left.slot + step] != theirs[right.slot + step] { return length + step }
      }
      length += run
      left = left.slot + run == mine.count ? (left.chunk + 1, 0) : (left.chunk, left.slot + run)
      right = right.slot + run == theirs.count ? (right.chunk + 1, 0) : (right.chunk, right.slot + run)
    }
    return length
  }

  /// How many items both end with, but at most a number.
  ///
  /// - Complexity: O(n / 512) over chunks that both share, O(n) over others.
  func commonSuffix(with other: ChunkedItems, atMost limit: Int) -> Int {
    // Slots count from the end of a chunk here.
    var left = (chunk: chunks.count - 1, slot: 0)
    var right = (chunk: other.chunks.count - 1, slot: 0)
    var length = 0
    while left.chunk >= 0, right.chunk >= 0, length < limit {
      let (mine, theirs) = (chunks[left.chunk], other.chunks[right.chunk])
      let run: Int
      if left.slot == 0, right.slot == 0, ChunkedItems.isSame(mine, theirs) {
        run = mine.count
      } else {
        run = min(mine.count - left.slot, theirs.count - right.slot)
        let (myEnd, theirEnd) = (mine.count - left.slot - 1, theirs.count - right.slot - 1)
        for step in 0..<run where mine[myEnd - step] != theirs[theirEnd - step] { return min(limit, length + step) }
      }
      length += run
      left = left.slot + run == mine.count ? (left.chunk - 1, 0) : (left.chunk, left.slot + run)
      right = right.slot + run == theirs.count ? (right.chunk - 1, 0) : (right.chunk, right.slot + run)
    }
    return min(limit, length)
  }

  /// Whether two chunks are the same memory, and so the same items.
  private static func isSame(_ left: Chunk, _ right: Chunk) -> Bool {
    left.count == right.count
      && left.withUnsafeBufferPointer { mine in
        right.withUnsafeBufferPointer { theirs in mine.baseAddress == theirs.baseAddress }
      }
  }
}
