import CVitrinePlatform
import Glibc

/// The scheduling parameters that the kernel grants the render thread.
///
/// On a fully loaded machine a woken thread waits until the scheduler takes a processor from another. With a short
/// slice it is first in that queue (earliest eligible virtual deadline first, Linux 6.12 and later), without receiving
/// more processor time than any other thread. Requires no privileges.
public struct FrameThreadScheduling: Hashable, Sendable, CustomStringConvertible {
  /// The result of a request for a short slice.
  public enum Slice: Hashable, Sendable {
    /// The kernel grants the thread slices of this length.
    case granted(FrameDuration)
    /// The kernel ignores requests for slices: it is older than Linux 6.12.
    case unknown
    /// The thread has another scheduling class than the ordinary ones, such as real time, and was left unchanged.
    case notRequested
    /// The call failed with this error number, as in containers that filter it.
    case refused(Int32)
  }

  /// The requested slice: the shortest that the kernel grants.
  public static let requestedSlice = FrameDuration(nanoseconds: 100_000)

  /// The result of the request.
  public let slice: Slice
  /// The kernel's identifier of the thread.
  public let thread: Int32

  /// Requests a short slice for the calling thread.
  ///
  /// Threads and processes that it starts later have the default slice. The C functions are `sched_setattr`, with
  /// `sched_runtime`, and `sched_getattr`. A refused request changes nothing.
  public init() { self.init(thread: platform_thread_id()) }

  /// Requests a short slice for a thread of this process.
  ///
  /// - Parameter thread: The kernel's identifier of the thread.
  public init(thread: Int32) {
    self.thread = thread
    let requested = FrameThreadScheduling.requestedSlice
    let status = platform_request_slice(thread, UInt64(requested.nanoseconds))
    // Older kernels accept the call and ignore the length, so the resulting slice decides.
    let granted = platform_slice(thread)
    slice =
      status < 0
      ? .notRequested
      : status > 0 ? .refused(status) : granted == requested.nanoseconds ? .granted(requested) : .unknown
  }

  /// The current niceness of the thread; below 0 it receives more processor time than others.
  ///
  /// The C function is `getpriority`.
  public var niceness: Int { Int(platform_niceness(thread)) }

  /// A description of the granted slice.
  public var description: String {
    switch slice {
    case .granted(let length): "slices of \(length.milliseconds) ms"
    case .unknown: "usual slices (this kernel takes no requests; Linux 6.12 does)"
    case .notRequested: "no slices (the thread is not of an ordinary class)"
    case .refused(let status): "usual slices (sched_setattr: \(String(cString: strerror(status))))"
    }
  }
}

// MARK: - Contention

/// The time during which the render thread was ready but had no processor, and the work of the process's own workers in
/// it.
public struct ProcessorContention: Hashable, Sendable {
  /// The time the thread waited for a processor.
  public var waited = FrameDuration.zero
  /// The processor time used by other threads of the process and by its worker processes.
  public var ownWork = FrameDuration.zero

  /// Creates a value without contention.
  public init() {}

  /// Creates a value from its durations.
  public init(waited: FrameDuration, ownWork: FrameDuration) {
    self.waited = waited
    self.ownWork = ownWork
  }
}

/// A meter that reads ``ProcessorContention`` from the kernel between successive calls.
///
/// Confined to the thread that runs the frame loop.
public final class ContentionMeter {
  private let schedule: Int32
  private let workers: () -> FrameDuration
  private var last: (waited: Int64, worked: Int64)?

  /// Creates a meter for the calling thread, or returns nil if the kernel does not measure how long threads wait.
  ///
  /// The C function is `open`, of `/proc/thread-self/schedstat`.
  ///
  /// - Parameter workers: Returns the processor time used so far by worker processes. Called once per frame; must not
  ///   allocate.
  public init?(workers: @escaping () -> FrameDuration) {
    schedule = platform_open_schedule()
    self.workers = workers
    guard schedule >= 0, platform_read_run_delay(schedule) >= 0 else { return nil }
  }

  deinit {
    if schedule >= 0 { close(schedule) }
  }

  /// Returns the contention since the last call; zero for the first call.
  ///
  /// Allocates nothing. The C functions are `pread` and `clock_gettime`.
  public func read() -> ProcessorContention {
    let waited = platform_read_run_delay(schedule)
    // The calling thread's own work is no contention.
    let threads = platform_own_processor_time() - ThreadTime.now().nanoseconds
    let worked = threads + workers().nanoseconds
    guard waited >= 0 else { return ProcessorContention() }
    defer { last = (waited, worked) }
    guard let last else { return ProcessorContention() }
    // A worker process that ended takes its accumulated time with it.
    return ProcessorContention(
      waited: FrameDuration(nanoseconds: max(0, waited - last.waited)),
      ownWork: FrameDuration(nanoseconds: max(0, worked - last.worked)))
  }
}

// MARK: - Thread time

/// Readings of the kernel's thread clocks.
public enum ThreadTime {
  /// Returns the processor time used by the calling thread.
  ///
  /// The C function is `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`.
  public static func now() -> FrameInstant { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Returns a timestamp with the processor time used by the calling thread and the number of its waits.
  ///
  /// The C functions are `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`, and `getrusage` with `RUSAGE_THREAD`.
  static func workTimestamp(at instant: FrameInstant) -> WorkTimestamp {
    WorkTimestamp(at: instant, processor: now(), waitCount: platform_thread_waits())
  }

  static func read(_ clock: clockid_t) -> FrameInstant {
    var time = timespec()
    clock_gettime(clock, &time)
    return FrameInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// A timestamp of a thread's work; two of them yield the cost of the work in between.
public struct WorkTimestamp: Hashable, Sendable {
  /// The shortest interruption of the thread that exceeds the resolution of the readings.
  static let resolution = FrameDuration(nanoseconds: 50_000)

  /// The time on the clock.
  public var instant: FrameInstant
  /// The processor time that the thread had used.
  public var processor: FrameInstant
  /// The number of times the thread had blocked voluntarily.
  public var waitCount: Int

  /// Creates a timestamp on a clock that counts only work.
  public init(at instant: FrameInstant) {
    self.init(at: instant, processor: instant, waitCount: 0)
  }

  /// Creates a timestamp in real time.
  ///
  /// - Parameters:
  ///   - instant: The time on the clock.
  ///   - processor: The processor time that the thread had used.
  ///   - waitCount: The number of times the thread had blocked voluntarily.
  public init(at instant: FrameInstant, processor: FrameInstant, waitCount: Int) {
    self.instant = instant
    self.processor = processor
    self.waitCount = waitCount
  }

  /// Returns the timestamp at a later time, assuming that the thread runs until then.
  func extrapolated(until later: FrameInstant) -> WorkTimestamp {
    WorkTimestamp(at: later, processor: processor + (later - instant), waitCount: waitCount)
  }

  /// Returns the time until a later timestamp in which the thread did not run, because it waited or was preempted.
  public func idleTime(until end: WorkTimestamp) -> FrameDuration {
    max(.zero, (end.instant - instant) - (end.processor - processor))
  }

  /// Returns the time until a later timestamp in which the thread was preempted.
  ///
  /// Zero if the thread also waited: waiting is part of the cost of work, and the two cannot be separated.
  public func preemptedTime(until end: WorkTimestamp) -> FrameDuration {
    guard end.waitCount == waitCount else { return .zero }
    let gap = idleTime(until: end)
    return gap > WorkTimestamp.resolution ? gap : .zero
  }

  /// Returns the cost of the work until a later timestamp: the elapsed time minus preemption.
  public func cost(until end: WorkTimestamp) -> FrameDuration {
    max(.zero, end.instant - instant - preemptedTime(until: end))
  }
}
