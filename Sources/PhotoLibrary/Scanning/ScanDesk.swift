import Synchronization
import Threads

/// Where the threads of a scan and its owner meet.
final class SynchronizedScanMailbox: Sendable {
  private struct State: Sendable {
    var mailbox = ScanMailbox()
    /// Whether the owner was woken and has not looked since.
    var isWoken = false
  }

  private let state = Lock(State())
  private let stopFlag = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// Makes a desk.
  ///
  /// - Parameter wake: told, from any thread, that there is something to take; once until the owner has looked.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether the threads are to leave.
  var isStopped: Bool { stopFlag.load(ordering: .relaxed) }

  /// Hands over what the walk reports.
  func post(_ event: LibraryEvent) { updateMailbox { $0.post(event) } }

  /// Waits for photographs to read; an empty list when there are no more.
  func waitForUnreadPhotos(atMost count: Int) -> [FoundPhoto] {
    state.wait { $0.mailbox.takeUnreadPhotos(atMost: count) }
  }

  /// Tells the threads to leave, and everybody who waits that nothing more will come.
  func stop() {
    stopFlag.store(true, ordering: .relaxed)
    updateMailbox { $0.stop() }
  }

  /// Whether something can be taken.
  var hasEvents: Bool { state.withLock { $0.mailbox.hasEvents } }

  /// Takes what is there.
  func takeEvents(atMost count: Int) -> [LibraryEvent] {
    state.withLock {
      $0.isWoken = false
      return $0.mailbox.takeEvents(atMost: count)
    }
  }

  /// Waits for the next batch.
  func waitForBatch(of count: Int) -> [LibraryEvent] {
    state.wait {
      $0.isWoken = false
      return $0.mailbox.takeBatch(of: count)
    }
  }

  /// Changes the mailbox and wakes whoever waits for it.
  private func updateMailbox(_ body: (inout ScanMailbox) -> Void) {
    let isNews = state.withLock {
      body(&$0.mailbox)
      let wasWoken = $0.isWoken
      $0.isWoken = true
      return !wasWoken
    }
    state.wakeAll()
    if isNews { wake() }
  }
}
