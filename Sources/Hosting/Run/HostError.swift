import Rendering

/// A run failed while it went on; one line says how.
public struct HostError: Error, CustomStringConvertible {
  /// The line, without the program's name.
  public let description: String

  /// Makes an error from its line.
  public nonisolated init(_ description: String) { self.description = description }
}
