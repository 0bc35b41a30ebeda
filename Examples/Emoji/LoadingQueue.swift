import CollectionUI
import VitrineThreads

/// A queue that runs a limited number of operations concurrently and completes them on the main actor.
///
/// It combines the roles of `OperationQueue` and `DispatchQueue.main`. As a frame participant it delivers results in
/// the collect phase. An operation that was cancelled on the main actor is therefore never completed, even if its
/// thread has finished.
final class LoadingQueue {
  /// The maximum number of concurrent operations.
  let maxConcurrentOperationCount: Int
  /// The counts of all operations.
  private(set) var counts = OperationCounts() {
    didSet { if counts != oldValue { onCountsChange(counts) } }
  }
  /// Called after each change of the counts.
  var onCountsChange: (OperationCounts) -> Void = { _ in }

  private let clock: any FrameClock
  private let engine: any OperationEngine
  private var operations: [Int: DataLoadOperation] = [:]
  private var lastNumber = 0

  /// Creates a queue that uses threads, or a simulation if the clock is simulated.
  ///
  /// - Parameters:
  ///   - maxConcurrentOperationCount: The maximum number of concurrent operations, at least 1.
  ///   - clock: The clock of the frame loop.
  ///   - waker: The waker of the frame loop.
  /// - Throws: `ThreadError` if the system cannot start a thread.
  init(maxConcurrentOperationCount: Int, clock: any FrameClock, waker: any LoopWaker) throws(ThreadError) {
    self.maxConcurrentOperationCount = max(1, maxConcurrentOperationCount)
    self.clock = clock
    if clock.kind.isSimulated {
      engine = SimulatedEngine(limit: maxConcurrentOperationCount, clock: clock)
    } else {
      engine = try ThreadedEngine(limit: maxConcurrentOperationCount, waker: waker)
    }
  }

  /// Adds an operation, which starts as soon as the limit permits.
  ///
  /// Add each operation only once.
  func addOperation(_ operation: DataLoadOperation) {
    lastNumber += 1
    let number = lastNumber
    operations[number] = operation
    counts.recordStart()
    operation.onStateChange = { [weak self] state in self?.operation(number, didChangeTo: state) }
    operation.onPrioritize = { [engine] in engine.prioritize(number) }
    engine.add(number, delay: operation.delay, load: operation.load)
    if operation.loadingCompleteHandler != nil { engine.prioritize(number) }
  }

  private func operation(_ number: Int, didChangeTo state: DataLoadOperation.State) {
    counts.record(state)
    guard state == .cancelled else { return }
    operations[number] = nil
    engine.cancel(number)
  }

  /// Cancels all operations, and waits for the threads to end.
  func shutdown() {
    for number in operations.keys.sorted() { operations[number]?.cancel() }
    engine.shutdown()
  }
}

extension LoadingQueue: FrameParticipant {
  /// Whether results are waiting for a frame.
  var needsFrames: Bool { engine.hasFinished(by: clock.now()) }
  /// The time of the next result on a simulated clock, or nil.
  var nextArrival: FrameInstant? { engine.nextArrival }
  /// Returns whether results are available at an instant.
  func hasArrivals(by now: FrameInstant) -> Bool { engine.hasFinished(by: now) }

  /// Completes the finished operations.
  func collect(_ budget: FrameBudget) {
    for (number, rating) in engine.takeFinished(by: budget.clock.now()) {
      operations.removeValue(forKey: number)?.complete(with: rating)
    }
  }
}

/// The part of a queue that runs the operations.
protocol OperationEngine: AnyObject {
  /// Adds an operation with a unique number.
  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating)
  /// Moves an operation before those that no visible cell is waiting for.
  func prioritize(_ number: Int)
  /// Cancels an operation, so that another one can start.
  func cancel(_ number: Int)
  /// Removes and returns the results available at an instant, in the order of completion.
  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)]
  /// Returns whether results are available at an instant.
  func hasFinished(by now: FrameInstant) -> Bool
  /// The time of the next result on a simulated clock, or nil.
  var nextArrival: FrameInstant? { get }
  /// Cancels all operations without waiting for their delays.
  func shutdown()
}

/// The order in which waiting operations start: first those with a waiting cell, each group in the order of arrival.
nonisolated struct OperationOrder: Sendable {
  private var awaited: [Int] = []
  private var others: [Int] = []

  /// The number of waiting operations.
  var count: Int { awaited.count + others.count }

  /// Adds an operation.
  mutating func add(_ number: Int) { others.append(number) }

  /// Moves an operation before those without a waiting cell, unless it has started.
  ///
  /// - Complexity: O(count).
  mutating func prioritize(_ number: Int) {
    guard let index = others.firstIndex(of: number) else { return }
    awaited.append(others.remove(at: index))
  }

  /// Removes an operation.
  ///
  /// - Returns: Whether it was waiting.
  /// - Complexity: O(count).
  mutating func remove(_ number: Int) -> Bool {
    if let index = awaited.firstIndex(of: number) {
      awaited.remove(at: index)
      return true
    }
    guard let index = others.firstIndex(of: number) else { return false }
    others.remove(at: index)
    return true
  }

  /// Removes and returns the next operation, or nil if none is waiting.
  ///
  /// - Complexity: O(count).
  mutating func popNext() -> Int? {
    if !awaited.isEmpty { return awaited.removeFirst() }
    return others.isEmpty ? nil : others.removeFirst()
  }

  /// Removes all operations.
  mutating func removeAll() { self = OperationOrder() }
}
