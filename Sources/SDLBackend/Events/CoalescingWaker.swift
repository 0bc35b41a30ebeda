import FramePacing
import Glibc
import Synchronization

/// Wakes a loop from any thread; wakes that come before the loop has noticed the first are one.
///
/// Threads may keep it after the display is closed: it does nothing then.
nonisolated final class CoalescingWaker: LoopWaker {
  private let signal: @Sendable () -> Void
  private let isRaised = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private let activeCallers = Atomic<Int>(0)

  /// Makes a waker whose signal ends the loop's wait.
  init(signal: @escaping @Sendable () -> Void) { self.signal = signal }

  /// Ends the loop's wait, or the next one.
  func wake() {
    activeCallers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { activeCallers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    guard !isClosed.load(ordering: .sequentiallyConsistent) else { return }
    if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { signal() }
  }

  /// Notes that the loop is awake: after the signal was taken away, and before the loop looks for what it was woken for.
  func acknowledgeWake() { _ = isRaised.exchange(false, ordering: .acquiringAndReleasing) }

  /// Whether a wake-up has not been noticed yet.
  var isPending: Bool { isRaised.load(ordering: .acquiring) }

  /// Makes every later wake do nothing, and waits for those under way, which takes microseconds.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    while activeCallers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}
