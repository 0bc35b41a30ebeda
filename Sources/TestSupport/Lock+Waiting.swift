public import Threads

extension Lock {
  /// Waits until the body returns a value, as long as a test may.
  ///
  /// - Parameter what: what is waited for, for the error.
  /// - Throws: ``TookTooLong``.
  public func wait<Result>(for what: String, until body: (inout State) -> sending Result?) throws -> sending Result {
    guard let result = wait(atMost: Deadline.defaultTimeout, until: body) else { throw WaitTimeoutError(what: what) }
    return result
  }
}
