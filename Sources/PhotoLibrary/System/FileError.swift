/// A file or folder that the system would not give us: what was tried, and what `errno` said.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Opening a file or a folder.
    case open
    /// Asking what stands at a path.
    case inspect
    /// Listing a folder's names.
    case list
    /// Reading a file's bytes.
    case read
    /// Making or writing a file of our own.
    case write
    /// Renaming a file of our own.
    case rename
    /// Making a folder of our own.
    case makeFolder = "make folder"
  }

  /// What was tried.
  public let operation: Operation
  /// The system's reason: a value of `errno`.
  public let code: Int32

  /// Makes an error.
  public init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The system's words for it, such as "Permission denied".
  public var reason: String { SystemCalls.errorMessage(for: code) }

  /// What was tried and why it failed, in a few words without the path.
  public var description: String { "cannot \(operation.rawValue): \(reason)" }
}
