import Glibc

/// A mutual exclusion lock with a condition to wait on, around the state that it guards.
///
/// Over `pthread_mutex_t` and not the toolchain's `Mutex`, because ThreadSanitizer reports false races on the latter on
/// Linux, and its reports must mean something here.
public final class Lock<State>: @unchecked Sendable {
  // @unchecked: `state` is touched only between pthread_mutex_lock and pthread_mutex_unlock.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  /// Makes a lock around a first state.
  public init(_ state: sending State) {
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

  /// Runs a body with the state held.
  ///
  /// The C function is `pthread_mutex_lock`.
  ///
  /// Never call client code from the body: it might want the same lock.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Waits until the body returns a value, asking again after each ``wakeAll()``.
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

  /// Waits until the body returns a value, asking again after each ``wakeAll()``, but no longer than told.
  ///
  /// The C function is `pthread_cond_timedwait`, on the monotonic clock.
  ///
  /// - Returns: nothing when the time is up first.
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

  /// Lets every waiter ask again.
  ///
  /// The C function is `pthread_cond_broadcast`.
  public func wakeAll() { pthread_cond_broadcast(condition) }
}
