import Glibc

/// The system gave no server.
public struct ServerError: Error, Hashable, CustomStringConvertible {
  /// The C library's `errno`.
  public let code: Int32

  /// What happened.
  public var description: String { "no server can be had on this machine: \(String(cString: strerror(code)))" }
}
