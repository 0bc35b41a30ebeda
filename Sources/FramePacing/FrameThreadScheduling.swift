import CPlatform
import Glibc

/// What the kernel grants the thread that draws beside other programs.
///
/// On a machine whose processors are all in use, a thread that wakes waits until the scheduler takes a processor from
/// another. With a short slice it is first in that line (earliest eligible virtual deadline first, Linux 6.12 and later),
/// and still gets no more of a processor than any other thread. Needs no privileges.
public struct FrameThreadScheduling: Hashable, Sendable, CustomStringConvertible {
  /// What became of the request for a short slice.
  public enum Slice: Hashable, Sendable {
    /// The kernel gives the thread slices of this length.
    case granted(FrameDuration)
    /// The kernel takes no requests for slices: it is older than Linux 6.12.
    case unknown
    /// The thread is of another class than the ordinary ones, such as real time, and was left as it is.
    case notRequested
    /// The call failed with this error number, as in containers that filter it.
    case refused(Int32)
  }

  /// The slice that is asked for: the shortest that the kernel gives.
  public static let requestedSlice = FrameDuration(nanoseconds: 100_000)

  /// What became of the request.
  public let slice: Slice
  /// The kernel's number of the thread.
  public let thread: Int32

  /// Asks for a short slice for the calling thread.
  ///
  /// Threads and processes that it starts later have the usual one. The C functions are `sched_setattr`, with
  /// `sched_runtime`, and `sched_getattr`. Nothing else changes where the kernel refuses.
  public init() { self.init(thread: platform_thread_id()) }

  /// Asks for a short slice for a thread of this process.
  ///
  /// - Parameter thread: the kernel's number of the thread.
  public init(thread: Int32) {
    self.thread = thread
    let wanted = FrameThreadScheduling.requestedSlice
    let status = platform_request_slice(thread, UInt64(wanted.nanoseconds))
    // Older kernels accept the call and ignore the length: what counts is what the thread has then.
    let granted = platform_slice(thread)
    slice =
      status < 0
      ? .notRequested : status > 0 ? .refused(status) : granted == wanted.nanoseconds ? .granted(wanted) : .unknown
  }

  /// The thread's niceness now: below 0 it gets more of a processor than others do.
  ///
  /// The C function is `getpriority`.
  public var niceness: Int { Int(platform_niceness(thread)) }

  /// What was granted, in words.
  public var description: String {
    switch slice {
    case .granted(let length): "slices of \(length.milliseconds) ms"
    case .unknown: "usual slices (this kernel takes no requests; Linux 6.12 does)"
    case .notRequested: "no slices (the thread is not of an ordinary class)"
    case .refused(let status): "usual slices (sched_setattr: \(String(cString: strerror(status))))"
    }
  }
}
