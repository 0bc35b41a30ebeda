/// Percentiles of whole numbers.
public struct CountQuantiles: Encodable {
  var p50: Int
  var p99: Int
  var max: Int

  /// The percentiles of some numbers, by the nearest rank; nothing for none.
  ///
  /// - Complexity: O(n log n).
  init?(of numbers: [Int]) {
    let sorted = numbers.sorted()
    guard let largest = sorted.last else { return nil }
    func rank(_ share: Double) -> Int {
      sorted[Swift.max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
    p50 = rank(0.5)
    p99 = rank(0.99)
    max = largest
  }
}
