import DataStructures
import FramePacing

/// What one server is being asked, and who waits for a connection to it.
struct HostLine: Sendable {
  /// Tries that run.
  var running = 0
  /// Those who wait, by their numbers.
  var waiting = PriorityQueue<UInt64, TransferUrgency>()
  /// Until when nothing is asked of it, and why.
  private(set) var pause: (end: FrameInstant, reason: RemoteFailure)?
  /// Setbacks in a row.
  private(set) var setbacks = 0
  private var lastSetback = FrameInstant.distantPast

  /// Notes that it is not to be had, as a try told that began at a moment.
  ///
  /// - Parameter pause: how long it is left alone after so many setbacks.
  mutating func noteSetback(
    _ reason: RemoteFailure, begun: FrameInstant, at now: FrameInstant, pause: (Int) -> FrameDuration
  ) {
    // Six tries that meet the same closed door are one setback.
    if begun > lastSetback {
      setbacks += 1
      lastSetback = now
    }
    let end = now + pause(setbacks)
    if end > self.pause?.end ?? .distantPast { self.pause = (end, reason) }
  }

  /// Notes that it answers.
  mutating func noteAnswer() { setbacks = 0 }

  /// Ends the pause where its time has come.
  mutating func wake(at now: FrameInstant) { if let pause, pause.end <= now { self.pause = nil } }

  /// Whether nobody wants anything of it, and nobody has to be kept from asking.
  var isForgettable: Bool { running == 0 && waiting.isEmpty && pause == nil }
}
