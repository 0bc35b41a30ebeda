/// Why a step of work ahead did not run.
public struct SlackRefusal: Hashable, Sendable {
  /// The rule that forbade it.
  public enum Reason: Hashable, Sendable {
    /// It costs more than was left.
    case cost
    /// Steps had followed each other for as long as they may while nothing moves.
    case runEnded
    /// Input was waiting.
    case inputPending
    /// A snapshot was waiting.
    case snapshotPending
  }

  /// The rule that forbade it.
  public var reason: Reason
  /// What it was expected to cost.
  public var cost: FrameDuration
  /// The most that it might have taken: until the deadline, or after presenting if it might have run there.
  public var remaining: FrameDuration
  /// The frame in whose slack it asked.
  public var frame: Int

  /// Makes a refusal.
  public init(reason: Reason, cost: FrameDuration, remaining: FrameDuration, frame: Int) {
    self.reason = reason
    self.cost = cost
    self.remaining = remaining
    self.frame = frame
  }

  /// The refusal in words, as a hitch's cause tells it: `last slack refusal: cost 7.0 ms > 3.9 ms left`.
  public var sentence: String {
    switch reason {
    case .cost:
      // Costs are rounded up and what was left down, so that the larger number always looks larger.
      "last slack refusal: cost \(Self.tenths((cost.nanoseconds + 99_999) / 100_000)) > "
        + "\(Self.tenths(max(0, remaining.nanoseconds) / 100_000)) left"
    case .runEnded: "last slack refusal: steps had followed each other for \(Self.tenths(longestRun)) before it"
    case .inputPending: "last slack refusal: input was waiting"
    case .snapshotPending: "last slack refusal: a snapshot was waiting"
    }
  }

  private var longestRun: Int64 { SlackDecider.longestRun.nanoseconds / 100_000 }

  private static func tenths(_ count: Int64) -> String { "\(count / 10).\(count % 10) ms" }
}
