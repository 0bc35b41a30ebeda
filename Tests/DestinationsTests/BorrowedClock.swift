import FramePacing

/// A clock for who wants one before there is a stage: at zero, and then that of the stage.
final class BorrowedClock: FrameClock {
  /// The stage's clock.
  var lender: SimulatedClock?

  var kind: ClockKind { .virtual }
  func now() -> FrameInstant { lender?.now() ?? .zero }
  func spend(_ cost: FrameDuration) { lender?.spend(cost) }
  func wait(until instant: FrameInstant) { lender?.wait(until: instant) }
  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
