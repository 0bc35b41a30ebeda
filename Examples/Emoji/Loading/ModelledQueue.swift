import FramePacing

/// A queue of operations on a simulated line of time: which run, and when each is done.
///
/// A pure machine.
///
/// An operation begins when it is added, if there is room, and is done after its delay; otherwise it begins in the moment in
/// which another one is done or cancelled. It may be asked late: what should have begun meanwhile has.
nonisolated struct ModelledQueue {
  /// How many operations run at once, at least 1.
  let limit: Int
  private var order = OperationOrder()
  private var delays: [Int: FrameDuration] = [:]
  private var running: [(number: Int, due: FrameInstant)] = []
  private var finished: [Int] = []

  /// Makes an empty queue.
  init(limit: Int) { self.limit = max(1, limit) }

  /// How many run.
  var runningCount: Int { running.count }
  /// How many wait for their turn.
  var waitingCount: Int { order.count }

  /// When the next operation is done; in the past where one is done already.
  /// - Complexity: O(limit).
  var nextArrival: FrameInstant? { finished.isEmpty ? running.map(\.due).min() : .distantPast }

  /// An operation comes.
  mutating func add(_ number: Int, delay: FrameDuration, at now: FrameInstant) {
    advance(to: now)
    delays[number] = delay
    order.add(number)
    fill(at: now)
  }

  /// An operation that waits for its turn is to come before those that nobody waits for.
  mutating func hurry(_ number: Int) { order.hurry(number) }

  /// An operation ends without a result; one that is unknown or done is forgotten.
  mutating func cancel(_ number: Int, at now: FrameInstant) {
    advance(to: now)
    delays[number] = nil
    finished.removeAll { $0 == number }
    guard !order.remove(number) else { return }
    running.removeAll { $0.number == number }
    fill(at: now)
  }

  /// Takes out the operations that are done by a moment, in the order in which they were done.
  mutating func takeFinished(by now: FrameInstant) -> [Int] {
    advance(to: now)
    defer { finished.removeAll() }
    return finished
  }

  /// Ends all operations without a result.
  mutating func removeAll() { self = ModelledQueue(limit: limit) }

  /// Lets operations end and others begin, each in its moment.
  private mutating func advance(to now: FrameInstant) {
    while let next = running.indices.min(by: { precedes(running[$0], running[$1]) }), running[next].due <= now {
      let done = running.remove(at: next)
      delays[done.number] = nil
      finished.append(done.number)
      fill(at: done.due)
    }
  }

  private func precedes(_ one: (number: Int, due: FrameInstant), _ other: (number: Int, due: FrameInstant)) -> Bool {
    (one.due, one.number) < (other.due, other.number)
  }

  private mutating func fill(at moment: FrameInstant) {
    while running.count < limit, let number = order.next() {
      running.append((number, moment + (delays[number] ?? .zero)))
    }
  }
}
