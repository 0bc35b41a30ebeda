import FramePacing
import Threads

/// How long the end of a program may wait for its disk, in sum: whoever waits takes from what is left for the others.
///
/// The time begins with the first question. Safe from any thread.
public final class ClosingTime: Sendable {
  private let limit: Duration
  private let watch = Lock<Stopwatch?>(nil)

  /// The time that is there for all.
  public init(_ limit: Duration = .milliseconds(500)) { self.limit = limit }

  /// What is left of it; never less than none.
  public var rest: Duration {
    let elapsed = watch.withLock { watch in
      let running = watch ?? Stopwatch()
      watch = running
      return running.elapsed
    }
    return max(.zero, limit - .nanoseconds(elapsed.nanoseconds))
  }
}
