import FramePacing

/// A picture that is wanted, or was when its decode began: one for each key, however many ask.
struct ImageTask: Sendable {
  /// How far it has come.
  enum State: Hashable, Sendable {
    /// It waits for a worker.
    case waiting
    /// A worker has it.
    case running
    /// Its end waits to be collected.
    case ended
  }

  /// What is known of the file's own small picture.
  enum Preview: Hashable, Sendable {
    case notAttempted
    case made
    case absent
  }

  let request: ImageRequest
  let number: UInt64
  var requesters = Requesters()
  var state = State.waiting
  var preview = Preview.notAttempted
  /// The jobs that workers do for it: one, or two where the first gets no core.
  var jobs: [UInt64] = []
  /// Decoding processes that it ended.
  var deaths = 0

  /// Makes a task that nobody waits for yet.
  init(_ request: ImageRequest, number: UInt64) {
    self.request = request
    self.number = number
  }

  /// Whether anybody waits for it.
  var isWanted: Bool { !requesters.isEmpty }

  /// Its place in the line; nothing where nobody waits.
  var urgency: Urgency? {
    requesters.deadline.map { Urgency(deadline: $0, number: number, hasPreview: preview == .made) }
  }
}
