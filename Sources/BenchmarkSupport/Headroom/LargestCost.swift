/// The largest cost that something bears, found by halving.
public enum LargestCost {
  /// Finds it, as far as what bears a cost bears every smaller one.
  ///
  /// - Parameters:
  ///   - range: the costs in question.
  ///   - resolution: how near the answer is to be; at least 1.
  ///   - bears: whether a cost is borne.
  /// - Returns: the largest one that was tried and borne, less than `resolution` below one that was not, or the end of the
  ///   range; nothing where not even its beginning is borne.
  /// - Complexity: O(log r) questions for r steps of the resolution.
  public static func find(in range: ClosedRange<Int64>, resolution: Int64, bears: (Int64) throws -> Bool) rethrows
    -> Int64?
  {
    guard try bears(range.lowerBound) else { return nil }
    if try bears(range.upperBound) { return range.upperBound }
    var (borne, refused) = (range.lowerBound, range.upperBound)
    while refused - borne > max(1, resolution) {
      let middle = borne + (refused - borne) / 2
      if try bears(middle) { borne = middle } else { refused = middle }
    }
    return borne
  }
}
