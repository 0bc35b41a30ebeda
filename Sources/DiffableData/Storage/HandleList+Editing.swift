extension HandleList {
  /// Adds items at the end.
  ///
  /// - Complexity: O(k) amortised for k items, but for a copy of what a copy shares.
  mutating func append(_ handles: HandleSlice, owner: Int32, in ledger: inout HandleLedger) {
    var rest = handles
    while !rest.isEmpty {
      if blocks.last?.leaves.last.map({ $0.count >= HandleLeaf.capacity }) ?? true {
        appendLeaf(owner: owner, in: &ledger)
      }
      let block = blocks.count - 1
      let leaf = blocks[block].leaves.count - 1
      let piece = rest.prefix(HandleLeaf.capacity - blocks[block].leaves[leaf].count)
      if blocks[block].leaves[leaf].count == 0 {
        blocks[block].leaves[leaf].handles.reserveCapacity(Swift.min(rest.count, HandleLeaf.capacity))
      }
      blocks[block].leaves[leaf].handles.append(contentsOf: piece)
      ledger.places.set(piece, to: blocks[block].leaves[leaf].key)
      blocks[block].count += piece.count
      count += piece.count
      rest = rest.dropFirst(piece.count)
    }
  }

  private mutating func appendLeaf(owner: Int32, in ledger: inout HandleLedger) {
    if blocks.last.map({ $0.leaves.count >= HandleBlock.capacity }) ?? true {
      blocks.append(HandleBlock(key: ledger.blocks.makeKey(ownedBy: owner), leaves: [], count: 0))
    }
    let block = blocks.count - 1
    blocks[block].leaves.append(
      HandleLeaf(key: ledger.leaves.makeKey(ownedBy: blocks[block].key), handles: []))
  }

  /// Adds items before an index.
  ///
  /// - Complexity: O(k + n / 2^16 + 512), but for a copy of what a copy shares.
  mutating func insert(_ handles: HandleSlice, at index: Int, owner: Int32, in ledger: inout HandleLedger) {
    guard !handles.isEmpty, index < count else { return append(handles, owner: owner, in: &ledger) }
    let path = path(to: index)
    blocks[path.block].leaves[path.leaf].handles.insert(contentsOf: handles, at: path.slot)
    blocks[path.block].count += handles.count
    count += handles.count
    let leaf = blocks[path.block].leaves[path.leaf]
    if leaf.count > HandleLeaf.capacity {
      splitLeaf(path, in: &ledger)
      if blocks[path.block].leaves.count > HandleBlock.capacity {
        splitBlock(path.block, owner: owner, in: &ledger)
      }
    } else {
      ledger.places.set(handles, to: leaf.key)
    }
  }

  private mutating func splitLeaf(_ path: Path, in ledger: inout HandleLedger) {
    let whole = blocks[path.block].leaves[path.leaf]
    let pieces = (whole.count + HandleLeaf.pieceSize - 1) / HandleLeaf.pieceSize
    let leaves = (0..<pieces).map { piece in
      let handles = whole.handles[(whole.count * piece / pieces)..<(whole.count * (piece + 1) / pieces)]
      let key = piece == 0 ? whole.key : ledger.leaves.makeKey(ownedBy: blocks[path.block].key)
      ledger.places.set(handles, to: key)
      return HandleLeaf(key: key, handles: ContiguousArray(handles))
    }
    blocks[path.block].leaves.replaceSubrange(path.leaf...path.leaf, with: leaves)
  }

  private mutating func splitBlock(_ position: Int, owner: Int32, in ledger: inout HandleLedger) {
    let whole = blocks[position]
    let total = whole.leaves.count
    let pieces = (total + HandleBlock.pieceSize - 1) / HandleBlock.pieceSize
    let parts = (0..<pieces).map { piece in
      let leaves = ContiguousArray(whole.leaves[(total * piece / pieces)..<(total * (piece + 1) / pieces)])
      let key = piece == 0 ? whole.key : ledger.blocks.makeKey(ownedBy: owner)
      if piece > 0 { for leaf in leaves { ledger.leaves[leaf.key] = key } }
      return HandleBlock(key: key, leaves: leaves, count: leaves.reduce(0) { $0 + $1.count })
    }
    blocks.replaceSubrange(position...position, with: parts)
  }

  /// Takes items out of one leaf; their places say already that they have none.
  ///
  /// What became small is to be joined when all leaves have lost what they lose; see ``join(leaf:in:)``.
  ///
  /// - Parameter gone: how many, and one of them.
  /// - Complexity: O(n / 2^16 + 128 + 512), but for a copy of what a copy shares.
  mutating func remove(_ gone: (count: Int, any: Handle), fromLeaf leafKey: Int32, in ledger: inout HandleLedger) {
    let blockKey = ledger.leaves[leafKey]
    guard let block = blocks.firstIndex(where: { $0.key == blockKey }),
      let leaf = blocks[block].leaves.firstIndex(where: { $0.key == leafKey })
    else { return }
    if gone.count == blocks[block].leaves[leaf].count {
      blocks[block].leaves.remove(at: leaf)
      ledger.leaves.release(leafKey)
    } else {
      if gone.count == 1, let slot = blocks[block].leaves[leaf].handles.firstIndex(of: gone.any) {
        blocks[block].leaves[leaf].handles.remove(at: slot)
      } else {
        blocks[block].leaves[leaf].handles.removeAll { ledger.places[$0] < 0 }
      }
    }
    blocks[block].count -= gone.count
    count -= gone.count
    if blocks[block].leaves.isEmpty {
      ledger.blocks.release(blockKey)
      blocks.remove(at: block)
    }
  }

  /// Joins a leaf that became small, and its block, with a neighbour, if both fit well into one.
  ///
  /// - Complexity: O(n / 2^16 + 128 + 512), but for a copy of what a copy shares.
  mutating func join(leaf leafKey: Int32, in ledger: inout HandleLedger) {
    let blockKey = ledger.leaves[leafKey]
    guard let block = blocks.firstIndex(where: { $0.key == blockKey }),
      let leaf = blocks[block].leaves.firstIndex(where: { $0.key == leafKey })
    else { return }
    joinLeaf(leaf, ofBlock: block, in: &ledger)
    joinBlock(block, in: &ledger)
  }

  private mutating func joinLeaf(_ leaf: Int, ofBlock block: Int, in ledger: inout HandleLedger) {
    let second = leaf > 0 ? leaf : 1
    guard blocks[block].leaves.count > 1 else { return }
    let total = blocks[block].leaves[second - 1].count + blocks[block].leaves[second].count
    guard total <= HandleLeaf.pieceSize / 2 else { return }
    let right = blocks[block].leaves.remove(at: second)
    blocks[block].leaves[second - 1].handles.append(contentsOf: right.handles)
    ledger.places.set(right.handles, to: blocks[block].leaves[second - 1].key)
    ledger.leaves.release(right.key)
  }

  private mutating func joinBlock(_ block: Int, in ledger: inout HandleLedger) {
    let second = block > 0 ? block : 1
    guard blocks.count > 1 else { return }
    let total = blocks[second - 1].leaves.count + blocks[second].leaves.count
    guard total <= HandleBlock.pieceSize / 2 else { return }
    let right = blocks.remove(at: second)
    for leaf in right.leaves { ledger.leaves[leaf.key] = blocks[second - 1].key }
    blocks[second - 1].leaves.append(contentsOf: right.leaves)
    blocks[second - 1].count += right.count
    ledger.blocks.release(right.key)
  }

  /// Gives the keys of everything back, and leaves the items without places.
  func release(in ledger: inout HandleLedger) {
    for block in blocks {
      for leaf in block.leaves {
        ledger.places.set(leaf.handles, to: PlaceMap.none)
        ledger.leaves.release(leaf.key)
      }
      ledger.blocks.release(block.key)
    }
  }
}
