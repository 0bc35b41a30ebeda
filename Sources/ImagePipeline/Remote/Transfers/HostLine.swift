import DataStructures
import FramePacing

/// What one server is being asked, and who waits for a connection to it.
struct HostQueue: Sendable {
  /// Tries that run.
  var running = 0
  /// Those who wait, by their numbers.
  var waiting = PriorityQueue<UInt64, TransferUrgency>()
  /// Until when nothing is asked of it, and why.
  private(set) var pause: (end: FrameInstant, reason: RemoteFailure)?
  /// Setbacks in a row.
  private(set) var consecutiveFailures = 0
  private var lastFailureTime = FrameInstant.distantPast

  /// Notes that it is not to be had, as a try told that began at a moment.
  ///
  /// - Parameter pause: how long it is left alone after so many setbacks.
  mutating func recordFailure(
    _ reason: RemoteFailure, begun: FrameInstant, at now: FrameInstant, pause: (Int) -> FrameDuration
  ) {
    // Six tries that meet the same closed door are one setback.
    if begun > lastFailureTime {
      consecutiveFailures += 1
      lastFailureTime = now
    }
    let end = now + pause(consecutiveFailures)
    if end > self.pause?.end ?? .distantPast { self.pause = (end, reason) }
  }

  /// Notes that it answers.
  mutating func recordResponse() { consecutiveFailures = 0 }

  /// Ends the pause where its time has come.
  mutating func endPauseIfDue(at now: FrameInstant) { if let pause, pause.end <= now { self.pause = nil } }

  /// Whether nobody wants anything of it, and nobody has to be kept from asking.
  var isRemovable: Bool { running == 0 && waiting.isEmpty && pause == nil }
}
