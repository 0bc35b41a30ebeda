/// Why a step of work ahead did not run.
public struct SlackRefusal: Hashable, Sendable {
  /// The rule that forbade it.
  public enum Reason: Hashable, Sendable {
    /// It costs more than was left.
    case cost
    /// Steps had followed each other for as long as they may while nothing moves.
    case runLimitReached
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
  public var description: String {
    var words = StringTextWriter()
    write(to: &words)
    return words.text
  }

  /// Writes the refusal in words.
  func write(to words: inout some TextWriter) {
    switch reason {
    case .cost:
      // Costs are rounded up and what was left down, so that the larger number always looks larger.
      words.write("last slack refusal: cost ")
      words.write(tenths: (cost.nanoseconds + 99_999) / 100_000)
      words.write(" > ")
      words.write(tenths: max(0, remaining.nanoseconds) / 100_000)
      words.write(" left")
    case .runLimitReached:
      words.write("last slack refusal: steps had followed each other for ")
      words.write(tenths: SlackScheduler.restRunLimit.nanoseconds / 100_000)
      words.write(" before it")
    case .inputPending: words.write("last slack refusal: input was waiting")
    case .snapshotPending: words.write("last slack refusal: a snapshot was waiting")
    }
  }
}
