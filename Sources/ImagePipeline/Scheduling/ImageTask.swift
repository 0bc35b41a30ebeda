import VitrineDataStructures
package import VitrineFramePacing

/// The work for one image, shared by all requests for its key.
struct ImageTask: Sendable {
  /// The state of a task.
  enum State: Hashable, Sendable {
    /// Waiting for a worker.
    case waiting
    /// Assigned to a worker.
    case running
    /// Finished, and waiting to be collected.
    case ended
  }

  /// The state of the file's embedded preview.
  enum Preview: Hashable, Sendable {
    case notAttempted
    case made
    case absent
  }

  private(set) var request: ImageRequest
  let number: UInt64
  var requesters = Requesters()
  var state = State.waiting
  var preview = Preview.notAttempted
  /// The running jobs: one, or two if the first is starved.
  var jobs: [UInt64] = []
  /// The number of decoding processes that the task has crashed.
  var deaths = 0

  /// Creates a task without requesters.
  init(_ request: ImageRequest, number: UInt64) {
    self.request = request
    self.number = number
  }

  /// Whether any request needs the image.
  var isWanted: Bool { !requesters.isEmpty }

  /// Makes the image itself too if another request does not stop at a preview.
  ///
  /// A stopped task without a preview, which no request needs any more, does what the new request needs.
  mutating func joinRequest(_ other: ImageRequest) {
    if !other.stopsAtPreview || !isWanted && preview == .notAttempted { request.stopsAtPreview = other.stopsAtPreview }
  }

  /// Whether the image has a preview that is enough.
  var isSatisfiedByPreview: Bool { request.stopsAtPreview && preview == .made }

  /// The position in the queue; nil without requesters, or if the preview is enough.
  var urgency: Urgency? {
    isSatisfiedByPreview
      ? nil
      : requesters.deadline.map { Urgency(deadline: $0, number: number, hasPreview: preview == .made) }
  }
}

/// The tickets that wait for a task, with their deadlines.
package struct Requesters: Sendable {
  // Rarely more than one or two.
  private var entries: [(ticket: ImageTicket, deadline: FrameInstant)] = []

  /// Whether no ticket is waiting.
  package var isEmpty: Bool { entries.isEmpty }
  /// The tickets, in order of their requests.
  package var tickets: [ImageTicket] { entries.map(\.ticket) }
  /// The earliest deadline, which is the task's; nil if no ticket is waiting.
  package var deadline: FrameInstant? { entries.map(\.deadline).min() }

  /// Creates a value without tickets.
  package init() {}

  /// Adds a ticket, or changes its deadline.
  /// - Complexity: O(tickets).
  package mutating func setDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if let index = entries.firstIndex(where: { $0.ticket == ticket }) {
      entries[index].deadline = deadline
    } else {
      entries.append((ticket, deadline))
    }
  }

  /// Removes a ticket.
  package mutating func remove(_ ticket: ImageTicket) { entries.removeAll { $0.ticket == ticket } }
}

/// The sort key of a waiting task.
///
/// Images on screen without a preview come first, then images on screen with a preview, then all others by deadline;
/// equal ones in order of their requests.
struct Urgency: Comparable, Sendable {
  /// The class of a task, which takes precedence over its deadline.
  enum Band: UInt8, Comparable, Sendable {
    case missingOnScreen
    case unsharpOnScreen
    case other

    static func < (left: Band, right: Band) -> Bool { left.rawValue < right.rawValue }
  }

  let band: Band
  let deadline: FrameInstant
  let number: UInt64

  /// Creates a sort key.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the image is needed; before zero it is on screen now.
  ///   - number: The task's number, increasing in order of the requests.
  ///   - hasPreview: Whether a preview is available.
  init(deadline: FrameInstant, number: UInt64, hasPreview: Bool = false) {
    self.deadline = deadline
    self.number = number
    band = !deadline.isOnScreen ? .other : hasPreview ? .unsharpOnScreen : .missingOnScreen
  }

  /// Whether the image is on screen.
  var isOnScreen: Bool { band != .other }

  static func < (left: Urgency, right: Urgency) -> Bool {
    (left.band, left.deadline.nanoseconds, left.number) < (right.band, right.deadline.nanoseconds, right.number)
  }
}

extension FrameInstant {
  /// Whether this deadline marks an image on screen: it is before the clock's zero.
  package var isOnScreen: Bool { nanoseconds < 0 }
}

/// A queue of results that the main thread has not collected yet, in order of completion.
struct ArrivalQueue: Sendable {
  /// A result of a job.
  struct Arrival: Sendable {
    let key: ImageKey
    /// The task's number, which distinguishes a task from a cancelled one with the same key.
    let number: UInt64
    let representation: ImageRepresentation
    let outcome: ImageOutcome
    /// Whether the result is a failure known before, without a new attempt.
    var isKnown = false
  }

  private var arrivals = Deque<Arrival>()
  /// The bytes of pixels in the queue.
  private(set) var byteCount = 0

  /// The number of results.
  var count: Int { arrivals.count }
  /// The next result.
  var first: Arrival? { arrivals.first }

  /// Appends a result.
  mutating func append(_ arrival: Arrival) {
    byteCount += arrival.outcome.pixelBytes
    arrivals.append(arrival)
  }

  /// Removes and returns the first result.
  mutating func popFirst() -> Arrival? {
    guard let arrival = arrivals.popFirst() else { return nil }
    byteCount -= arrival.outcome.pixelBytes
    return arrival
  }

  /// Removes and returns the results that fulfill a condition, in order.
  ///
  /// - Complexity: O(results).
  mutating func removeAll(where isRemoved: (Arrival) -> Bool) -> [Arrival] {
    let all = (0..<arrivals.count).compactMap { _ in popFirst() }
    for arrival in all where !isRemoved(arrival) { append(arrival) }
    return all.filter(isRemoved)
  }

  /// Removes all results.
  mutating func removeAll() {
    arrivals.removeAll()
    byteCount = 0
  }
}
