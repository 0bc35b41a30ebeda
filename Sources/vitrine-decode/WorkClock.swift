import Glibc

/// Measures how long a request takes, and lets it take longer.
struct RequestTimer {
  private let start = RequestTimer.now()

  /// Microseconds since the clock was made.
  var microseconds: UInt32 { UInt32(clamping: RequestTimer.now() - start) }

  /// Waits for so many microseconds.
  ///
  /// The C function is `nanosleep`.
  static func wait(microseconds: UInt32) {
    guard microseconds > 0 else { return }
    var wanted = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    var left = timespec()
    while nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
