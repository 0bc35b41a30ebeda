import FramePacing

/// A simulated line of time on which nothing takes time: what a frame does under an instrument does not depend on how
/// slow the instrument makes it.
final class StillClock: FrameClock {
  private var instant = FrameInstant.zero

  /// Says that it counts the processor's time, so that no digest is made of the frames.
  let kind = ClockKind.cpu

  func now() -> FrameInstant { instant }

  func spend(_ cost: FrameDuration) { instant = instant + cost }

  func wait(until later: FrameInstant) { instant = max(instant, later) }

  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
