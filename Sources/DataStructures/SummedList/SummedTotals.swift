/// What some leaves of a summed list amount to.
struct SummedTotals: AdditiveArithmetic, Sendable {
  var leaves: Int
  var elements: Int
  var length: Int

  static let zero = SummedTotals(leaves: 0, elements: 0, length: 0)

  @inline(__always)
  static func + (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    SummedTotals(
      leaves: left.leaves + right.leaves, elements: left.elements + right.elements, length: left.length + right.length)
  }

  @inline(__always)
  static func - (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    SummedTotals(
      leaves: left.leaves - right.leaves, elements: left.elements - right.elements, length: left.length - right.length)
  }
}
