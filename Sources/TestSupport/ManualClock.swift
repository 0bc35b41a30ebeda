public import FramePacing

/// A clock that stands still until it is told to go on: real time as a test wants it.
///
/// Waiting moves it at once.
public final class ManualClock: FrameClock {
  /// Which line of time it says it is.
  public private(set) var kind: ClockKind
  /// How late the next wait ends, as where the system wakes a thread late.
  public var oversleep = FrameDuration.zero
  private var instant = FrameInstant(nanoseconds: 1_000_000_000)
  private var lost = FrameDuration.zero

  /// Makes a clock that stands at a second.
  public init(kind: ClockKind) { self.kind = kind }

  /// Takes another name for the same line.
  public func settle(as kind: ClockKind) { self.kind = kind }

  /// Where it was moved to.
  public func now() -> FrameInstant { instant }

  /// Lets a cost pass.
  public func spend(_ cost: FrameDuration) { instant = instant + cost }

  /// Lets time pass in which the thread does not run, as where the process is stopped or others have the processor.
  public func lose(_ duration: FrameDuration) {
    instant = instant + duration
    lost += duration
  }

  /// The moment, and the processor time of a thread that has run but for what was lost.
  public func mark() -> WorkMark {
    WorkMark(at: instant, processor: FrameInstant(nanoseconds: (instant - lost).nanoseconds), blockings: 0)
  }

  /// Moves on to a moment, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > self.instant else { return }
    self.instant = instant + oversleep
    oversleep = .zero
  }

  /// Runs a body; all time counts.
  public func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
