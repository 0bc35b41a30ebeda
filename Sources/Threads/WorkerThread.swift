import CPlatform
import Glibc

/// An operating system thread for work that blocks or takes long: decoding, files, sockets.
///
/// Never the cooperative pool, which blocking work would starve. A thread that shares a lock with the thread that draws keeps
/// the ordinary priority: one of a lower priority could lose its processor while it holds the lock.
public final class WorkerThread: @unchecked Sendable {
  // @unchecked: `handle` is written in the initialiser; it and `isJoined` are touched by join(), join(within:) and detach()
  // alone, which the owner calls from one thread at a time.
  private var handle: pthread_t
  private var isJoined = false

  /// Starts a thread.
  ///
  /// The C functions are `pthread_create` and `setpriority`.
  ///
  /// - Parameters:
  ///   - name: what debuggers and traces show; the kernel keeps 15 bytes.
  ///   - stackBytes: the size of the stack in bytes. Default: 512 KiB.
  ///   - isLowPriority: whether the thread yields to those that draw; only for a thread that shares no lock with these.
  ///     Default: false.
  ///   - body: what it runs.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
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

  /// Waits until the body has returned.
  ///
  /// The C function is `pthread_join`. Call it once, from the owner.
  public func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(handle, nil)
  }

  /// Waits until the body has returned, but no longer than a limit; a thread that has not ended by then is detached.
  ///
  /// For the end of a program, which a file system that does not answer must not hold up. The C function is
  /// `pthread_clockjoin_np`. Call it once, from the owner, in place of ``join()``.
  ///
  /// - Parameter limit: how long to wait at most.
  /// - Returns: whether the body has returned.
  @discardableResult
  public func join(within limit: Duration) -> Bool {
    guard !isJoined else { return true }
    isJoined = true
    let (seconds, attoseconds) = max(.zero, limit).components
    if platform_join_thread(handle, seconds * 1_000_000_000 + attoseconds / 1_000_000_000) == 0 { return true }
    pthread_detach(handle)
    return false
  }

  /// Lets the thread end by itself, and its memory go with it.
  ///
  /// The C function is `pthread_detach`. Call it once, from the owner, in place of ``join()``.
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
