public import FramePacing

/// A clock that stands still until it is told to go on: real time as a test wants it.
///
/// Waiting moves it at once.
public final class ManualClock: FrameClock {
  /// Which line of time it says it is.
  public private(set) var kind: ClockKind
  /// How late the next wait ends, as where the system wakes a thread late.
  public var oversleep = FrameDuration.zero
  private var currentInstant = FrameInstant(nanoseconds: 1_000_000_000)
  private var stalledTime = FrameDuration.zero

  /// Makes a clock that stands at a second.
  public init(kind: ClockKind) { self.kind = kind }

  /// Takes another name for the same line.
  public func setKind(_ kind: ClockKind) { self.kind = kind }

  /// Where it was moved to.
  public func now() -> FrameInstant { currentInstant }

  /// Lets a cost pass.
  public func spend(_ cost: FrameDuration) { currentInstant = currentInstant + cost }

  /// Lets time pass in which the thread does not run, as where the process is stopped or others have the processor.
  public func stall(for duration: FrameDuration) {
    currentInstant = currentInstant + duration
    stalledTime += duration
  }

  /// The moment, and the processor time of a thread that has run but for what was lost.
  public func workTimestamp() -> WorkTimestamp {
    WorkTimestamp(
      at: currentInstant, processor: FrameInstant(nanoseconds: (currentInstant - stalledTime).nanoseconds), blockings: 0
    )
  }

  /// Moves on to a moment, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > self.currentInstant else { return }
    self.currentInstant = instant + oversleep
    oversleep = .zero
  }

  /// Runs a body; all time counts.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
