import FramePacing
import Threads

/// Blocks a thread that has no event loop until another one wakes it.
final class BlockingWaker: LoopWaker, Sendable {
  private let isSignaled = Lock(false)

  nonisolated init() {}

  /// Lets a waiter go, or the next one at once.
  nonisolated func wake() {
    isSignaled.withLock { $0 = true }
    isSignaled.wakeAll()
  }

  /// Waits until somebody woke it since the last wait.
  nonisolated func wait() {
    isSignaled.wait { isRung -> Void? in
      guard isRung else { return nil }
      isRung = false
      return ()
    }
  }
}
