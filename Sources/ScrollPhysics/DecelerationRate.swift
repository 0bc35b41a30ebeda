/// How fast a free motion dies away.
public struct DecelerationRate: Hashable, Sendable {
  /// The share of the velocity that is left after a millisecond, between 0.5 and 0.9999.
  public let perMillisecond: Double

  /// The decay constant in 1/s: velocity falls as e^(-decay t).
  public let decay: Double

  /// UIKit's normal rate: 0.998 a millisecond.
  public static let normal = DecelerationRate(perMillisecond: 0.998)
  /// UIKit's fast rate: 0.99 a millisecond, for paging.
  public static let fast = DecelerationRate(perMillisecond: 0.99)

  /// Makes a rate; a share outside 0.5...0.9999 is moved to its nearest bound, and NaN counts as 0.998.
  public init(perMillisecond share: Double) {
    perMillisecond = share.isNaN ? 0.998 : min(0.9999, max(0.5, share))
    decay = -1_000 * Exponential.log(perMillisecond)
  }

  /// Makes the rate of a decay constant in 1/s.
  init(decay: Double) {
    self.decay = max(0.1, decay.bounded(by: 500))
    perMillisecond = Exponential.exp(-self.decay / 1_000)
  }
}
