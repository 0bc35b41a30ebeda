/// Elements in a row, held by runs, each with a length: finds an element by its number or by an offset.
///
/// Leaves stand in blocks of at most 64. A block is copied for itself when a list that shares it is changed, and what
/// all blocks amount to is kept in a Fenwick tree. Ten million elements in leaves of 256 are found in as many steps as
/// one thousand.
public struct SummedList<Leaf: SummedLeaf>: Sendable {
  /// None of them empty.
  private var blocks: ContiguousArray<SummedBlock<Leaf>>
  /// The first leaf of each block, and behind them the number of leaves.
  private var firstLeafOfBlock: ContiguousArray<Int>
  private var tree: SummedTree
  private var totals: SummedTotals

  /// Makes a list of leaves.
  ///
  /// - Complexity: O(n) for n leaves.
  public init(_ leaves: some Sequence<Leaf>) {
    blocks = []
    firstLeafOfBlock = [0]
    tree = SummedTree([])
    totals = .zero
    blocks = SummedList.makeBlocks(of: ContiguousArray(leaves))
    rebuildTree()
  }

  /// How many leaves there are.
  public var leafCount: Int { firstLeafOfBlock[blocks.count] }

  /// How many elements all leaves hold.
  public var count: Int { totals.elements }

  /// How long all leaves are together.
  public var length: Int { totals.length }

  // MARK: Finding

  /// The leaf that holds an element.
  ///
  /// Elements before the first one count as the first one, those behind the last one belong to the last leaf.
  ///
  /// - Precondition: There is a leaf.
  /// - Complexity: O(log n) for n leaves.
  public func position(ofElement element: Int) -> SummedPosition {
    guard element < totals.elements else { return position(ofLeaf: leafCount - 1) }
    let element = max(0, element)
    return position { $0.elements <= element }
  }

  /// The leaf that covers an offset.
  ///
  /// Offsets before the beginning count as the beginning, those at the end and behind it belong to the last leaf. A leaf
  /// that has no length covers nothing.
  ///
  /// - Precondition: There is a leaf.
  /// - Complexity: O(log n) for n leaves.
  public func position(atOffset offset: Int) -> SummedPosition {
    guard offset < totals.length else { return position(ofLeaf: leafCount - 1) }
    let offset = max(0, offset)
    return position { $0.length <= offset }
  }

  /// Where a leaf is.
  ///
  /// - Precondition: There is such a leaf.
  /// - Complexity: O(log n) for n leaves.
  public func position(ofLeaf leaf: Int) -> SummedPosition {
    checkPrecondition(
      leaf >= 0 && leaf < leafCount, "There is no leaf \(leaf) among the \(leafCount) of a summed list.")
    var block = 0
    var end = blocks.count
    while end - block > 1 {
      let middle = (block + end) / 2
      if firstLeafOfBlock[middle] <= leaf { block = middle } else { end = middle }
    }
    return position(block, leaf - firstLeafOfBlock[block], tree.sum(before: block))
  }

  /// The last leaf for which what comes before it has a property that all of the list has not.
  @inline(__always)
  private func position(where holds: (SummedTotals) -> Bool) -> SummedPosition {
    let (block, before) = tree.prefix(while: holds)
    return position(block, blocks[block].lastSlot { holds(before + $0) }, before)
  }

  @inline(__always)
  private func position(_ block: Int, _ slot: Int, _ before: SummedTotals) -> SummedPosition {
    let start = before + blocks[block].totals(before: slot)
    return SummedPosition(
      leaf: firstLeafOfBlock[block] + slot, firstElement: start.elements, start: start.length, block: block, slot: slot)
  }

  // MARK: Leaves

  /// A leaf.
  ///
  /// - Precondition: There is such a leaf.
  /// - Complexity: O(log n) for n leaves.
  public subscript(leaf index: Int) -> Leaf {
    let position = position(ofLeaf: index)
    return blocks[position.block].leaves[position.slot]
  }

  /// The leaf at a position.
  ///
  /// - Precondition: The list was not changed since the position was found.
  /// - Complexity: O(1).
  public subscript(position: SummedPosition) -> Leaf {
    @inline(__always)
    get { blocks[position.block].leaves[position.slot] }
  }

  /// Changes a leaf, its count and its length as well.
  ///
  /// - Precondition: There is such a leaf.
  /// - Complexity: O(log n) for n leaves, and that of the change.
  public mutating func update<Answer>(leaf index: Int, _ body: (inout Leaf) -> Answer) -> Answer {
    let position = position(ofLeaf: index)
    let (answer, difference) = blocks[position.block].updateLeaf(position.slot, body)
    if difference != .zero {
      totals += difference
      tree.addDelta(difference, at: position.block)
    }
    return answer
  }

  /// Puts leaves in the place of others; an empty range inserts them before the leaf that it begins with.
  ///
  /// - Precondition: The range is within the leaves.
  /// - Complexity: O(b + m) for b blocks and m leaves that go or come.
  public mutating func replaceLeaves(_ range: Range<Int>, with leaves: some Collection<Leaf>) {
    checkPrecondition(
      range.lowerBound >= 0 && range.upperBound <= leafCount,
      "There are no leaves \(range) among the \(leafCount) of a summed list.")
    guard !(range.isEmpty && leaves.isEmpty) else { return }
    guard !blocks.isEmpty else {
      self = SummedList(leaves)
      return
    }
    let first = position(ofLeaf: min(range.lowerBound, leafCount - 1))
    let last = range.isEmpty ? first : position(ofLeaf: range.upperBound - 1)
    let keptBefore = range.lowerBound == leafCount ? first.slot + 1 : first.slot
    let keptBehind = range.isEmpty ? keptBefore : last.slot + 1
    var replaced = ContiguousArray(blocks[first.block].leaves[..<keptBefore])
    replaced.append(contentsOf: leaves)
    replaced.append(contentsOf: blocks[last.block].leaves[keptBehind...])
    var changed = first.block..<(last.block + 1)
    // Few leaves join the block before them, or behind them: half of a block's room is never given away.
    if replaced.count < SummedBlock<Leaf>.capacity / 2 {
      if changed.lowerBound > 0 {
        changed = (changed.lowerBound - 1)..<changed.upperBound
        replaced = blocks[changed.lowerBound].leaves + replaced
      } else if changed.upperBound < blocks.count {
        replaced += blocks[changed.upperBound].leaves
        changed = changed.lowerBound..<(changed.upperBound + 1)
      }
    }
    blocks.replaceSubrange(changed, with: SummedList.makeBlocks(of: replaced))
    rebuildTree()
  }

  /// Leaves in as few blocks as hold them, none of them much fuller than another.
  private static func makeBlocks(of leaves: ContiguousArray<Leaf>) -> ContiguousArray<SummedBlock<Leaf>> {
    let capacity = SummedBlock<Leaf>.capacity
    let number = (leaves.count + capacity - 1) / capacity
    var blocks: ContiguousArray<SummedBlock<Leaf>> = []
    blocks.reserveCapacity(number)
    for block in 0..<number {
      blocks.append(SummedBlock(leaves[(leaves.count * block / number)..<(leaves.count * (block + 1) / number)]))
    }
    return blocks
  }

  /// How many leaves each block holds.
  var blockSizes: [Int] { blocks.map(\.leaves.count) }

  private mutating func rebuildTree() {
    firstLeafOfBlock = [0]
    firstLeafOfBlock.reserveCapacity(blocks.count + 1)
    totals = .zero
    var leaf = 0
    for block in blocks {
      leaf += block.leaves.count
      firstLeafOfBlock.append(leaf)
      totals += block.totals
    }
    tree = SummedTree(blocks.lazy.map(\.totals))
  }
}
