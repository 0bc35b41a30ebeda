import Glibc
import VitrineFileReading
import VitrineImagePipeline

/// An error of a system call on a file or folder: the operation and the value of `errno`.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An operation on a file or folder.
  public enum Operation: String, Sendable {
    /// Opening a file or folder.
    case open
    /// Reading the status of a path.
    case inspect
    /// Listing a folder.
    case list
    /// Reading a file.
    case read
    /// Creating or writing a file.
    case write
    /// Renaming a file.
    case rename
    /// Creating a folder.
    case makeFolder = "make folder"
    /// Watching a folder for changes.
    case watch
  }

  /// The operation that failed.
  public let operation: Operation
  /// The value of `errno`.
  public let code: Int32

  /// Creates an error.
  public init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The system's message, such as "Permission denied".
  public var reason: String { SystemCalls.errorMessage(for: code) }

  /// The operation and the reason, without the path.
  public var description: String { "cannot \(operation.rawValue): \(reason)" }
}

extension FileError {
  /// Whether the file does not exist, or no longer exists.
  ///
  /// A stale handle of a network file system (ESTALE) tells only that it must be opened again.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a file is at the place of a folder.
  var isNotAFolder: Bool { code == ENOTDIR }

  /// Whether the user has no permission.
  public var isPermissionDenied: Bool { code == EACCES || code == EPERM }

  /// Whether there is a cycle of symbolic links.
  public var isSymbolicLinkLoop: Bool { code == ELOOP }
}

extension FileError {
  /// Creates the error of a file whose contents a reading process could not find out.
  ///
  /// Returns nil if the caller cancelled it, or the process ended by a fault, for which the file may be to blame.
  init?(_ error: FileReadingError) {
    switch error {
    case .unreadable(let code): self.init(.read, code: code)
    case .fault(.timedOut): self.init(.read, code: ETIMEDOUT)
    case .unavailable: self.init(.read, code: EAGAIN)
    case .cancelled, .fault: return nil
    }
  }
}
