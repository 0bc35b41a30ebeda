import CVitrinePlatform
import Glibc
import Synchronization

/// An operating system thread for blocking or long-running work, such as decoding, file access and sockets.
///
/// Blocking work would starve the cooperative pool. A thread that shares a lock with the render thread keeps the
/// default priority: with a lower one it could be preempted while it holds the lock.
public final class WorkerThread: @unchecked Sendable {
  // @unchecked: `handle` is written in the initializer; only join(), join(within:) and detach() access it and
  // `isJoined`, and the owner calls these from one thread at a time.
  private var handle: pthread_t
  private var isJoined = false

  /// Starts a thread.
  ///
  /// The C functions are `pthread_create` and `setpriority`.
  ///
  /// - Parameters:
  ///   - name: The name that debuggers and traces show; the kernel stores 15 bytes.
  ///   - stackBytes: The stack size in bytes. Default: 512 KiB.
  ///   - isLowPriority: Whether the thread yields to the render thread; only for threads that share no lock with it.
  ///     Default: false.
  ///   - body: The closure to run on the thread.
  /// - Throws: ``ThreadError`` if the system cannot create a thread.
  public init(
    name: String, stackBytes: Int = 1 << 19, isLowPriority: Bool = false, _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let start = Unmanaged.passRetained(StartContext(name: name, isLowPriority: isLowPriority, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, max(stackBytes, 1 << 16))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, { WorkerThread.runThread($0) }, start.toOpaque())
    handle = thread
    guard status == 0 else {
      start.release()
      throw ThreadError(status: status)
    }
  }

  /// Waits until the closure has returned.
  ///
  /// The C function is `pthread_join`. Call it once, from the owner.
  public func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(handle, nil)
  }

  /// Waits until the closure has returned or a time limit expires, and detaches a thread that has not ended by then.
  ///
  /// Meant for program exit, which an unresponsive file system must not delay. The C function is
  /// `pthread_clockjoin_np`. Call it once, from the owner, instead of ``join()``.
  ///
  /// - Parameter limit: The maximum time to wait.
  /// - Returns: Whether the closure has returned.
  @discardableResult
  public func join(within limit: Duration) -> Bool {
    guard !isJoined else { return true }
    isJoined = true
    let (seconds, attoseconds) = max(.zero, limit).components
    if platform_join_thread(handle, seconds * 1_000_000_000 + attoseconds / 1_000_000_000) == 0 { return true }
    pthread_detach(handle)
    return false
  }

  /// Detaches the thread, which frees its resources when it ends.
  ///
  /// The C function is `pthread_detach`. Call it once, from the owner, instead of ``join()``.
  public func detach() {
    guard !isJoined else { return }
    isJoined = true
    pthread_detach(handle)
  }

  private static func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<StartContext>.fromOpaque(argument).takeRetainedValue()
    platform_set_thread_name(start.name)
    if start.isLowPriority { platform_lower_thread_priority() }
    start.body()
    return nil
  }

  private final class StartContext {
    let name: String
    let isLowPriority: Bool
    let body: @Sendable () -> Void

    init(name: String, isLowPriority: Bool, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.isLowPriority = isLowPriority
      self.body = body
    }
  }
}

/// An error that indicates that the system could not create a thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number that `pthread_create` returned.
  public let status: Int32

  /// A description of the error and its remedy.
  public var description: String {
    "the system gives no further thread (pthread_create: \(status)); raise the limit on threads (ulimit -u)"
  }
}

/// A counter of decodes on the render thread, where none should happen.
///
/// Create it on that thread. Code that calls a decoder, for images or color emoji, calls ``recordDecode()`` immediately
/// before.
///
/// - Complexity: One system call per query.
package final class RenderThreadDecodeCounter: Sendable {
  /// The kernel's identifier of the render thread.
  package let renderThread: Int32
  private let count = Atomic(0)

  /// Creates a counter and records the calling thread as the render thread.
  package init() { renderThread = platform_thread_id() }

  /// A Boolean value that indicates whether the calling thread is the render thread.
  package var isOnRenderThread: Bool { platform_thread_id() == renderThread }

  /// Counts a decode if the calling thread is the render thread.
  package func recordDecode() {
    if isOnRenderThread { count.wrappingAdd(1, ordering: .relaxed) }
  }

  /// The number of decodes on the render thread.
  package var decodeCount: Int { count.load(ordering: .relaxed) }
}
