/// The last 64 samples of a cost, for estimates that follow the machine; no allocation after the first.
public struct SampleWindow: Sendable {
  private var samples = InlineArray<64, Int64>(repeating: 0)
  private var next = 0
  /// How many samples there are, at most 64.
  public private(set) var count = 0

  /// An empty window.
  public init() {}

  /// Takes in a sample and forgets the oldest.
  public mutating func append(_ duration: FrameDuration) {
    samples[next] = duration.nanoseconds
    next = (next + 1) & 63
    count = min(count + 1, 64)
  }

  /// The sample that only a few exceed.
  ///
  /// - Parameter exceeded: how many larger samples are let pass: 3 of 64 is about the 95th percentile.
  /// - Complexity: O(64 × exceeded), no allocation.
  public func largest(letting exceeded: Int) -> FrameDuration { extreme(letting: exceeded, sign: 1) }

  /// The sample that only a few fall short of.
  ///
  /// - Parameter passed: how many smaller samples are let pass: 3 of 64 is about the 5th percentile.
  /// - Complexity: O(64 × passed), no allocation.
  public func smallest(letting passed: Int) -> FrameDuration { extreme(letting: passed, sign: -1) }

  /// The largest sample but a few; of their negatives the smallest one's.
  private func extreme(letting exceeded: Int, sign: Int64) -> FrameDuration {
    guard count > 0 else { return .zero }
    // A view of the samples: reading them through `self` in the loop would copy them all each time.
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
