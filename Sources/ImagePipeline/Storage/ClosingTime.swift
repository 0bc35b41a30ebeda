import FramePacing
import Threads

/// How long the end of a program may wait for file systems, in sum: each wait takes from what is left for the others.
///
/// The time begins with the first question. Safe from any thread.
public final class ShutdownBudget: Sendable {
  private let limit: Duration
  private let watch = Lock<Stopwatch?>(nil)

  /// The time that is there for all.
  public init(_ limit: Duration = .milliseconds(500)) { self.limit = limit }

  /// What is left of it; never less than none.
  public var remaining: Duration {
    let elapsed = watch.withLock { watch in
      let running = watch ?? Stopwatch()
      watch = running
      return running.elapsed
    }
    return max(.zero, limit - .nanoseconds(elapsed.nanoseconds))
  }

  /// Runs a body on a thread of its own and waits for its end, as long as there is time; then the thread is detached.
  ///
  /// For what touches a file system that may not answer.
  ///
  /// - Returns: whether the body has returned; false as well where the system has no thread to give.
  @discardableResult
  public func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = try? WorkerThread(name: "closing", body) else { return false }
    return thread.join(within: remaining)
  }
}
