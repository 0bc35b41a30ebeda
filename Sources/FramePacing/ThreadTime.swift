import CPlatform
import Glibc

/// Readings of the kernel's clocks.
public enum ThreadTime {
  /// The processor time that the calling thread has used.
  ///
  /// The C function is `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`.
  public static func now() -> FrameInstant { read(CLOCK_THREAD_CPUTIME_ID) }

  /// A moment with what the calling thread has used, and how often it has waited.
  ///
  /// The C functions are `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`, and `getrusage` with `RUSAGE_THREAD`.
  static func workTimestamp(at instant: FrameInstant) -> WorkTimestamp {
    WorkTimestamp(at: instant, processor: now(), blockings: platform_thread_waits())
  }

  static func read(_ clock: clockid_t) -> FrameInstant {
    var time = timespec()
    clock_gettime(clock, &time)
    return FrameInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
