/// The items of one section in order: leaves of up to 512 handles in blocks of up to 128 leaves.
///
/// All three levels are copied when they are written to, each for itself: an edit of a copy dirties one leaf, the list of
/// leaves of its block and the list of blocks.
struct HandleList: Sendable {
  /// Where an item is: the block's index, the leaf's index in it, the slot in that.
  struct Path {
    var block: Int
    var leaf: Int
    var slot: Int
  }

  var blocks: ContiguousArray<HandleBlock> = []
  var count = 0

  /// Whether two lists are the same memory, and so the same items.
  func isSame(as other: HandleList) -> Bool {
    blocks.withUnsafeBufferPointer { mine in
      other.blocks.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }

  /// The handle at an index.
  ///
  /// - Complexity: O(n / 2^16 + 128).
  subscript(index: Int) -> Handle {
    let path = path(to: index)
    return blocks[path.block].leaves[path.leaf].handles[path.slot]
  }

  /// The way to an index that is there.
  ///
  /// - Complexity: O(n / 2^16 + 128).
  func path(to index: Int) -> Path {
    var rest = index
    var block = 0
    while rest >= blocks[block].count {
      rest -= blocks[block].count
      block += 1
    }
    var leaf = 0
    while rest >= blocks[block].leaves[leaf].count {
      rest -= blocks[block].leaves[leaf].count
      leaf += 1
    }
    return Path(block: block, leaf: leaf, slot: rest)
  }

  /// The way to an item whose leaf is known, and its index.
  ///
  /// - Complexity: O(n / 2^16 + 128 + 512): keys of blocks and of leaves, and the handle, are looked for.
  func path(to handle: Handle, inLeaf leaf: Int32, ofBlock block: Int32) -> (path: Path, index: Int)? {
    var index = 0
    for (position, candidate) in blocks.enumerated() {
      guard candidate.key == block else {
        index += candidate.count
        continue
      }
      for (number, candidate) in candidate.leaves.enumerated() {
        guard candidate.key == leaf else {
          index += candidate.count
          continue
        }
        return candidate.handles.firstIndex(of: handle).map {
          (Path(block: position, leaf: number, slot: $0), index + $0)
        }
      }
    }
    return nil
  }

  /// Calls a body with the handles of a range that is there, run by run in order.
  ///
  /// - Complexity: O(k + n / 2^16 + 128) for k items.
  @inline(__always)
  func forEachRun(in range: Range<Int>, _ body: (UnsafeBufferPointer<Handle>.SubSequence) -> Void) {
    guard !range.isEmpty else { return }
    var path = path(to: range.lowerBound)
    var rest = range.count
    while rest > 0 {
      let leaf = blocks[path.block].leaves[path.leaf]
      let end = Swift.min(leaf.count, path.slot + rest)
      leaf.handles.withUnsafeBufferPointer { body($0[path.slot..<end]) }
      rest -= end - path.slot
      path.slot = 0
      path.leaf += 1
      if path.leaf == blocks[path.block].leaves.count { path = Path(block: path.block + 1, leaf: 0, slot: 0) }
    }
  }

  /// All handles in order.
  ///
  /// - Complexity: O(n).
  var handles: ContiguousArray<Handle> {
    var all = ContiguousArray<Handle>()
    all.reserveCapacity(count)
    for block in blocks { for leaf in block.leaves { all.append(contentsOf: leaf.handles) } }
    return all
  }
}
