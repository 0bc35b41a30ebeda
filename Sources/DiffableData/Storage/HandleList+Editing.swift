extension HandleList {
  /// Appends items.
  ///
  /// - Complexity: O(k) amortised for k items, without copying shared storage.
  mutating func append(_ handles: HandleSlice, owner: Int32, in registry: inout HandleRegistry) {
    var rest = handles
    while !rest.isEmpty {
      if blocks.last?.leaves.last.map({ $0.count >= HandleLeaf.capacity }) ?? true {
        appendLeaf(owner: owner, in: &registry) { HandleLeaf(key: $0, handles: []) }
      }
      let block = blocks.count - 1
      let leaf = blocks[block].leaves.count - 1
      let piece = rest.prefix(HandleLeaf.capacity - blocks[block].leaves[leaf].count)
      if blocks[block].leaves[leaf].count == 0 {
        blocks[block].leaves[leaf].handles.reserveCapacity(Swift.min(rest.count, HandleLeaf.capacity))
      }
      blocks[block].leaves[leaf].handles.append(contentsOf: piece)
      registry.leafKeys.set(piece, to: blocks[block].leaves[leaf].key)
      blocks[block].count += piece.count
      count += piece.count
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Fills the empty list with the handles from 0 on, in leaves with the keys from 0 on.
  ///
  /// The caller must fill the map of the handles' leaves.
  ///
  /// - Precondition: The registry is empty.
  /// - Complexity: O(n / 512).
  mutating func fill(count: Int, owner: Int32, in registry: inout HandleRegistry) {
    for first in stride(from: 0, to: count, by: HandleLeaf.capacity) {
      let length = Swift.min(HandleLeaf.capacity, count - first)
      appendLeaf(owner: owner, in: &registry) { HandleLeaf(key: $0, consecutiveCount: length) }
      blocks[blocks.count - 1].count += length
    }
    self.count = count
  }

  @inline(__always)
  private mutating func appendLeaf(
    owner: Int32, in registry: inout HandleRegistry, _ makeLeaf: (_ key: Int32) -> HandleLeaf
  ) {
    if blocks.last.map({ $0.leaves.count >= HandleBlock.capacity }) ?? true {
      blocks.append(HandleBlock(key: registry.blocks.makeKey(ownedBy: owner), leaves: [], count: 0))
    }
    let block = blocks.count - 1
    blocks[block].leaves.append(makeLeaf(registry.leaves.makeKey(ownedBy: blocks[block].key)))
  }

  /// Inserts items before an index.
  ///
  /// - Complexity: O(k + n / 2^16 + 512), without copying shared storage.
  mutating func insert(_ handles: HandleSlice, at index: Int, owner: Int32, in registry: inout HandleRegistry) {
    guard !handles.isEmpty, index < count else { return append(handles, owner: owner, in: &registry) }
    let path = path(to: index)
    blocks[path.block].leaves[path.leaf].handles.insert(contentsOf: handles, at: path.slot)
    blocks[path.block].count += handles.count
    count += handles.count
    let leaf = blocks[path.block].leaves[path.leaf]
    if leaf.count > HandleLeaf.capacity {
      splitLeaf(path, in: &registry)
      if blocks[path.block].leaves.count > HandleBlock.capacity {
        splitBlock(path.block, owner: owner, in: &registry)
      }
    } else {
      registry.leafKeys.set(handles, to: leaf.key)
    }
  }

  private mutating func splitLeaf(_ path: Path, in registry: inout HandleRegistry) {
    let whole = blocks[path.block].leaves[path.leaf]
    let pieces = (whole.count + HandleLeaf.pieceSize - 1) / HandleLeaf.pieceSize
    let leaves = (0..<pieces).map { piece in
      let handles = whole.handles[(whole.count * piece / pieces)..<(whole.count * (piece + 1) / pieces)]
      let key = piece == 0 ? whole.key : registry.leaves.makeKey(ownedBy: blocks[path.block].key)
      registry.leafKeys.set(handles, to: key)
      return HandleLeaf(key: key, handles: ContiguousArray(handles))
    }
    blocks[path.block].leaves.replaceSubrange(path.leaf...path.leaf, with: leaves)
  }

  private mutating func splitBlock(_ position: Int, owner: Int32, in registry: inout HandleRegistry) {
    let whole = blocks[position]
    let total = whole.leaves.count
    let pieces = (total + HandleBlock.pieceSize - 1) / HandleBlock.pieceSize
    let parts = (0..<pieces).map { piece in
      let leaves = ContiguousArray(whole.leaves[(total * piece / pieces)..<(total * (piece + 1) / pieces)])
      let key = piece == 0 ? whole.key : registry.blocks.makeKey(ownedBy: owner)
      if piece > 0 { for leaf in leaves { registry.leaves[leaf.key] = key } }
      return HandleBlock(key: key, leaves: leaves, count: leaves.reduce(0) { $0 + $1.count })
    }
    blocks.replaceSubrange(position...position, with: parts)
  }

  /// Removes items from one leaf.
  ///
  /// They must already be marked as being in no leaf.
  ///
  /// After removing items from all leaves, the caller must call ``merge(leaf:in:)`` for each leaf.
  ///
  /// - Parameter removed: The number of items, and one of them.
  /// - Complexity: O(n / 2^16 + 128 + 512), without copying shared storage.
  mutating func remove(_ removed: (count: Int, any: Handle), fromLeaf leafKey: Int32, in registry: inout HandleRegistry)
  {
    let blockKey = registry.leaves[leafKey]
    guard let block = blocks.firstIndex(where: { $0.key == blockKey }),
      let leaf = blocks[block].leaves.firstIndex(where: { $0.key == leafKey })
    else { return }
    if removed.count == blocks[block].leaves[leaf].count {
      blocks[block].leaves.remove(at: leaf)
      registry.leaves.release(leafKey)
    } else {
      if removed.count == 1, let slot = blocks[block].leaves[leaf].slot(of: removed.any) {
        blocks[block].leaves[leaf].handles.remove(at: slot)
      } else {
        blocks[block].leaves[leaf].handles.removeAll { registry.leafKeys[$0] < 0 }
      }
    }
    blocks[block].count -= removed.count
    count -= removed.count
    if blocks[block].leaves.isEmpty {
      registry.blocks.release(blockKey)
      blocks.remove(at: block)
    }
  }

  /// Merges a small leaf with an adjacent one, and its block likewise, if the result leaves enough room.
  ///
  /// - Complexity: O(n / 2^16 + 128 + 512), without copying shared storage.
  mutating func merge(leaf leafKey: Int32, in registry: inout HandleRegistry) {
    let blockKey = registry.leaves[leafKey]
    guard let block = blocks.firstIndex(where: { $0.key == blockKey }),
      let leaf = blocks[block].leaves.firstIndex(where: { $0.key == leafKey })
    else { return }
    mergeLeaf(leaf, ofBlock: block, in: &registry)
    mergeBlock(block, in: &registry)
  }

  private mutating func mergeLeaf(_ leaf: Int, ofBlock block: Int, in registry: inout HandleRegistry) {
    let second = leaf > 0 ? leaf : 1
    guard blocks[block].leaves.count > 1 else { return }
    let total = blocks[block].leaves[second - 1].count + blocks[block].leaves[second].count
    guard total <= HandleLeaf.pieceSize / 2 else { return }
    let right = blocks[block].leaves.remove(at: second)
    blocks[block].leaves[second - 1].handles.append(contentsOf: right.handles)
    registry.leafKeys.set(right.handles, to: blocks[block].leaves[second - 1].key)
    registry.leaves.release(right.key)
  }

  private mutating func mergeBlock(_ block: Int, in registry: inout HandleRegistry) {
    let second = block > 0 ? block : 1
    guard blocks.count > 1 else { return }
    let total = blocks[second - 1].leaves.count + blocks[second].leaves.count
    guard total <= HandleBlock.pieceSize / 2 else { return }
    let right = blocks.remove(at: second)
    for leaf in right.leaves { registry.leaves[leaf.key] = blocks[second - 1].key }
    blocks[second - 1].leaves.append(contentsOf: right.leaves)
    blocks[second - 1].count += right.count
    registry.blocks.release(right.key)
  }

  /// Releases the keys of all blocks and leaves, and marks the items as being in no leaf.
  func release(in registry: inout HandleRegistry) {
    for block in blocks {
      for leaf in block.leaves {
        registry.leafKeys.set(leaf.handles, to: LeafKeyMap.none)
        registry.leaves.release(leaf.key)
      }
      registry.blocks.release(block.key)
    }
  }
}
