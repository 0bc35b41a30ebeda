/// The 64 most recent samples of a duration, for estimates that follow the machine's state, without allocation.
public struct SampleWindow: Sendable {
  private var samples = InlineArray<64, Int64>(repeating: 0)
  private var next = 0
  /// The number of samples, at most 64.
  public private(set) var count = 0

  /// Creates an empty window.
  public init() {}

  /// Adds a sample; replaces the oldest one if the window is full.
  public mutating func append(_ duration: FrameDuration) {
    samples[next] = duration.nanoseconds
    next = (next + 1) & 63
    count = min(count + 1, 64)
  }

  /// Returns the largest sample after excluding a few larger ones.
  ///
  /// - Parameter exceeded: The number of larger samples to exclude; 3 of 64 is about the 95th percentile.
  /// - Complexity: O(64 × exceeded), without allocation.
  public func largest(excluding exceeded: Int) -> FrameDuration { extreme(excluding: exceeded, sign: 1) }

  /// Returns the smallest sample after excluding a few smaller ones.
  ///
  /// - Parameter passed: The number of smaller samples to exclude; 3 of 64 is about the 5th percentile.
  /// - Complexity: O(64 × passed), without allocation.
  public func smallest(excluding passed: Int) -> FrameDuration { extreme(excluding: passed, sign: -1) }

  /// The number of exclusions below which one pass suffices.
  private static let singlePassLimit = 8

  /// Returns the extreme after fewer than ``singlePassLimit`` exclusions.
  private func extreme(excludingFew exceeded: Int, sign: Int64) -> FrameDuration {
    let samples = samples.span
    // The largest values so far in ascending order: most samples are compared with the first one only.
    var largest = InlineArray<8, Int64>(repeating: .min)
    for index in 0..<count {
      let value = samples[index] * sign
      guard value > largest[0] else { continue }
      var slot = 0
      while slot < exceeded, value > largest[slot + 1] {
        largest[slot] = largest[slot + 1]
        slot += 1
      }
      largest[slot] = value
    }
    return FrameDuration(nanoseconds: largest[0] * sign)
  }

  /// Returns the largest sample times `sign` after a number of exclusions, with the sign removed.
  private func extreme(excluding exceeded: Int, sign: Int64) -> FrameDuration {
    guard count > 0 else { return .zero }
    if exceeded < SampleWindow.singlePassLimit { return extreme(excludingFew: min(exceeded, count - 1), sign: sign) }
    // A span, because reading the array through `self` in the loop would copy it each time.
    let samples = samples.span
    var bound = Int64.max
    var value: Int64 = 0
    var passed = 0
    while passed <= min(exceeded, count - 1) {
      value = .min
      var equal = 0
      for index in 0..<count where samples[index] * sign < bound {
        if samples[index] * sign > value {
          value = samples[index] * sign
          equal = 1
        } else if samples[index] * sign == value {
          equal += 1
        }
      }
      guard equal > 0 else { return FrameDuration(nanoseconds: bound * sign) }
      passed += equal
      bound = value
    }
    return FrameDuration(nanoseconds: value * sign)
  }
}

/// The percentiles of a series of durations.
public struct Percentiles: Hashable, Sendable {
  /// The median.
  public var p50: FrameDuration
  /// The 95th percentile.
  public var p95: FrameDuration
  /// The 99th percentile.
  public var p99: FrameDuration
  /// The maximum.
  public var max: FrameDuration

  /// Creates the percentiles of durations in nanoseconds by the nearest rank, or returns nil for an empty series.
  ///
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

/// An estimate of a cost from its 32 most recent samples, by quantiles, because heavy tails cause hitches.
///
/// Trivial and of fixed size: recording a sample allocates nothing.
public struct CostEstimate: Sendable {
  /// The number of stored samples.
  public static let capacity = 32

  /// The samples in the order of their arrival, the oldest at `next` once there are 32.
  private var ring = InlineArray<32, Int64>(repeating: 0)
  /// The same samples in ascending order.
  private var sorted = InlineArray<32, Int64>(repeating: 0)
  private var next = 0
  /// The number of samples, at most ``capacity``.
  public private(set) var count = 0
  /// The running mean: three quarters of its former value plus a quarter of the last sample.
  ///
  /// It hides heavy tails; for comparison only.
  package private(set) var mean: FrameDuration?

  /// Creates an estimate without samples.
  public init() {}

  /// Whether there are no samples.
  public var isEmpty: Bool { count == 0 }

  /// Records a cost and discards the oldest; a negative cost counts as zero.
  ///
  /// - Complexity: O(32).
  public mutating func record(_ cost: FrameDuration) {
    let sample = max(0, cost.nanoseconds)
    let before = mean?.nanoseconds ?? sample
    mean = FrameDuration(nanoseconds: before + (sample - before) / 4)
    if count == CostEstimate.capacity {
      let oldest = ring[next]
      var index = 0
      while index < count - 1, sorted[index] != oldest { index += 1 }
      while index < count - 1 {
        sorted[index] = sorted[index + 1]
        index += 1
      }
      count -= 1
    }
    var index = count
    while index > 0, sorted[index - 1] > sample {
      sorted[index] = sorted[index - 1]
      index -= 1
    }
    sorted[index] = sample
    ring[next] = sample
    next = (next + 1) & (CostEstimate.capacity - 1)
    count += 1
  }

  /// The median of the samples, or nil if there are none.
  public var typical: FrameDuration? { quantile(50) }

  /// The 90th percentile of the samples, or nil if there are none.
  public var pessimistic: FrameDuration? { quantile(90) }

  /// The largest sample plus half of its distance to the median, or nil if there are none.
  ///
  /// For limits that must not be exceeded: the 90th percentile is exceeded once in ten steps. Equal samples yield their
  /// value.
  public var conservative: FrameDuration? {
    guard let typical, let worst = quantile(100) else { return nil }
    return worst + (worst - typical) * 0.5
  }

  /// Returns a percentile of the samples by the nearest rank, or nil if there are none.
  ///
  /// - Parameter percent: The percentage, clamped to 1...100.
  /// - Complexity: O(1).
  public func quantile(_ percent: Int) -> FrameDuration? {
    guard count > 0 else { return nil }
    let rank = (min(100, max(1, percent)) * count + 99) / 100
    return FrameDuration(nanoseconds: sorted[rank - 1])
  }
}
