import FramePacing
import Threads

/// Blocks a thread that has no event loop until another one wakes it.
final class Bell: LoopWaker, Sendable {
  private let isRung = Lock(false)

  nonisolated init() {}

  /// Lets a waiter go, or the next one at once.
  nonisolated func wake() {
    isRung.withLock { $0 = true }
    isRung.wakeAll()
  }

  /// Waits until somebody woke it since the last wait.
  nonisolated func wait() {
    isRung.wait { isRung -> Void? in
      guard isRung else { return nil }
      isRung = false
      return ()
    }
  }
}
