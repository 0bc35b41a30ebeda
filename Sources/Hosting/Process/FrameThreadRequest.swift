import VitrineFramePacing
import VitrineSDLBackend
import VitrineThreads

/// A request to the system for the scheduling of the drawing thread on a busy machine: a short time slice from the
/// kernel and a higher priority from the kernel or RealtimeKit.
///
/// The slice is granted immediately. The priority is granted by another process and is requested on a separate thread.
nonisolated final class FrameThreadRequest: Sendable, CustomStringConvertible {
  /// The requested niceness, which desktops also grant to sound servers.
  private static let niceness: Int32 = -11

  private let scheduling: FrameThreadScheduling
  private let isRequested: Bool
  /// Whether the priority was granted, or nil if it was not requested or the reply is pending.
  private let isPriorityGranted: Lock<Bool?>
  /// The thread that waits for the reply, or nil if nothing was requested.
  private let thread: WorkerThread?

  /// Requests scheduling for the calling thread, which must be the drawing thread.
  init() {
    let scheduling = FrameThreadScheduling()
    let granted = Lock<Bool?>(nil)
    self.scheduling = scheduling
    self.isPriorityGranted = granted
    // A program that was started with a positive niceness or in another scheduling class keeps it.
    isRequested = scheduling.niceness <= 0 && scheduling.slice != .notRequested
    guard isRequested else {
      thread = nil
      return
    }
    thread = try? WorkerThread(name: "priority") {
      let isGranted = ThreadPriority.raisePriority(to: FrameThreadRequest.niceness, thread: scheduling.thread)
      // RealtimeKit sets the thread's class again, which resets the slice on some kernels.
      if isGranted { _ = FrameThreadScheduling(thread: scheduling.thread) }
      granted.withLock { $0 = isGranted }
      granted.wakeAll()
    }
    if thread == nil { granted.withLock { $0 = false } }
  }

  /// Waits for pending requests.
  ///
  /// The owner calls this once, before SDL is closed.
  func end() { thread?.join() }

  /// A description of the scheduling granted so far.
  var description: String { makeDescription(isGranted: isPriorityGranted.withLock { $0 }) }

  /// A description of the granted scheduling.
  ///
  /// Waits for the reply for at most one second.
  var awaitedDescription: String {
    guard isRequested else { return description }
    return makeDescription(isGranted: isPriorityGranted.wait(atMost: .seconds(1)) { $0.map { .some($0) } } ?? nil)
  }

  private func makeDescription(isGranted: Bool?) -> String {
    guard isRequested else {
      return "\(scheduling), niceness \(scheduling.niceness) as started (no change was requested)"
    }
    let priority =
      switch isGranted {
      case true?: "niceness \(scheduling.niceness)"
      case false?: "niceness \(scheduling.niceness) (neither the kernel nor RealtimeKit grants more)"
      case nil: "niceness \(scheduling.niceness) (RealtimeKit has not answered yet)"
      }
    return "\(scheduling), \(priority)"
  }
}
