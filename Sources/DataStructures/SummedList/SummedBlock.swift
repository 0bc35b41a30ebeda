/// Up to 64 neighbouring leaves of a summed list, and what comes before each of them within the block.
struct SummedBlock<Leaf: SummedLeaf>: Sendable {
  /// The most leaves that a block holds.
  static var capacity: Int { 64 }

  private(set) var leaves: ContiguousArray<Leaf>
  /// What the leaves before each one amount to, and behind them what all amount to.
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

  /// What all leaves amount to.
  var totals: SummedTotals { prefixTotals[leaves.count] }

  /// What comes before a leaf.
  @inline(__always)
  func totals(before slot: Int) -> SummedTotals { prefixTotals[slot] }

  /// The last leaf for which what comes before it has a property that does not hold for all of the block.
  ///
  /// Always six steps without a branch, however many leaves there are.
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

  /// Changes a leaf, and tells by how much the block's totals changed.
  @inline(__always)
  mutating func updateLeaf<Answer>(
    _ slot: Int, _ body: (inout Leaf) -> Answer
  ) -> (answer: Answer, difference: SummedTotals) {
    let former = SummedTotals(leaves[slot])
    let answer = body(&leaves[slot])
    let (count, length) = (leaves[slot].count, leaves[slot].length)
    checkPrecondition(count >= 0 && length >= 0, "A leaf has \(count) elements and the length \(length).")
    let difference = SummedTotals(leaves[slot]) - former
    if difference != .zero {
      for later in (slot + 1)..<prefixTotals.count { prefixTotals[later] += difference }
    }
    return (answer, difference)
  }
}
