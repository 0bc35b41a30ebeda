/// A list of leaves, each a run of elements with a length, that finds elements by number or by offset in O(log n).
///
/// Leaves are grouped in blocks of at most 64. Changing a list copies only the blocks it shares with another list. A
/// Fenwick tree holds the totals of the blocks: finding one of ten million elements in leaves of 256 takes as many
/// steps as finding one of a thousand.
public struct SummedList<Leaf: SummedLeaf>: Sendable {
  /// The blocks, none of them empty.
  private var blocks: ContiguousArray<SummedBlock<Leaf>>
  /// The index of the first leaf of each block, followed by the number of leaves.
  private var firstLeafOfBlock: ContiguousArray<Int>
  private var tree: SummedTree
  private var totals: SummedTotals

  /// Creates a list of leaves.
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

  /// The number of leaves.
  public var leafCount: Int { firstLeafOfBlock[blocks.count] }

  /// The number of elements in all leaves.
  public var count: Int { totals.elements }

  /// The total length of all leaves.
  public var length: Int { totals.length }

  // MARK: - Lookup

  /// Returns the position of the leaf that contains an element.
  ///
  /// Elements before the first one count as the first one; those behind the last one belong to the last leaf.
  ///
  /// - Precondition: The list is not empty.
  /// - Complexity: O(log n) for n leaves.
  public func position(ofElement element: Int) -> SummedPosition {
    guard element < totals.elements else { return position(ofLeaf: leafCount - 1) }
    let element = max(0, element)
    return position { $0.elements <= element }
  }

  /// Returns the position of the leaf that covers an offset.
  ///
  /// Negative offsets count as 0; those at or behind the end belong to the last leaf. A leaf without length covers no
  /// offset.
  ///
  /// - Precondition: The list is not empty.
  /// - Complexity: O(log n) for n leaves.
  public func position(atOffset offset: Int) -> SummedPosition {
    guard offset < totals.length else { return position(ofLeaf: leafCount - 1) }
    let offset = max(0, offset)
    return position { $0.length <= offset }
  }

  /// Returns the position of a leaf.
  ///
  /// - Precondition: The index is within 0..<``leafCount``.
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

  /// Returns the last leaf whose preceding totals satisfy a predicate that the totals of the whole list do not satisfy.
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

  // MARK: - Leaves

  /// The leaf at an index.
  ///
  /// - Precondition: The index is within 0..<``leafCount``.
  /// - Complexity: O(log n) for n leaves.
  public subscript(leaf index: Int) -> Leaf {
    let position = position(ofLeaf: index)
    return blocks[position.block].leaves[position.slot]
  }

  /// The leaf at a position.
  ///
  /// - Precondition: The list has not changed since the position was found.
  /// - Complexity: O(1).
  public subscript(position: SummedPosition) -> Leaf {
    @inline(__always)
    get { blocks[position.block].leaves[position.slot] }
  }

  /// Calls a closure that can change a leaf, including its count and length, and returns the closure's result.
  ///
  /// - Precondition: The index is within 0..<``leafCount``.
  /// - Complexity: O(log n) for n leaves, plus that of the closure.
  public mutating func update<Result>(leaf index: Int, _ body: (inout Leaf) -> Result) -> Result {
    let position = position(ofLeaf: index)
    let (result, difference) = blocks[position.block].updateLeaf(position.slot, body)
    if difference != .zero {
      totals += difference
      tree.addDelta(difference, at: position.block)
    }
    return result
  }

  /// Replaces a range of leaves; an empty range inserts the new leaves before its lower bound.
  ///
  /// - Precondition: The range is within 0..<``leafCount``.
  /// - Complexity: O(b + m) for b blocks and m removed or inserted leaves.
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
    let prefixEnd = range.lowerBound == leafCount ? first.slot + 1 : first.slot
    let suffixStart = range.isEmpty ? prefixEnd : last.slot + 1
    var replaced = ContiguousArray(blocks[first.block].leaves[..<prefixEnd])
    replaced.append(contentsOf: leaves)
    replaced.append(contentsOf: blocks[last.block].leaves[suffixStart...])
    var changed = first.block..<(last.block + 1)
    // A block that would be less than half full is merged with the one before it or, failing that, with the one behind
    // it.
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

  /// Returns the smallest number of evenly filled blocks for the given leaves.
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

  /// The number of leaves in each block.
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

// MARK: - Position and totals

/// The position of a leaf in a summed list, valid until the list changes.
public struct SummedPosition: Hashable, Sendable {
  /// The index of the leaf.
  public let leaf: Int
  /// The number of elements before the leaf.
  public let firstElement: Int
  /// The total length of the elements before the leaf.
  public let start: Int
  /// The index of the block that contains the leaf, and the index of the leaf in that block.
  let block: Int
  let slot: Int
}

/// The number and total length of the elements of several leaves.
struct SummedTotals: Equatable, Sendable {
  var elements: Int
  var length: Int

  static let zero = SummedTotals(elements: 0, length: 0)
  /// A value beyond the totals of any list, small enough to be added to them without overflow.
  static let upperBound = SummedTotals(elements: 1 << 62, length: 1 << 62)

  init(elements: Int, length: Int) {
    self.elements = elements
    self.length = length
  }

  @inline(__always)
  init(_ leaf: some SummedLeaf) { self.init(elements: leaf.count, length: leaf.length) }

  @inline(__always)
  static func + (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    // The totals of a list stay below 2^62, and plus ``upperBound`` below 2^63.
    SummedTotals(elements: left.elements &+ right.elements, length: left.length &+ right.length)
  }

  @inline(__always)
  static func - (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    SummedTotals(elements: left.elements &- right.elements, length: left.length &- right.length)
  }

  @inline(__always)
  static func += (left: inout SummedTotals, right: SummedTotals) { left = left + right }
}

// MARK: - Tree

/// The totals of the blocks of a summed list with their prefix sums: a Fenwick tree of two sums.
struct SummedTree: Sendable {
  /// At node n, counted from 1: the sum of as many blocks as the lowest set bit of n, ending with block n - 1.
  ///
  /// The last entry is a sentinel beyond all sums.
  private var sums: ContiguousArray<SummedTotals>

  /// Creates a tree of the blocks' totals, in O(n).
  init(_ totals: some Collection<SummedTotals>) {
    let end = totals.count + 1
    sums = [.zero]
    sums.reserveCapacity(end + 1)
    sums.append(contentsOf: totals)
    for node in 1..<end {
      let parent = node + (node & -node)
      if parent < end { sums[parent] += sums[node] }
    }
    sums.append(.upperBound)
  }

  /// Adds a difference to a block, in O(log n).
  mutating func addDelta(_ difference: SummedTotals, at block: Int) {
    var node = block + 1
    while node < sums.count - 1 {
      sums[node] += difference
      node += node & -node
    }
  }

  /// Returns the totals of all blocks before the given one, in O(log n).
  func sum(before block: Int) -> SummedTotals {
    var sum = SummedTotals.zero
    var node = block
    while node > 0 {
      sum += sums[node]
      node &= node - 1
    }
    return sum
  }

  /// Returns the longest prefix of blocks whose sum satisfies a monotonic predicate, and that sum.
  ///
  /// Up to 1,023 blocks this takes the same ten branchless steps, so a lookup costs the same for a thousand elements
  /// and for ten million.
  @inline(__always)
  func prefix(while holds: (SummedTotals) -> Bool) -> (count: Int, sum: SummedTotals) {
    sums.withUnsafeBufferPointer { sums in
      let end = sums.count &- 1
      var node = 0
      var sum = SummedTotals.zero
      var step = end <= 1_024 ? 512 : 1 << (Int.bitWidth &- 1 &- end.leadingZeroBitCount)
      while step > 0 {
        let next = min(node &+ step, end)
        let longer = sum + sums[next]
        let isLonger = holds(longer)
        node = isLonger ? next : node
        sum = isLonger ? longer : sum
        step >>= 1
      }
      return (node, sum)
    }
  }
}

// MARK: - Blocks and leaves

/// A block of up to 64 consecutive leaves with their prefix sums.
struct SummedBlock<Leaf: SummedLeaf>: Sendable {
  /// The maximum number of leaves in a block.
  static var capacity: Int { 64 }

  private(set) var leaves: ContiguousArray<Leaf>
  /// The totals of the leaves before each leaf, followed by those of all leaves.
  private var prefixTotals: ContiguousArray<SummedTotals>

  init(_ leaves: some Collection<Leaf>) {
    self.leaves = ContiguousArray(leaves)
    prefixTotals = [.zero]
    prefixTotals.reserveCapacity(self.leaves.count + 1)
    var totals = SummedTotals.zero
    for leaf in self.leaves {
      checkPrecondition(
        leaf.count >= 0 && leaf.length >= 0, "A leaf has \(leaf.count) elements and the length \(leaf.length).")
      totals += SummedTotals(leaf)
      prefixTotals.append(totals)
    }
  }

  /// The totals of all leaves.
  var totals: SummedTotals { prefixTotals[leaves.count] }

  /// Returns the totals of the leaves before the given one.
  @inline(__always)
  func totals(before slot: Int) -> SummedTotals { prefixTotals[slot] }

  /// Returns the last leaf whose preceding totals satisfy a predicate that the totals of the block do not satisfy.
  ///
  /// Always six branchless steps, whatever the number of leaves.
  @inline(__always)
  func lastSlot(where holds: (SummedTotals) -> Bool) -> Int {
    prefixTotals.withUnsafeBufferPointer { before in
      let end = before.count &- 1
      var slot = 0
      var step = SummedBlock.capacity / 2
      while step > 0 {
        let next = min(slot &+ step, end)
        slot = holds(before[next]) ? next : slot
        step >>= 1
      }
      return slot
    }
  }

  /// Calls a closure that can change a leaf, and returns its result and the change of the block's totals.
  @inline(__always)
  mutating func updateLeaf<Result>(
    _ slot: Int, _ body: (inout Leaf) -> Result
  ) -> (result: Result, difference: SummedTotals) {
    let former = SummedTotals(leaves[slot])
    let result = body(&leaves[slot])
    let (count, length) = (leaves[slot].count, leaves[slot].length)
    checkPrecondition(count >= 0 && length >= 0, "A leaf has \(count) elements and the length \(length).")
    let difference = SummedTotals(leaves[slot]) - former
    if difference != .zero {
      for later in (slot + 1)..<prefixTotals.count { prefixTotals[later] += difference }
    }
    return (result, difference)
  }
}

/// A run of elements that a summed list stores as one unit.
public protocol SummedLeaf: Sendable {
  /// The number of elements, never negative.
  var count: Int { get }

  /// The total length of the elements, never negative.
  var length: Int { get }
}
