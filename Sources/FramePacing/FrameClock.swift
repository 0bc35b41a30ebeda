import CVitrinePlatform
import Glibc

/// The only source of time for a frame loop.
///
/// Confined to the thread that runs the loop.
public protocol FrameClock: AnyObject {
  /// The kind of time that the clock measures.
  var kind: ClockKind { get }

  /// Changes the kind after presenting was found to be paced differently; only real-time clocks support this.
  func setKind(_ kind: ClockKind)

  /// Returns the current time.
  func now() -> FrameInstant

  /// Returns a timestamp of the thread's work, from which a later one yields the cost of the work in between.
  func workTimestamp() -> WorkTimestamp

  /// Spends a modelled cost: a real-time clock uses processor time, a simulated one advances.
  func spend(_ cost: FrameDuration)

  /// Advances a simulated clock without counting a cost, for example between steps that are delimited by counting.
  func advance(by duration: FrameDuration)

  /// Whether any cost was spent, so that frames on the virtual clock have visible costs.
  var hasSpentCosts: Bool { get }

  /// Waits until an instant: by an absolute sleep on a real-time clock, by a jump on a simulated one.
  ///
  /// Returns immediately if the instant has passed.
  func wait(until instant: FrameInstant)

  /// Runs a closure whose time a simulated clock does not count, such as waiting for a result that is due.
  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result
}

extension FrameClock {
  /// Advances as if spending a cost.
  public func advance(by duration: FrameDuration) { spend(duration) }
  /// True, because the costs are unknown.
  public var hasSpentCosts: Bool { true }
  /// Does nothing: a simulated clock has a fixed kind.
  public func setKind(_ kind: ClockKind) {}
  /// A timestamp without processor time: on a simulated clock only work takes time.
  public func workTimestamp() -> WorkTimestamp { WorkTimestamp(at: now()) }
}

/// The kind of time on which frames run.
public enum ClockKind: String, CaseIterable, Sendable {
  /// Real time, with presenting that was measured to block until the display's refresh.
  case vsync
  /// Real time, with a refresh grid of the loop's own and absolute sleeps.
  case timer
  /// Simulated time that advances by modelled costs only.
  case virtual
  /// Simulated time that also advances by the main thread's processor time.
  case cpu

  /// Whether frames run on simulated time, where nothing sleeps.
  public var isSimulated: Bool { self == .virtual || self == .cpu }
}

/// The costs of frames that a clock can measure.
public enum CostVisibility: Sendable {
  /// The actual cost of all work.
  case measured
  /// Modeled costs only; phases without one have an unknown duration.
  case modelled
  /// No costs: the clock is virtual and no cost is modelled, so frames cannot be late on it.
  case none
}

/// An object that wakes the main thread's loop from any thread; several calls may cause a single wake-up.
public protocol LoopWaker: Sendable {
  /// Wakes the loop from its idle wait.
  func wake()
}

/// A real-time clock: `CLOCK_MONOTONIC` with absolute sleeps.
public final class MonotonicClock: FrameClock {
  /// `timer` or `vsync`: the same time, paced by the loop or by presenting.
  public private(set) var kind: ClockKind
  /// The last timestamp that was read from the kernel.
  private var lastTimestamp: WorkTimestamp?

  /// Creates a clock for the calling thread and sets the thread's timer slack to 1 ns.
  ///
  /// The C function is `prctl` with `PR_SET_TIMERSLACK`; the kernel's default is 50 µs.
  public init(kind: ClockKind = .timer) {
    self.kind = kind
    platform_set_timer_slack(1)
  }

  /// Sets the kind after presenting was found to wait for the display, or not to.
  public func setKind(_ kind: ClockKind) { self.kind = kind }

  /// Returns the current time, on any thread.
  ///
  /// The C function is `clock_gettime`.
  public static func now() -> FrameInstant { ThreadTime.read(CLOCK_MONOTONIC) }

  /// Returns the current time.
  public func now() -> FrameInstant { MonotonicClock.now() }

  /// Returns the current time, the processor time of the calling thread and the number of its waits.
  ///
  /// Reads the kernel at most once per `WorkTimestamp.resolution`, because a read costs as much as a small step; in
  /// between the thread counts as running. Shorter interruptions are below the resolution of the readings anyway.
  public func workTimestamp() -> WorkTimestamp {
    let now = now()
    if let lastTimestamp, now - lastTimestamp.instant <= WorkTimestamp.resolution {
      return lastTimestamp.extrapolated(until: now)
    }
    let timestamp = ThreadTime.workTimestamp(at: now)
    lastTimestamp = timestamp
    return timestamp
  }

  /// Spends a cost as processor time of the thread; preemption adds to it as with any work.
  public func spend(_ cost: FrameDuration) {
    let end = ThreadTime.now() + cost
    while ThreadTime.now() < end {}
  }

  /// Sleeps until an instant.
  ///
  /// The C function is `clock_nanosleep` with `TIMER_ABSTIME`.
  public func wait(until instant: FrameInstant) {
    guard instant > now() else { return }
    // The thread does not run during the sleep.
    lastTimestamp = nil
    var time = timespec(
      tv_sec: Int(instant.nanoseconds / 1_000_000_000), tv_nsec: Int(instant.nanoseconds % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Runs a closure; real time counts everything.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
