/// Whether a step of work ahead runs, and when.
public enum SlackDecision: Hashable, Sendable {
  /// It runs now: it fits before the deadline.
  case run
  /// It runs once the frame is presented, and may delay the next commit, which is short.
  case runAfterPresent
  /// It runs once the frame is presented although it may make the next frame late: that frame needs it, and in its
  /// commit it would be later still; or it will be needed soon and is longer than any frame can bear.
  case forced
  /// It does not run in this frame.
  case refused(SlackRefusal)

  /// Whether it runs only after presenting.
  public var isAfterPresent: Bool { self == .runAfterPresent || self == .forced }
}
