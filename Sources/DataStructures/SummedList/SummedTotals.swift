/// What some leaves of a summed list amount to.
struct SummedTotals: Equatable, Sendable {
  var elements: Int
  var length: Int

  static let zero = SummedTotals(elements: 0, length: 0)
  /// More than any list has, and still not too much to be added to what one has.
  static let beyond = SummedTotals(elements: 1 << 61, length: 1 << 61)

  init(elements: Int, length: Int) {
    self.elements = elements
    self.length = length
  }

  @inline(__always)
  init(_ leaf: some SummedLeaf) { self.init(elements: leaf.count, length: leaf.length) }

  @inline(__always)
  static func + (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    // Neither reaches 2^62: what is added to a sum was found to fit when the list took it in.
    SummedTotals(elements: left.elements &+ right.elements, length: left.length &+ right.length)
  }

  @inline(__always)
  static func - (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    SummedTotals(elements: left.elements &- right.elements, length: left.length &- right.length)
  }

  @inline(__always)
  static func += (left: inout SummedTotals, right: SummedTotals) { left = left + right }
}
