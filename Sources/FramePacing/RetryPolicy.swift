/// The pauses between attempts at something that fails for a while: each is twice the last, up to a maximum.
///
/// The owner of a policy counts the failures, and decides how often to try.
public struct RetryPolicy: Hashable, Sendable {
  /// The pause after the first failure.
  public var firstPause: FrameDuration
  /// The longest pause.
  public var maximumPause: FrameDuration

  /// Creates a policy.
  public init(firstPause: FrameDuration, maximumPause: FrameDuration) {
    self.firstPause = firstPause
    self.maximumPause = maximumPause
  }

  /// Returns the pause after a number of consecutive failures.
  ///
  /// - Parameters:
  ///   - failures: The number of failures, at least 1.
  ///   - share: The jitter, from 0 to 1: 0 returns half of the pause, 1 all of it. Default: 1.
  public func pause(after failures: Int, share: Double = 1) -> FrameDuration {
    min(firstPause * Double(1 << min(max(failures - 1, 0), 16)), maximumPause) * (0.5 + share / 2)
  }
}
