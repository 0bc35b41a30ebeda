import FramePacing
import Views

/// Takes a time in the commit of every frame, as everything does that is no cell.
@MainActor
final class FixedWork: FrameParticipant {
  private let cost: FrameDuration
  private let clock: SimulatedClock

  init(_ cost: FrameDuration, on clock: SimulatedClock) { (self.cost, self.clock) = (cost, clock) }

  func commit(_ record: inout FrameRecord) { clock.spend(cost) }
}
