import FramePacing
import Glibc

/// Measures how long something took on this machine.
///
/// The C function is `clock_gettime` with CLOCK_MONOTONIC.
struct Stopwatch {
  private let start = Stopwatch.now

  /// The time since the stopwatch was made.
  var elapsed: FrameDuration { FrameDuration(nanoseconds: Stopwatch.now - start) }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
