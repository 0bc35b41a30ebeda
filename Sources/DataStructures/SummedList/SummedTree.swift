/// What the blocks of a summed list amount to, with the sum of all before a block: Peter Fenwick's tree (1994), of three
/// sums at once.
struct SummedTree: Sendable {
  /// At place p, counted from 1: the sum of as many blocks as p's lowest bit says, up to and with block p - 1.
  private var sums: ContiguousArray<SummedTotals>

  /// Makes a tree of what the blocks amount to, in O(n).
  init(_ totals: some Sequence<SummedTotals>) {
    sums = [.zero]
    sums.append(contentsOf: totals)
    for place in sums.indices.dropFirst() {
      let parent = place + (place & -place)
      if parent < sums.count { sums[parent] += sums[place] }
    }
  }

  /// Adds to a block, in O(log n).
  mutating func add(_ difference: SummedTotals, at block: Int) {
    var place = block + 1
    while place < sums.count {
      sums[place] += difference
      place += place & -place
    }
  }

  /// The most blocks from the beginning whose sum has a property, and that sum; once the property does not hold, it holds
  /// for no more blocks.
  ///
  /// Up to 1 023 blocks these are the same ten steps: the answer costs the same for a thousand elements and for ten
  /// million.
  @inline(__always)
  func prefix(while holds: (SummedTotals) -> Bool) -> (count: Int, sum: SummedTotals) {
    var place = 0
    var sum = SummedTotals.zero
    var step = max(512, 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount))
    while step > 0 {
      let next = place + step
      if next < sums.count {
        let longer = sum + sums[next]
        if holds(longer) {
          place = next
          sum = longer
        }
      }
      step >>= 1
    }
    return (place, sum)
  }
}
