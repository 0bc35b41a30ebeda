/// What several readings of a figure come to.
public struct HistoryStatistics: Hashable, Sendable {
  /// The one in the middle, of an even number the mean of the two there.
  public let median: Double
  /// The least.
  public let least: Double
  /// The most.
  public let most: Double
  /// How many there are.
  public let count: Int

  /// Sums up readings; nothing where there are none.
  ///
  /// - Complexity: O(n log n).
  public init?(_ readings: some Sequence<Double>) {
    let sorted = readings.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    let middle = sorted.count / 2
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    (self.least, self.most, count) = (least, most, sorted.count)
  }

  /// By what share of the median the least and the most are apart; 0 where they are the same.
  public var spread: Double { most == least ? 0 : median == 0 ? .infinity : (most - least) / abs(median) }

  /// Whether another's readings reach into these.
  public func overlaps(_ other: HistoryStatistics) -> Bool { least <= other.most && other.least <= most }
}
