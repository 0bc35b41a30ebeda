import Threads

/// Arranges what takes longer than a frame on a thread of its own, one task at a time.
public nonisolated final class ArrangementThread: Sendable {
  private enum Progress: Sendable {
    case idle
    case busy
    case done(ArrangedLibrary)
  }

  private let progress = Lock(Progress.idle)
  private let waitsForResults: Bool
  private let wake: @Sendable () -> Void

  /// Makes one that has nothing to do.
  ///
  /// - Parameters:
  ///   - isWaitedFor: whether a task is done in the frame after the one that began it, however long that takes, so that
  ///     equal runs show equal frames.
  ///   - wake: called from the thread when a task is done.
  public init(waitsForResults: Bool, wake: @escaping @Sendable () -> Void) {
    self.waitsForResults = waitsForResults
    self.wake = wake
  }

  /// Begins a task.
  ///
  /// - Returns: false where the last one was not taken yet, or the system has no thread to give.
  func start(_ task: @escaping @Sendable () -> ArrangedLibrary) -> Bool {
    guard case .idle = (progress.withLock { $0 }) else { return false }
    progress.withLock { $0 = .busy }
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "arrange") { [progress, wake] in
        let arranged = task()
        progress.withLock { $0 = .done(arranged) }
        progress.wakeAll()
        wake()
      }
      // Nobody needs to wait for it in the end: it touches nothing but memory.
      thread.detach()
      return true
    } catch {
      progress.withLock { $0 = .idle }
      return false
    }
  }

  /// Whether it has nothing to do, and nothing that was not taken.
  var isIdle: Bool {
    if case .idle = (progress.withLock { $0 }) { true } else { false }
  }

  /// Whether ``take()`` has something to return.
  var hasResult: Bool {
    progress.withLock {
      switch $0 {
      case .idle: false
      case .busy: waitsForResults
      case .done: true
      }
    }
  }

  /// Takes what was arranged; waits for it where it is waited for.
  func takeResult() -> ArrangedLibrary? {
    guard hasResult else { return nil }
    return progress.wait { progress -> ArrangedLibrary? in
      guard case .done(let arranged) = progress else { return nil }
      progress = .idle
      return arranged
    }
  }
}
