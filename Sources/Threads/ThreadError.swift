/// The system refused a thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What `pthread_create` returned.
  public let status: Int32

  /// What happened and what to do.
  public var description: String {
    "the system gives no further thread (pthread_create: \(status)); raise the limit on threads (ulimit -u)"
  }
}
