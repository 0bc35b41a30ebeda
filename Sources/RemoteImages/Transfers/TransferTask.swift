import VitrineDataStructures
import VitrineFramePacing
import VitrineImagePipeline

/// A requested download and its state.
struct TransferTask: Sendable {
  /// The state of a task.
  enum State: Sendable {
    /// The task waits for a connection.
    case waiting
    /// An attempt is running since a moment.
    case running(UInt64, since: FrameInstant)
    /// The task waits before its next attempt.
    case pausing
  }

  /// The request.
  let request: RemoteRequest
  /// The identifier, which also orders tasks with equal deadlines.
  let number: UInt64
  /// The validator of the stored download, empty if there is none.
  let validator: RemoteValidator
  /// The requesters and their deadlines.
  var requesters = Requesters()
  /// The URL of the next attempt, which differs from the request's after a redirect.
  var url: RemoteURL
  /// The servers that may be contacted.
  var scope: RemoteScope
  /// The current state.
  var state = State.waiting
  /// The number of attempts so far.
  var attempts = 0
  /// The number of redirects so far.
  var redirects = 0
  /// The time by which the task must end, or nil before the first attempt and while its bytes wait for memory.
  var endTime: FrameInstant?
  /// The remaining time while the clock is stopped, or nil for the total time.
  var timeLeft: FrameDuration?
  /// The failure of the last attempt.
  var lastFailure: RemoteFailure?

  /// Creates a task without requesters.
  init(_ request: RemoteRequest, number: UInt64, validator: RemoteValidator) {
    self.request = request
    self.number = number
    self.validator = validator
    url = request.url
    scope = request.scope
  }

  /// Stops the task's clock.
  mutating func pauseDeadline(at now: FrameInstant) {
    guard let endTime else { return }
    timeLeft = max(endTime - now, .zero)
    self.endTime = nil
  }

  /// Returns the time by which the task must end if its clock runs from the given time.
  func endTime(from now: FrameInstant, totalTime: FrameDuration) -> FrameInstant {
    endTime ?? now + (timeLeft ?? totalTime)
  }

  /// Reverts a preempted attempt, so that the next one has the total time.
  mutating func resetAttempt() {
    attempts -= 1
    endTime = nil
    timeLeft = nil
  }

  /// The position in the host's queue.
  var urgency: TransferUrgency {
    TransferUrgency(deadline: requesters.deadline ?? .distantFuture, number: number)
  }
}

/// The order of tasks: by deadline, then in the order of requests.
struct TransferUrgency: Comparable, Sendable {
  let deadline: FrameInstant
  let number: UInt64

  static func < (left: TransferUrgency, right: TransferUrgency) -> Bool {
    (left.deadline.nanoseconds, left.number) < (right.deadline.nanoseconds, right.number)
  }
}

/// One attempt of a transfer.
struct TransferAttempt: Hashable, Sendable {
  /// The identifier, which is never reused.
  let number: UInt64
  /// The request.
  let request: RemoteRequest
  /// The URL: the request's or that of a redirect.
  let url: RemoteURL
  /// The servers that may be contacted.
  let scope: RemoteScope
  /// The validator of the stored download, empty if there is none.
  let validator: RemoteValidator
  /// The maximum size of the body, in bytes.
  let maximumBytes: Int
  /// The bytes that may be received before more are granted.
  let byteAllowance: Int
}

/// The outcome of an attempt.
enum TransferOutcome: Hashable, Sendable {
  /// The content was received, or the server confirmed the stored one.
  case complete
  /// The server responded with another status.
  case responded(status: Int, location: String?, retrySeconds: Int?)
  /// The attempt failed without a response.
  case failed(RemoteFailure)
}

/// The running and waiting transfers of one server.
struct HostQueue: Sendable {
  /// The number of running attempts.
  var running = 0
  /// The waiting tasks, by their numbers.
  var waiting = PriorityQueue<UInt64, TransferUrgency>()
  /// The time until which the server is not contacted, and the failure that caused the pause.
  private(set) var pause: (end: FrameInstant, reason: RemoteFailure)?
  /// The number of consecutive failures.
  private(set) var consecutiveFailures = 0
  private var lastFailureTime = FrameInstant.distantPast

  /// Records that the server cannot be reached or is busy, and pauses it.
  ///
  /// - Parameters:
  ///   - reason: The failure.
  ///   - startTime: The start of the failed attempt.
  ///   - now: The current time.
  ///   - pause: Returns the duration of the pause after a number of consecutive failures.
  mutating func recordFailure(
    _ reason: RemoteFailure, startTime: FrameInstant, at now: FrameInstant, pause: (Int) -> FrameDuration
  ) {
    // Simultaneous attempts that fail together count as one failure.
    if startTime > lastFailureTime {
      consecutiveFailures += 1
      lastFailureTime = now
    }
    let end = now + pause(consecutiveFailures)
    if end > self.pause?.end ?? .distantPast { self.pause = (end, reason) }
  }

  /// Records that the server responds.
  mutating func recordResponse() { consecutiveFailures = 0 }

  /// Ends the pause of a server that could not be reached, which may be there now, unless the server asked for the pause.
  mutating func endPauseUnlessRequested() {
    guard let pause, pause.reason == .unreachable || pause.reason == .unknownHost else { return }
    (self.pause, consecutiveFailures) = (nil, 0)
  }

  /// Ends the pause if its time has passed.
  mutating func endPauseIfDue(at now: FrameInstant) { if let pause, pause.end <= now { self.pause = nil } }

  /// Whether the server has no transfers and no pause.
  var isRemovable: Bool { running == 0 && waiting.isEmpty && pause == nil }
}
