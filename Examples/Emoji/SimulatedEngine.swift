import CollectionUI

/// An engine for simulated clocks: each operation completes exactly one delay after its start, in every run.
final class SimulatedEngine: OperationEngine {
  private let clock: any FrameClock
  private var queue: SimulatedQueue
  private var loads: [Int: @Sendable () -> EmojiRating] = [:]

  init(limit: Int, clock: any FrameClock) {
    self.clock = clock
    queue = SimulatedQueue(limit: limit)
  }

  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    loads[number] = load
    queue.add(number, delay: delay, at: clock.now())
  }

  func prioritize(_ number: Int) { queue.prioritize(number) }

  func cancel(_ number: Int) {
    loads[number] = nil
    queue.cancel(number, at: clock.now())
  }

  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)] {
    queue.takeFinished(by: now).compactMap { number in
      loads.removeValue(forKey: number).map { (number, $0()) }
    }
  }

  func hasFinished(by now: FrameInstant) -> Bool { nextArrival.map { $0 <= now } ?? false }

  var nextArrival: FrameInstant? { queue.nextArrival }

  func shutdown() {
    loads.removeAll()
    queue.removeAll()
  }
}

/// A queue of operations on a simulated clock, as a value type.
///
/// An operation starts when it is added if the limit permits, and otherwise when another one completes or is cancelled.
/// Start times do not depend on when the queue is queried.
nonisolated struct SimulatedQueue {
  /// The maximum number of concurrent operations, at least 1.
  let limit: Int
  private var order = OperationOrder()
  private var delays: [Int: FrameDuration] = [:]
  private var running: [(number: Int, due: FrameInstant)] = []
  private var finished: [Int] = []

  /// Creates an empty queue.
  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of running operations.
  var runningCount: Int { running.count }
  /// The number of waiting operations.
  var waitingCount: Int { order.count }

  /// The time at which the next operation completes, `.distantPast` if one has completed, or nil.
  ///
  /// - Complexity: O(limit).
  var nextArrival: FrameInstant? { finished.isEmpty ? running.map(\.due).min() : .distantPast }

  /// Adds an operation.
  mutating func add(_ number: Int, delay: FrameDuration, at now: FrameInstant) {
    advance(to: now)
    delays[number] = delay
    order.add(number)
    startOperations(at: now)
  }

  /// Moves an operation before those without a waiting cell, unless it has started.
  mutating func prioritize(_ number: Int) { order.prioritize(number) }

  /// Cancels an operation or discards its result; unknown numbers are ignored.
  mutating func cancel(_ number: Int, at now: FrameInstant) {
    advance(to: now)
    delays[number] = nil
    finished.removeAll { $0 == number }
    guard !order.remove(number) else { return }
    running.removeAll { $0.number == number }
    startOperations(at: now)
  }

  /// Removes and returns the operations completed by an instant, in the order of completion.
  mutating func takeFinished(by now: FrameInstant) -> [Int] {
    advance(to: now)
    defer { finished.removeAll() }
    return finished
  }

  /// Cancels all operations.
  mutating func removeAll() { self = SimulatedQueue(limit: limit) }

  /// Completes and starts operations up to an instant, each at its own time.
  private mutating func advance(to now: FrameInstant) {
    while let next = running.indices.min(by: { precedes(running[$0], running[$1]) }), running[next].due <= now {
      let completed = running.remove(at: next)
      delays[completed.number] = nil
      finished.append(completed.number)
      startOperations(at: completed.due)
    }
  }

  private func precedes(_ lhs: (number: Int, due: FrameInstant), _ rhs: (number: Int, due: FrameInstant)) -> Bool {
    (lhs.due, lhs.number) < (rhs.due, rhs.number)
  }

  private mutating func startOperations(at instant: FrameInstant) {
    while running.count < limit, let number = order.popNext() {
      running.append((number, instant + (delays[number] ?? .zero)))
    }
  }
}
