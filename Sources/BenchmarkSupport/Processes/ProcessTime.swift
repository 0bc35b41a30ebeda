import Glibc

/// The processor time of this process.
public enum ProcessTime {
  /// User's and system's time of all threads so far, in nanoseconds.
  ///
  /// The C function is `clock_gettime` with `CLOCK_PROCESS_CPUTIME_ID`.
  public static var now: Int {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// User's and system's time of all child processes that have ended, in nanoseconds.
  ///
  /// The C function is `getrusage` with `RUSAGE_CHILDREN`.
  public static var ofChildren: Int {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Int($1.tv_sec) * 1_000_000_000 + Int($1.tv_usec) * 1_000
    }
  }
}
