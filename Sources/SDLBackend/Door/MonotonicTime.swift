import CPlatform
import FramePacing
import Glibc

/// The system's clock that is never set, CLOCK_MONOTONIC.
nonisolated enum MonotonicTime {
  /// This moment; the C function is `clock_gettime`.
  static var now: FrameInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return FrameInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Sleeps for less than a second, or until a signal comes; the C function is `clock_nanosleep`.
  static func sleep(nanoseconds: Int64) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(max(0, min(999_999_999, nanoseconds))))
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
  }
}
