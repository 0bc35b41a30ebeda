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
  public func largest(excluding exceeded: Int) -> FrameDuration { extreme(excluding: exceeded, sign: 1) }

  /// The sample that only a few fall short of.
  ///
  /// - Parameter passed: how many smaller samples are let pass: 3 of 64 is about the 5th percentile.
  /// - Complexity: O(64 × passed), no allocation.
  public func smallest(excluding passed: Int) -> FrameDuration { extreme(excluding: passed, sign: -1) }

  /// So few are found in one pass.
  private static let singlePassLimit = 8

  /// The largest sample but fewer than ``fewest``.
  private func extreme(excludingFew exceeded: Int, sign: Int64) -> FrameDuration {
    let samples = samples.span
    // The largest so far, the smallest of them first: most samples are compared with that one alone.
    var largest = InlineArray<8, Int64>(repeating: .min)
    for index in 0..<count {
      let value = samples[index] * sign
      guard value > largest[0] else { continue }
      var place = 0
      while place < exceeded, value > largest[place + 1] {
        largest[place] = largest[place + 1]
        place += 1
      }
      largest[place] = value
    }
    return FrameDuration(nanoseconds: largest[0] * sign)
  }

  /// The largest sample but a few; of their negatives the smallest one's.
  private func extreme(excluding exceeded: Int, sign: Int64) -> FrameDuration {
    guard count > 0 else { return .zero }
    if exceeded < SampleWindow.singlePassLimit { return extreme(excludingFew: min(exceeded, count - 1), sign: sign) }
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
