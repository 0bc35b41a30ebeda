/// A display refused something; the sentence is the driver's own.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was asked, such as "create a window".
  public var action: String
  /// What the driver said.
  public var reason: String

  /// Makes an error.
  public init(action: String, reason: String) {
    self.action = action
    self.reason = reason
  }

  /// Both in one sentence.
  public var description: String { "cannot \(action): \(reason)" }
}
