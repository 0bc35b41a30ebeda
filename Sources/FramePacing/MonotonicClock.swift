import CPlatform
import Glibc

/// Real time: `CLOCK_MONOTONIC`, with absolute sleeps.
public final class MonotonicClock: FrameClock {
  /// `timer` or `vsync`; the same time, paced by us or by presenting.
  public private(set) var kind: ClockKind
  /// The last mark for which the kernel was asked.
  private var known: WorkTimestamp?

  /// Makes a clock for the calling thread and asks the kernel to wake it on time.
  ///
  /// The C function is `prctl` with `PR_SET_TIMERSLACK`: 1 ns in place of 50 µs.
  public init(kind: ClockKind = .timer) {
    self.kind = kind
    platform_set_timer_slack(1)
  }

  /// Presenting turned out to wait for the display, or not to.
  public func setKind(_ kind: ClockKind) { self.kind = kind }

  /// The moment now, from any thread.
  ///
  /// The C function is `clock_gettime`.
  public static func now() -> FrameInstant { ThreadTime.read(CLOCK_MONOTONIC) }

  /// The moment now.
  public func now() -> FrameInstant { MonotonicClock.now() }

  /// The moment, the processor time that the calling thread has used, and how often it has waited.
  ///
  /// The kernel is asked at most once in ``WorkMark/grain``, as that costs as much as a small step: in between the thread
  /// counts as having run. Losses of such a length are not told from the grain of readings anyway.
  public func workTimestamp() -> WorkTimestamp {
    let now = now()
    if let known, now - known.instant <= WorkTimestamp.resolution { return known.extrapolated(until: now) }
    let mark = ThreadTime.workTimestamp(at: now)
    known = mark
    return mark
  }

  /// Really spends a cost, of the thread's processor time: what others take meanwhile comes on top, as with any work.
  public func spend(_ cost: FrameDuration) {
    let end = ThreadTime.now() + cost
    while ThreadTime.now() < end {}
  }

  /// Sleeps until a moment.
  ///
  /// The C function is `clock_nanosleep` with `TIMER_ABSTIME`.
  public func wait(until instant: FrameInstant) {
    guard instant > now() else { return }
    // The thread does not run meanwhile.
    known = nil
    var time = timespec(
      tv_sec: Int(instant.nanoseconds / 1_000_000_000), tv_nsec: Int(instant.nanoseconds % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Runs a body; real time counts everything.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
