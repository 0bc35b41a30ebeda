import FramePacing
import TestSupport
import Threads

/// A waker that a test can wait for.
nonisolated final class CountingWaker: LoopWaker {
  private let wakes = Lock(0)

  func wake() {
    wakes.withLock { $0 += 1 }
    wakes.wakeAll()
  }

  /// Waits until it is woken, and forgets that it was.
  func wait(for what: String) throws {
    try wakes.wait(for: what) { count -> Void? in
      guard count > 0 else { return nil }
      count = 0
      return ()
    }
  }
}
