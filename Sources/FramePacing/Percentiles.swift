/// Percentiles of a series of durations.
public struct Percentiles: Hashable, Sendable {
  /// Half of the samples are at most this.
  public var p50: FrameDuration
  /// 95 in 100 are at most this.
  public var p95: FrameDuration
  /// 99 in 100 are at most this.
  public var p99: FrameDuration
  /// The largest.
  public var max: FrameDuration

  /// The percentiles of some durations in nanoseconds, by the nearest rank; nothing for none.
  /// - Complexity: O(n log n).
  public init?(ofNanoseconds samples: some Sequence<Int64>) {
    let sorted = samples.sorted()
    guard let largest = sorted.last else { return nil }
    func rank(_ share: Double) -> FrameDuration {
      let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
      return FrameDuration(nanoseconds: sorted[Swift.max(0, Swift.min(index, sorted.count - 1))])
    }
    p50 = rank(0.50)
    p95 = rank(0.95)
    p99 = rank(0.99)
    max = FrameDuration(nanoseconds: largest)
  }
}
