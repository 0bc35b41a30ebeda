import FramePacing
import Rendering

/// A clock and a display that a script can let go wrong, in place of a run's own.
final class FaultInjector {
  let clock: FaultyClock
  let display: FaultyDisplay

  /// - Parameter refreshHz: the refresh of the run, until a script says another.
  init(_ display: any Display, _ clock: any FrameClock, refreshHz: Double) {
    self.clock = FaultyClock(clock)
    self.display = FaultyDisplay(display, clock: self.clock)
    self.display.refreshHz = refreshHz
  }
}
