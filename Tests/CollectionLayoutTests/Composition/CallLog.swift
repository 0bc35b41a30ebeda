import Synchronization

/// What a closure was called with, in order.
final class CallLog: Sendable {
  private let calls = Mutex<[Int]>([])

  /// Notes a call.
  func add(_ call: Int) { calls.withLock { $0.append(call) } }

  /// What was noted since it was last asked.
  func take() -> [Int] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}
