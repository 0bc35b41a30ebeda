public import FramePacing

/// What is taken of one address at most.
public struct RemoteLimits: Hashable, Sendable {
  /// The bytes of the answer.
  public var maximumBytes: Int
  /// The time from the first try to the end, all further tries and their pauses among it.
  public var totalTime: FrameDuration

  /// Makes limits.
  public init(mostBytes: Int, totalTime: FrameDuration) {
    self.maximumBytes = mostBytes
    self.totalTime = totalTime
  }

  /// A picture: 64 MB within 10 s.
  public static let picture = RemoteLimits(mostBytes: 64 << 20, totalTime: .seconds(10))
  /// A list of pictures: 32 MB within 30 s.
  public static let manifest = RemoteLimits(mostBytes: 32 << 20, totalTime: .seconds(30))
}
