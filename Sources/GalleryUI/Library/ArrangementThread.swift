import Synchronization
import VitrineDiffableData
import VitrinePhotoLibrary
import VitrineThreads

/// A background thread for arrangements that take longer than a frame, one task at a time, and the settings of other work
/// on the library in the background.
package nonisolated final class ArrangementThread: Sendable {
  private let task = Lock<BackgroundTask<ArrangedLibrary>?>(nil)
  private let waitsForResults: Bool
  private let wake: @Sendable () -> Void

  /// Creates an idle arrangement thread.
  ///
  /// - Parameters:
  ///   - waitsForResults: Whether the frame after the start of a task waits for its result, so that equal runs show
  ///     equal frames.
  ///   - wake: A closure that is called on the thread when a task is done.
  package init(waitsForResults: Bool, wake: @escaping @Sendable () -> Void) {
    self.waitsForResults = waitsForResults
    self.wake = wake
  }

  /// Starts a task.
  ///
  /// - Returns: False if the last result has not been taken, or if the system cannot create a thread.
  func start(_ body: @escaping @Sendable () -> ArrangedLibrary) -> Bool {
    guard (task.withLock { $0 }) == nil, let next = makeTask({ _ in body() }) else { return false }
    task.withLock { $0 = next }
    return true
  }

  /// Starts a task that is independent of the others, on a thread of its own.
  ///
  /// - Parameter body: The work. Its argument returns whether the task was cancelled.
  /// - Returns: The task, or nil if the system cannot create a thread.
  func makeTask<Result: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> Result
  ) -> BackgroundTask<Result>? {
    BackgroundTask(waitsForResult: waitsForResults, wake: wake, body)
  }

  /// Whether ``takeResult()`` returns a result.
  var hasResult: Bool { task.withLock { $0 }?.hasResult ?? false }

  /// Takes the result of the task, and waits for it if results are waited for.
  ///
  /// - Returns: The result, or nil if there is none.
  func takeResult() -> ArrangedLibrary? {
    guard let result = (task.withLock { $0 })?.takeResult() else { return nil }
    task.withLock { $0 = nil }
    return result
  }
}

/// A computation on a thread of its own, which can be cancelled.
nonisolated final class BackgroundTask<Result: Sendable>: Sendable {
  private let result = Lock<Result?>(nil)
  private let isCancelled = Atomic<Bool>(false)
  private let waitsForResult: Bool

  /// Starts a task, or returns nil if the system cannot create a thread.
  ///
  /// - Parameters:
  ///   - waitsForResult: Whether ``takeResult()`` waits for the result.
  ///   - wake: A closure that is called on the thread when the task is done, unless it was cancelled.
  ///   - body: The work. Its argument returns whether the task was cancelled.
  fileprivate init?(
    waitsForResult: Bool, wake: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> Result
  ) {
    self.waitsForResult = waitsForResult
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "arrange") { [self] in
        let made = body { isCancelled.load(ordering: .relaxed) }
        result.withLock { $0 = made }
        result.wakeAll()
        if !isCancelled.load(ordering: .relaxed) { wake() }
      }
      // The thread does not have to be joined at exit: it only accesses memory.
      thread.detach()
    } catch {
      return nil
    }
  }

  /// Cancels the task, whose result is of no interest.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Whether ``takeResult()`` returns the result.
  var hasResult: Bool { waitsForResult || result.withLock { $0 != nil } }

  /// Returns the result, and waits for it if results are waited for.
  ///
  /// - Returns: The result, or nil if the task is not done.
  func takeResult() -> Result? { hasResult ? result.wait { $0 } : nil }
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
