/// A command line that is not understood.
public struct CommandError: Error, Hashable, CustomStringConvertible {
  /// The line that says why, and what is accepted.
  public let description: String

  /// Makes an error from its line.
  public init(_ description: String) { self.description = description }
}
