/// Up to 64 neighbouring leaves of a summed list, and what comes before each of them within the block.
struct SummedBlock<Leaf: SummedLeaf>: Sendable {
  /// The most leaves that a block holds.
  static var capacity: Int { 64 }

  private(set) var leaves: ContiguousArray<Leaf>
  /// What the leaves before each one amount to.
  private var before: ContiguousArray<SummedTotals>
  /// What all leaves amount to.
  private(set) var totals: SummedTotals

  init(_ leaves: some Collection<Leaf>) {
    self.leaves = ContiguousArray(leaves)
    before = []
    before.reserveCapacity(self.leaves.count)
    totals = .zero
    for leaf in self.leaves {
      before.append(totals)
      totals += SummedTotals(leaves: 1, elements: leaf.count, length: leaf.length)
    }
  }

  /// What comes before a leaf.
  func totals(before slot: Int) -> SummedTotals { before[slot] }

  /// The last leaf for which what comes before it has a property; the first one when it holds for none.
  ///
  /// Always six steps, however many leaves there are.
  @inline(__always)
  func lastSlot(where holds: (SummedTotals) -> Bool) -> Int {
    var slot = 0
    var step = SummedBlock.capacity / 2
    while step > 0 {
      let next = slot + step
      if next < before.count, holds(before[next]) { slot = next }
      step /= 2
    }
    return slot
  }

  /// Changes a leaf, and tells by how much the block's totals changed.
  @inline(__always)
  mutating func update<Answer>(
    _ slot: Int, _ body: (inout Leaf) -> Answer
  ) -> (answer: Answer, difference: SummedTotals) {
    let count = leaves[slot].count
    let length = leaves[slot].length
    let answer = body(&leaves[slot])
    let difference = SummedTotals(
      leaves: 0, elements: leaves[slot].count - count, length: leaves[slot].length - length)
    if difference != .zero {
      for later in (slot + 1)..<max(slot + 1, before.count) { before[later] += difference }
      totals += difference
    }
    return (answer, difference)
  }
}
