import Glibc

/// A file or folder of our own that cannot be used: what was tried, with which, and why not.
///
/// Never the end of a picture: what is kept on disk only saves time.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Making a folder of our own.
    case makeFolder = "make"
    /// Opening a folder or file of our own.
    case open
    /// Listing a folder of our own.
    case list
    /// Holding a file of our own against other instances.
    case lock
    /// Reading a file of our own.
    case read
    /// Writing a file of our own, or making it shorter.
    case write
    /// Giving a file of our own another name.
    case rename
  }

  /// What was tried.
  public let operation: Operation
  /// The name of the file or folder, for people to read.
  public let name: String
  /// The system's reason: a value of `errno`.
  public let code: Int32

  /// Makes an error.
  public init(_ operation: Operation, _ name: String, code: Int32) {
    self.operation = operation
    self.name = name
    self.code = code
  }

  /// What cannot be done, and the system's words for why.
  public var description: String { "cannot \(operation.rawValue) \(name): \(String(cString: strerror(code)))" }

  /// Whether the file may be read and not written.
  var forbidsWriting: Bool { code == EACCES || code == EROFS || code == EPERM }

  /// Whether the same will come of it the next time: the place is not for us to write to, or is full.
  var isPermanent: Bool {
    forbidsWriting || [ENOSPC, EDQUOT, ELOOP, ENOTDIR].contains(code)
  }

  /// Whether something has the name already.
  var isNameTaken: Bool { code == EEXIST }
}
