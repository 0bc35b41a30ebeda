import FramePacing

/// Something that is wanted from the web, and how far it has come.
struct TransferTask: Sendable {
  /// What becomes of it now.
  enum State: Sendable {
    /// It waits for a connection.
    case waiting
    /// A try runs, since a moment.
    case running(UInt64, since: FrameInstant)
    /// It is left alone for a while.
    case pausing
  }

  /// What is wanted.
  let request: RemoteRequest
  /// Its place among equals, and its name.
  let number: UInt64
  /// What is known here of what is there.
  let validator: RemoteValidator
  /// Who wants it.
  var requesters = Requesters()
  /// Where it is asked for.
  var url: RemoteURL
  /// Which servers may be asked.
  var scope: RemoteScope
  /// What becomes of it now.
  var state = State.waiting
  /// Tries so far.
  var tries = 0
  /// How often it was led on.
  var redirects = 0
  /// When it has to have ended; nothing before the first try, and while its bytes wait for memory.
  var endTime: FrameInstant?
  /// What is left of its time while that stands still; nothing where all of it is.
  var timeLeft: FrameDuration?
  /// What the last try failed with.
  var lastFailure: RemoteFailure?

  /// Makes a task that nobody waits for yet.
  init(_ request: RemoteRequest, number: UInt64, validator: RemoteValidator) {
    self.request = request
    self.number = number
    self.validator = validator
    url = request.url
    scope = request.scope
  }

  /// Lets its time stand still.
  mutating func pauseDeadline(at now: FrameInstant) {
    guard let endTime else { return }
    timeLeft = max(endTime - now, .zero)
    self.endTime = nil
  }

  /// When it would have to have ended, were its time to go on at a moment.
  func endTime(from now: FrameInstant, totalTime: FrameDuration) -> FrameInstant {
    endTime ?? now + (timeLeft ?? totalTime)
  }

  /// Forgets a try that was put off for others: it is begun anew, with all of its time.
  mutating func resetAttempt() {
    tries -= 1
    endTime = nil
    timeLeft = nil
  }

  /// Its place in the line.
  var urgency: TransferUrgency {
    TransferUrgency(deadline: requesters.deadline ?? .distantFuture, number: number)
  }
}
