public import Threads

/// Looks at places that a user gave on a thread of its own, as one of them may be on a disk that sleeps or on a network that
/// is gone.
///
/// Letting go of it gives the outcome up; the thread ends when the system has answered, and nobody waits for it.
public final class LibraryPathCheck: Sendable {
  private let outcome = Lock<Result<LibraryRoots, LibraryError>?>(nil)

  /// Begins.
  ///
  /// - Parameters:
  ///   - paths: the bytes of the paths.
  ///   - wake: called from the thread once there is an outcome.
  /// - Throws: `ThreadError` where the system has no thread to give.
  public init(_ paths: [[UInt8]], wake: @escaping @Sendable () -> Void) throws(ThreadError) {
    let thread = try WorkerThread(name: "open") { [outcome] in
      let checked = Result { () throws(LibraryError) in try LibraryRoots(checking: paths) }
      outcome.withLock { $0 = checked }
      wake()
    }
    thread.detach()
  }

  /// What the places are, or which of them cannot be opened; nothing while that is not known.
  public var result: Result<LibraryRoots, LibraryError>? { outcome.withLock { $0 } }
}
