/// What some leaves of a summed list amount to.
struct SummedTotals: Equatable, Sendable {
  var elements: Int
  var length: Int

  static let zero = SummedTotals(elements: 0, length: 0)
  /// More than any list has, and still not too much to be added to what one has.
  static let upperBound = SummedTotals(elements: 1 << 62, length: 1 << 62)

  init(elements: Int, length: Int) {
    self.elements = elements
    self.length = length
  }

  @inline(__always)
  init(_ leaf: some SummedLeaf) { self.init(elements: leaf.count, length: leaf.length) }

  @inline(__always)
  static func + (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    // What a list holds does not reach 2^62, and with ``beyond`` it does not reach 2^63.
    SummedTotals(elements: left.elements &+ right.elements, length: left.length &+ right.length)
  }

  @inline(__always)
  static func - (left: SummedTotals, right: SummedTotals) -> SummedTotals {
    SummedTotals(elements: left.elements &- right.elements, length: left.length &- right.length)
  }

  @inline(__always)
  static func += (left: inout SummedTotals, right: SummedTotals) { left = left + right }
}
