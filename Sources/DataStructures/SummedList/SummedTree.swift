/// What the blocks of a summed list amount to, with the sum of all before a block: Peter Fenwick's tree (1994), of two
/// sums at once.
struct SummedTree: Sendable {
  /// At place p, counted from 1: the sum of as many blocks as p's lowest bit says, up to and with block p - 1.
  ///
  /// The last one is beyond all sums.
  private var sums: ContiguousArray<SummedTotals>

  /// Makes a tree of what the blocks amount to, in O(n).
  init(_ totals: some Collection<SummedTotals>) {
    let end = totals.count + 1
    sums = [.zero]
    sums.reserveCapacity(end + 1)
    sums.append(contentsOf: totals)
    for place in 1..<end {
      let parent = place + (place & -place)
      if parent < end { sums[parent] += sums[place] }
    }
    sums.append(.upperBound)
  }

  /// Adds to a block, in O(log n).
  mutating func addDelta(_ difference: SummedTotals, at block: Int) {
    var place = block + 1
    while place < sums.count - 1 {
      sums[place] += difference
      place += place & -place
    }
  }

  /// What the blocks before one amount to, in O(log n).
  func sum(before block: Int) -> SummedTotals {
    var sum = SummedTotals.zero
    var place = block
    while place > 0 {
      sum += sums[place]
      place &= place - 1
    }
    return sum
  }

  /// The most blocks from the beginning whose sum has a property, and that sum; once the property does not hold, it holds
  /// for no more blocks.
  ///
  /// Up to 1 023 blocks these are the same ten steps, without a branch: the answer costs the same for a thousand elements
  /// and for ten million.
  @inline(__always)
  func prefix(while holds: (SummedTotals) -> Bool) -> (count: Int, sum: SummedTotals) {
    sums.withUnsafeBufferPointer { sums in
      let end = sums.count &- 1
      var place = 0
      var sum = SummedTotals.zero
      var step = end <= 1_024 ? 512 : 1 << (Int.bitWidth &- 1 &- end.leadingZeroBitCount)
      while step > 0 {
        let next = min(place &+ step, end)
        let longer = sum + sums[next]
        let isLonger = holds(longer)
        place = isLonger ? next : place
        sum = isLonger ? longer : sum
        step >>= 1
      }
      return (place, sum)
    }
  }
}
