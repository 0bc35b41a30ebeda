public import FramePacing

/// A clock that stands still until it is told to go on: real time as a test wants it.
///
/// Waiting moves it at once.
public final class ManualClock: FrameClock {
  /// Which line of time it says it is.
  public let kind: ClockKind
  /// How late the next wait ends, as where the system wakes a thread late.
  public var oversleep = FrameDuration.zero
  private var instant = FrameInstant(nanoseconds: 1_000_000_000)

  /// Makes a clock that stands at a second.
  public init(kind: ClockKind) { self.kind = kind }

  /// Where it was moved to.
  public func now() -> FrameInstant { instant }

  /// Lets a cost pass.
  public func spend(_ cost: FrameDuration) { instant = instant + cost }

  /// Moves on to a moment, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > self.instant else { return }
    self.instant = instant + oversleep
    oversleep = .zero
  }

  /// Runs a body; all time counts.
  public func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
