import Rendering

/// A run failed while it went on; one line says how.
public struct HostError: Error, CustomStringConvertible {
  /// The line, without the program's name.
  public let description: String

  init(_ description: String) { self.description = description }
}
