import Glibc

/// A mutual exclusion lock with a condition variable, which protects a state.
///
/// Backed by `pthread_mutex_t`, because ThreadSanitizer reports false races on `Synchronization.Mutex` on Linux.
public final class Lock<State>: @unchecked Sendable {
  // @unchecked: `state` is touched only between pthread_mutex_lock and pthread_mutex_unlock.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  /// Creates a lock that protects a state.
  ///
  /// - Parameter state: The state, of a type whose values take at least a byte: the address of an empty value is that of
  ///   the lock itself, whose use by several threads ThreadSanitizer would report.
  public init(_ state: sending State) {
    assert(MemoryLayout<State>.size > 0, "the state of a lock must not be empty; use a Bool instead")
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    self.state = state
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Calls a closure while holding the lock.
  ///
  /// The C function is `pthread_mutex_lock`.
  ///
  /// - Parameter body: The closure. It must not call client code, which may acquire the same lock.
  /// - Returns: The closure's result.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Blocks until the closure returns a value, evaluating it again after each ``wakeAll()``.
  ///
  /// The C function is `pthread_cond_wait`.
  public func wait<Result, Failure: Error>(
    until body: (inout State) throws(Failure) -> sending Result?
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Blocks until the closure returns a value or a time limit expires, evaluating it again after each ``wakeAll()``.
  ///
  /// The C function is `pthread_cond_timedwait`, on the monotonic clock.
  ///
  /// - Returns: The closure's result, or nil if the limit expires first.
  public func wait<Result, Failure: Error>(
    atMost limit: Duration, until body: (inout State) throws(Failure) -> sending Result?
  ) throws(Failure) -> sending Result? {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = max(.zero, limit).components
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return try body(&state) }
    }
  }

  /// Wakes all waiting threads, which then evaluate their closures again.
  ///
  /// The C function is `pthread_cond_broadcast`.
  public func wakeAll() { pthread_cond_broadcast(condition) }
}
