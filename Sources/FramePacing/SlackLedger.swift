/// What became of the time that short commits left.
public struct SlackStatistics: Hashable, Sendable {
  /// The time from the ends of commits to their deadlines.
  public internal(set) var available: FrameDuration = .zero
  /// The time that steps took, those after presenting among them.
  public internal(set) var used: FrameDuration = .zero
  /// Steps that ran.
  public internal(set) var steps = 0
  /// Of those, steps that ran after presenting and might delay the next commit.
  public internal(set) var deferred = 0
  /// Of those, steps that the next frame needed and that might make it late.
  public internal(set) var forced = 0
  /// Steps that cost more than was left.
  public internal(set) var refusals = 0
  /// Steps, forced ones apart, that ended after the moment by which they had to.
  public internal(set) var overruns = 0

  /// Nothing yet.
  public init() {}

  /// ``available`` in milliseconds, as the report has it.
  public var availableMs: Double { available.milliseconds }
  /// ``used`` in milliseconds, as the report has it.
  public var usedMs: Double { used.milliseconds }
}
