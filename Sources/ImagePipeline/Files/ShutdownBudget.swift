import Glibc
package import VitrineFramePacing
import VitrineThreads

/// A time limit shared by all waits for file systems at the end of a program.
///
/// The time starts with the first access to ``remaining``. Thread-safe.
public final class ShutdownBudget: Sendable {
  private let limit: Duration
  private let watch = Lock<Stopwatch?>(nil)

  /// Creates a budget.
  public init(_ limit: Duration = .milliseconds(500)) { self.limit = limit }

  /// The remaining time, never negative.
  public var remaining: Duration {
    let elapsed = watch.withLock { watch in
      let running = watch ?? Stopwatch()
      watch = running
      return running.elapsed
    }
    return max(.zero, limit - .nanoseconds(elapsed.nanoseconds))
  }

  /// Runs a closure on a separate thread and waits for it within the remaining time; after that the thread is detached.
  ///
  /// For operations on a file system that may not answer.
  ///
  /// - Returns: Whether the closure has returned; false also if the system has no thread available.
  @discardableResult
  public func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = try? WorkerThread(name: "closing", body) else { return false }
    return thread.join(within: remaining)
  }
}

/// A stopwatch that measures real time.
///
/// The C function is `clock_gettime` with CLOCK_MONOTONIC.
package struct Stopwatch: Sendable {
  private let start = Stopwatch.now

  /// Starts a stopwatch.
  package init() {}

  /// The time since the stopwatch was created.
  package var elapsed: FrameDuration { FrameDuration(nanoseconds: Stopwatch.now - start) }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
