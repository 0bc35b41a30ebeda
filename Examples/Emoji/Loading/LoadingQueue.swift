import FramePacing
import Threads
import Views

/// Runs operations, at most so many at once, and tells on the main actor, in a frame, when each is done.
///
/// What `OperationQueue` and `DispatchQueue.main` are together elsewhere. Takes part in frames: results come in the collect
/// phase, so that what is cancelled on the main actor is never heard of again, whatever its thread has done meanwhile.
final class LoadingQueue {
  /// How many operations run at once.
  let maxConcurrentOperationCount: Int
  /// What became of the operations.
  private(set) var counts = OperationCounts() {
    didSet { if counts != oldValue { onCount(counts) } }
  }
  /// Told whenever something became of one.
  var onCount: (OperationCounts) -> Void = { _ in }

  private let clock: any FrameClock
  private let engine: any OperationEngine
  private var operations: [Int: DataLoadOperation] = [:]
  private var lastNumber = 0

  /// Makes a queue: on threads, or as a simulation where the clock is one.
  ///
  /// - Parameters:
  ///   - maxConcurrentOperationCount: how many operations run at once, at least 1.
  ///   - clock: the frames'.
  ///   - waker: wakes the loop.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(maxConcurrentOperationCount: Int, clock: any FrameClock, waker: any LoopWaker) throws(ThreadError) {
    self.maxConcurrentOperationCount = max(1, maxConcurrentOperationCount)
    self.clock = clock
    if clock.kind.isSimulated {
      engine = ModelledEngine(limit: maxConcurrentOperationCount, clock: clock)
    } else {
      engine = try ThreadedEngine(limit: maxConcurrentOperationCount, waker: waker)
    }
  }

  /// Begins an operation as soon as there is room; once each.
  func addOperation(_ operation: DataLoadOperation) {
    lastNumber += 1
    let number = lastNumber
    operations[number] = operation
    counts.begin()
    operation.onChange = { [weak self] state in self?.note(state, of: number) }
    operation.onHurry = { [engine] in engine.hurry(number) }
    engine.add(number, delay: operation.delay, load: operation.load)
    if operation.loadingCompleteHandler != nil { engine.hurry(number) }
  }

  private func note(_ state: DataLoadOperation.State, of number: Int) {
    counts.note(state)
    guard state == .cancelled else { return }
    operations[number] = nil
    engine.cancel(number)
  }

  /// Cancels all operations that are under way; no thread is left when it returns, and none begins again.
  func end() {
    for number in operations.keys.sorted() { operations[number]?.cancel() }
    engine.end()
  }
}

extension LoadingQueue: FrameParticipant {
  /// Whether results wait for a frame.
  var needsFrames: Bool { engine.hasFinished(by: clock.now()) }
  /// When the next result comes, on a simulated clock.
  var nextArrival: FrameInstant? { engine.nextArrival }
  /// Whether results are there.
  func hasArrivals(by now: FrameInstant) -> Bool { engine.hasFinished(by: now) }

  /// Hands results over.
  func collect(_ budget: FrameBudget) {
    for (number, rating) in engine.takeFinished(by: budget.clock.now()) {
      operations.removeValue(forKey: number)?.complete(with: rating)
    }
  }
}
