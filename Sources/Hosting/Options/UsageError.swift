/// The command line asks for something that is not to be had; one line says what is accepted.
public struct UsageError: Error, Hashable, CustomStringConvertible {
  /// The line, without the program's name.
  public let description: String

  /// Makes an error from its line.
  public nonisolated init(_ description: String) { self.description = description }

  /// Makes an error from an option's file that cannot be written.
  public nonisolated init(unwritable path: String, of option: String, _ error: OutputError) {
    description = "\(option) \(path): \(error); give a path in a folder that you may write to"
  }
}
