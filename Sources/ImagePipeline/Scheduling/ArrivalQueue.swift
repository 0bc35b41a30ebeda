import DataStructures

/// What workers have made and the main thread has not taken yet, in the order in which it was done.
struct ArrivalQueue: Sendable {
  /// A result.
  struct Arrival: Sendable {
    let key: ImageKey
    /// The number of the task: a task that was taken back and asked for again has another.
    let number: UInt64
    let representation: ImageRepresentation
    let outcome: ImageOutcome
    /// Whether it is a failure that was known before, and nothing was tried.
    var isKnown = false
  }

  private var arrivals = Deque<Arrival>()
  /// The bytes of pixels in it.
  private(set) var byteCount = 0

  /// How many results wait.
  var count: Int { arrivals.count }
  /// The one that is taken next.
  var first: Arrival? { arrivals.first }

  /// Adds a result.
  mutating func append(_ arrival: Arrival) {
    byteCount += arrival.outcome.pixelBytes
    arrivals.append(arrival)
  }

  /// Takes the first result.
  mutating func popFirst() -> Arrival? {
    guard let arrival = arrivals.popFirst() else { return nil }
    byteCount -= arrival.outcome.pixelBytes
    return arrival
  }

  /// Forgets all results.
  mutating func removeAll() {
    arrivals.removeAll()
    byteCount = 0
  }
}
