/// What something costs by its last 32 samples: quantiles, since heavy tails are what hitches are made of.
///
/// Trivial and of a fixed size: taking in a sample allocates nothing.
public struct CostEstimate: Sendable {
  /// How many samples are kept.
  public static let capacity = 32

  /// The samples in the order in which they came, the oldest at `next` once there are 32.
  private var ring = InlineArray<32, Int64>(repeating: 0)
  /// The same samples, ascending.
  private var sorted = InlineArray<32, Int64>(repeating: 0)
  private var next = 0
  /// How many samples there are, at most ``capacity``.
  public private(set) var count = 0
  /// The running mean: three quarters of what it was and a quarter of the last sample, the first taken whole.
  ///
  /// A heavy tail hides in it; for comparison.
  package private(set) var mean: FrameDuration?

  /// Nothing is known.
  public init() {}

  /// Whether nothing is known.
  public var isEmpty: Bool { count == 0 }

  /// Takes in a cost and forgets the oldest; a negative one counts as zero.
  ///
  /// - Complexity: O(32).
  public mutating func record(_ cost: FrameDuration) {
    let sample = max(0, cost.nanoseconds)
    let before = mean?.nanoseconds ?? sample
    mean = FrameDuration(nanoseconds: before + (sample - before) / 4)
    if count == CostEstimate.capacity {
      let oldest = ring[next]
      var place = 0
      while place < count - 1, sorted[place] != oldest { place += 1 }
      while place < count - 1 {
        sorted[place] = sorted[place + 1]
        place += 1
      }
      count -= 1
    }
    var place = count
    while place > 0, sorted[place - 1] > sample {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = sample
    ring[next] = sample
    next = (next + 1) & (CostEstimate.capacity - 1)
    count += 1
  }

  /// The cost that half of the samples do not exceed; nothing where there are none.
  public var typical: FrameDuration? { quantile(50) }

  /// The cost that nine in ten samples do not exceed; nothing where there are none.
  public var pessimistic: FrameDuration? { quantile(90) }

  /// The largest sample plus half of its distance to the median; nil if there are none.
  ///
  /// For what must not be exceeded: nine in ten is exceeded once in ten steps. Where all samples are equal it is these.
  public var conservative: FrameDuration? {
    guard let typical, let worst = quantile(100) else { return nil }
    return worst + (worst - typical) * 0.5
  }

  /// The smallest sample that so many in a hundred do not exceed, by the nearest rank; nothing where there are none.
  ///
  /// - Parameter percent: 1 to 100; others count as the nearest of these.
  /// - Complexity: O(1).
  public func quantile(_ percent: Int) -> FrameDuration? {
    guard count > 0 else { return nil }
    let rank = (min(100, max(1, percent)) * count + 99) / 100
    return FrameDuration(nanoseconds: sorted[rank - 1])
  }
}
