import FramePacing
import Rendering

/// A clock and a display that a script can let go wrong, in place of a run's own.
final class StagedSurroundings {
  let clock: FaultyClock
  let display: FaultyDisplay

  init(_ display: any Display, _ clock: any FrameClock) {
    self.clock = FaultyClock(clock)
    self.display = FaultyDisplay(display, clock: self.clock)
  }
}
