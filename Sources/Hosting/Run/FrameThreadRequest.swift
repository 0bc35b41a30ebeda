import FramePacing
import SDLBackend
import Threads

/// Asks the system for what the thread that draws needs beside busy programs: a short slice from the kernel, and a higher
/// priority from the kernel or RealtimeKit.
///
/// The slice is there at once; the priority comes from another process and is asked for on a thread of its own.
nonisolated final class FrameThreadRequest: Sendable, CustomStringConvertible {
  /// What is asked for: as much as desktops give their sound servers.
  private static let niceness: Int32 = -11

  private let scheduling: FrameThreadScheduling
  private let isRequested: Bool
  /// Whether the priority was granted; nil until that is known, and where it was not asked for.
  private let isPriorityGranted: Lock<Bool?>
  /// What waits for the answer; nil where nothing is asked.
  private let thread: WorkerThread?

  /// Asks for the calling thread, which is the one that draws.
  init() {
    let scheduling = FrameThreadScheduling()
    let isRaised = Lock<Bool?>(nil)
    self.scheduling = scheduling
    self.isPriorityGranted = isRaised
    // A program that was started with a positive niceness or in another class is to stay so.
    isRequested = scheduling.niceness <= 0 && scheduling.slice != .notRequested
    guard isRequested else {
      thread = nil
      return
    }
    thread = try? WorkerThread(name: "priority") {
      let isGranted = ThreadPriority.raisePriority(to: FrameThreadRequest.niceness, thread: scheduling.thread)
      // RealtimeKit sets the thread's class once more, which on some kernels loses the slice.
      if isGranted { _ = FrameThreadScheduling(thread: scheduling.thread) }
      isRaised.withLock { $0 = isGranted }
      isRaised.wakeAll()
    }
    if thread == nil { isRaised.withLock { $0 = false } }
  }

  /// Waits until nothing is asked any more, before SDL is closed; once, from the owner.
  func end() { thread?.join() }

  /// What was granted so far, in words.
  var description: String { makeDescription(isGranted: isPriorityGranted.withLock { $0 }) }

  /// What was granted, in words; waits for the answer, a second at most.
  var awaitedDescription: String {
    guard isRequested else { return description }
    return makeDescription(isGranted: isPriorityGranted.wait(atMost: .seconds(1)) { $0.map { .some($0) } } ?? nil)
  }

  private func makeDescription(isGranted isRaised: Bool?) -> String {
    guard isRequested else {
      return "\(scheduling), niceness \(scheduling.niceness) as started (no more was asked for)"
    }
    let priority =
      switch isRaised {
      case true?: "niceness \(scheduling.niceness)"
      case false?: "niceness \(scheduling.niceness) (neither the kernel nor RealtimeKit grants more)"
      case nil: "niceness \(scheduling.niceness) (RealtimeKit has not answered yet)"
      }
    return "\(scheduling), \(priority)"
  }
}
