public import FramePacing
import Threads

/// A waker that a test can wait for.
public final class TestWaker: LoopWaker {
  private let wakes = Lock(0)

  /// Nobody has woken it.
  public init() {}

  /// How often it was woken and the test has not waited for it.
  public var pendingWakes: Int { wakes.withLock { $0 } }

  /// Lets a test that waits go on.
  public func wake() {
    wakes.withLock { $0 += 1 }
    wakes.wakeAll()
  }

  /// Waits until it is woken, and forgets that it was.
  ///
  /// - Parameter what: what is waited for, for the error.
  /// - Throws: ``TookTooLong``.
  public func wait(for what: String) throws {
    try wakes.wait(for: what) { count -> Void? in
      guard count > 0 else { return nil }
      count = 0
      return ()
    }
  }
}
