import Glibc

/// A file that a run was to write could not be written.
public struct OutputError: Error, Hashable, CustomStringConvertible {
  /// The system's reason: a value of `errno`.
  public let code: Int32

  nonisolated init(code: Int32) { self.code = code }

  /// The reason in the system's words, without the path; the C function is `strerror`.
  public nonisolated var description: String { "cannot be written: " + String(cString: strerror(code)) }
}
