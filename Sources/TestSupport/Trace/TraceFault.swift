/// What is wrong with an event of a trace.
public struct TraceFault: Hashable, Sendable, CustomStringConvertible {
  /// The rules of Chrome's Trace Event Format, and what its readers ask beyond it.
  public enum Rule: Hashable, Sendable {
    /// An event has the fields that its letter asks for.
    case fields
    /// Moments are finite and not before zero, and nothing lasts less than no time.
    case times
    /// Spans of a track lie one after the other or one within another.
    case nesting
    /// What begins ends once, and not before.
    case pairs
    /// An arrow leaves a span and comes in a span, not before.
    case flows
    /// Counters count.
    case counters
    /// The process and every track with spans have names.
    case names
  }

  /// The rule that does not hold.
  public var rule: Rule
  /// Of which event, and how.
  public var description: String
}
