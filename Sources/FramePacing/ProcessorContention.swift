import CPlatform
import Glibc

/// How long the thread that draws was ready to run and had no processor, and what this program's own workers ran
/// meanwhile.
public struct ProcessorContention: Hashable, Sendable {
  /// How long the thread waited for a processor.
  public var waited = FrameDuration.zero
  /// The processor time that other threads of the process, and processes that work for it, used.
  public var ownWork = FrameDuration.zero

  /// No contention.
  public init() {}

  /// Contention of known lengths.
  public init(waited: FrameDuration, ownWork: FrameDuration) {
    self.waited = waited
    self.ownWork = ownWork
  }
}

/// Reads ``ProcessorContention`` from the kernel, from one reading to the next.
///
/// Used by the thread that runs the frame loop and by no other.
public final class ContentionMeter {
  private let schedule: Int32
  private let workers: () -> FrameDuration
  private var last: (waited: Int64, worked: Int64)?

  /// Makes a meter for the calling thread.
  ///
  /// The C function is `open`, of `/proc/thread-self/schedstat`.
  ///
  /// - Parameter workers: the processor time that processes which work for this one have used so far; read once a frame,
  ///   and must not allocate.
  /// - Returns: nil where the kernel does not count how long threads wait.
  public init?(workers: @escaping () -> FrameDuration) {
    schedule = platform_open_schedule()
    self.workers = workers
    guard schedule >= 0, platform_read_run_delay(schedule) >= 0 else { return nil }
  }

  deinit {
    if schedule >= 0 { close(schedule) }
  }

  /// The contention since the last reading; zero for the first.
  ///
  /// Allocates nothing. The C functions are `pread` and `clock_gettime`.
  public func read() -> ProcessorContention {
    let waited = platform_read_run_delay(schedule)
    // What the calling thread ran itself is nobody's contention.
    let threads = platform_own_processor_time() - ThreadTime.now().nanoseconds
    let worked = threads + workers().nanoseconds
    guard waited >= 0 else { return ProcessorContention() }
    defer { last = (waited, worked) }
    guard let last else { return ProcessorContention() }
    // A worker process that ended takes what it had used with it.
    return ProcessorContention(
      waited: FrameDuration(nanoseconds: max(0, waited - last.waited)),
      ownWork: FrameDuration(nanoseconds: max(0, worked - last.worked)))
  }
}
