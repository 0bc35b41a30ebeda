import FramePacing

/// Lengths of time counted in buckets of at most 3 % width: quantiles from a fixed 16 KiB, equal for equal lengths.
struct DurationHistogram: Sendable {
  // 32 buckets for each power of two; below 32 ns each nanosecond has its own.
  private static let stepsPerDoubling = 32
  private static let stepBits = 5

  private var buckets = ContiguousArray<UInt32>(repeating: 0, count: 60 * stepsPerDoubling)

  /// The lengths counted.
  private(set) var count = 0

  /// An empty histogram.
  init() {}

  /// Counts a length; a negative one as none.
  mutating func add(_ duration: FrameDuration) {
    buckets[DurationHistogram.bucket(of: UInt64(max(0, duration.nanoseconds)))] += 1
    count += 1
  }

  /// The length that a share of all lengths does not exceed, by nearest rank; no time where nothing was counted.
  ///
  /// - Parameter share: 0...1; 0.5 gives the median.
  /// - Returns: the longest length of the bucket, at most 3 % too long.
  func quantile(_ share: Double) -> FrameDuration {
    guard count > 0 else { return .zero }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, bucket) in buckets.enumerated() {
      seen += Int(bucket)
      if seen >= rank { return FrameDuration(nanoseconds: DurationHistogram.longest(inBucket: index)) }
    }
    return .zero
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    let length = 64 - nanoseconds.leadingZeroBitCount
    guard length > stepBits else { return Int(nanoseconds) }
    let shift = length - stepBits - 1
    return shift * stepsPerDoubling + Int(nanoseconds >> UInt64(shift))
  }

  private static func longest(inBucket index: Int) -> Int64 {
    guard index >= 2 * stepsPerDoubling else { return Int64(index) }
    let shift = UInt64(index / stepsPerDoubling - 1)
    let step = UInt64(index % stepsPerDoubling + stepsPerDoubling)
    // Unsigned, as the last bucket ends where the signed numbers do.
    return Int64(((step + 1) << shift) - 1)
  }
}
