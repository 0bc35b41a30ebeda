import DiffableData
import PhotoLibrary
import Threads

/// A background thread for arrangements that take longer than a frame, one task at a time.
public nonisolated final class ArrangementThread: Sendable {
  private enum Progress: Sendable {
    case idle
    case busy
    case done(ArrangedLibrary)
  }

  private let progress = Lock(Progress.idle)
  private let waitsForResults: Bool
  private let wake: @Sendable () -> Void

  /// Creates an idle arrangement thread.
  ///
  /// - Parameters:
  ///   - waitsForResults: Whether the frame after the start of a task waits for its result, so that equal runs show
  ///     equal frames.
  ///   - wake: A closure that is called on the thread when a task is done.
  public init(waitsForResults: Bool, wake: @escaping @Sendable () -> Void) {
    self.waitsForResults = waitsForResults
    self.wake = wake
  }

  /// Starts a task.
  ///
  /// - Returns: False if the last result has not been taken, or if the system cannot create a thread.
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
      // The thread does not have to be joined at exit: it only accesses memory.
      thread.detach()
      return true
    } catch {
      progress.withLock { $0 = .idle }
      return false
    }
  }

  /// Whether ``takeResult()`` returns a result.
  var hasResult: Bool {
    progress.withLock {
      switch $0 {
      case .idle: false
      case .busy: waitsForResults
      case .done: true
      }
    }
  }

  /// Takes the result of the task, and waits for it if results are waited for.
  ///
  /// - Returns: The result, or nil if there is none.
  func takeResult() -> ArrangedLibrary? {
    guard hasResult else { return nil }
    return progress.wait { progress -> ArrangedLibrary? in
      guard case .done(let arranged) = progress else { return nil }
      progress = .idle
      return arranged
    }
  }
}

/// The result of an arrangement in the background.
nonisolated struct ArrangedLibrary: Sendable {
  /// The snapshot to show.
  var snapshot: DiffableDataSourceSnapshot<GallerySection, PhotoID>
  /// The new arrangement, if it replaces the current one.
  var arrangement: LibraryArrangement?
  /// Whether all photographs were sorted into another order.
  var isSorted = false
}
