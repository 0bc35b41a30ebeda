import CollectionUI
import VitrineThreads

/// An engine that runs each operation on its own thread and wakes the frame loop when one completes.
///
/// An operation blocks its thread for its delay, as a blocking call to a server would. In a pool with one thread per
/// core, operations would wait for others that are only blocked. Each thread has its own signal, so that only the
/// intended thread is woken.
nonisolated final class ThreadedEngine: OperationEngine {
  private nonisolated struct Work: Sendable {
    var number: Int
    var delay: FrameDuration
    var load: @Sendable () -> EmojiRating
  }

  /// The state that all threads share.
  private nonisolated struct State {
    var order = OperationOrder()
    var waiting: [Int: Work] = [:]
    /// The indices of the threads that run the operations, by number.
    var running: [Int: Int] = [:]
    /// The indices of idle threads.
    var idle: [Int] = []
    var finished: [(number: Int, rating: EmojiRating)] = []

    /// Returns the next operation for a thread, or records that the thread is idle.
    mutating func takeWork(for thread: Int) -> Work? {
      guard let number = order.popNext(), let work = waiting.removeValue(forKey: number) else {
        idle.append(thread)
        return nil
      }
      running[number] = thread
      return work
    }

    /// Stores the result of an operation, and returns whether it was not cancelled before.
    mutating func finish(_ number: Int, _ rating: EmojiRating) -> Bool {
      guard running.removeValue(forKey: number) != nil else { return false }
      finished.append((number, rating))
      return true
    }
  }

  /// The messages to one thread.
  private nonisolated struct Signal {
    var work: Work?
    var cancelled: Int?
    var isEnding = false
  }

  private let state: Lock<State>
  private let signals: [Lock<Signal>]
  private let threads: [WorkerThread]

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of concurrent operations, at least 1.
  ///   - waker: The waker of the frame loop.
  /// - Throws: `ThreadError` if the system cannot start a single thread; fewer threads than the limit are accepted.
  init(limit: Int, waker: any LoopWaker) throws(ThreadError) {
    let state = Lock(State())
    var signals: [Lock<Signal>] = []
    var threads: [WorkerThread] = []
    for index in 0..<max(1, limit) {
      let signal = Lock(Signal())
      do throws(ThreadError) {
        threads.append(
          try WorkerThread(name: "load \(index)", stackBytes: 1 << 17) {
            ThreadedEngine.runOperations(onThread: index, state, signal, waker)
          })
        signals.append(signal)
      } catch {
        if threads.isEmpty { throw error }
        break
      }
    }
    self.state = state
    self.signals = signals
    self.threads = threads
  }

  deinit {
    for signal in signals { ThreadedEngine.update(signal) { $0.isEnding = true } }
    // Threads that were not joined end on their own.
    for thread in threads { thread.detach() }
  }

  private static func update(_ signal: Lock<Signal>, _ change: (inout Signal) -> Void) {
    signal.withLock { change(&$0) }
    signal.wakeAll()
  }

  /// The body of a thread, which runs one operation after another.
  private static func runOperations(
    onThread thread: Int, _ state: Lock<State>, _ signal: Lock<Signal>, _ waker: any LoopWaker
  ) {
    while let work = waitForWork(onThread: thread, state, signal) {
      let isCancelled = signal.wait(atMost: .nanoseconds(work.delay.nanoseconds)) { signal in
        signal.isEnding || signal.cancelled == work.number ? true : nil
      }
      guard isCancelled == nil else { continue }
      let rating = work.load()
      if state.withLock({ $0.finish(work.number, rating) }) { waker.wake() }
    }
  }

  /// Waits for the next operation of a thread, or returns nil at the end.
  private static func waitForWork(onThread thread: Int, _ state: Lock<State>, _ signal: Lock<Signal>) -> Work? {
    if signal.withLock({ $0.isEnding }) { return nil }
    if let work = state.withLock({ $0.takeWork(for: thread) }) { return work }
    return signal.wait { signal in
      signal.isEnding ? Work??.some(nil) : signal.work.take().map(Optional.some)
    }
  }

  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    let work = Work(number: number, delay: delay, load: load)
    let idle = state.withLock { state -> Int? in
      if let thread = state.idle.popLast() {
        state.running[number] = thread
        return thread
      }
      state.order.add(number)
      state.waiting[number] = work
      return nil
    }
    if let idle { ThreadedEngine.update(signals[idle]) { $0.work = work } }
  }

  func prioritize(_ number: Int) { state.withLock { $0.order.prioritize(number) } }

  func cancel(_ number: Int) {
    let thread = state.withLock { state -> Int? in
      state.waiting[number] = nil
      _ = state.order.remove(number)
      state.finished.removeAll { $0.number == number }
      return state.running.removeValue(forKey: number)
    }
    if let thread { ThreadedEngine.update(signals[thread]) { $0.cancelled = number } }
  }

  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)] {
    state.withLock { state in
      defer { state.finished.removeAll() }
      return state.finished
    }
  }

  func hasFinished(by now: FrameInstant) -> Bool { state.withLock { !$0.finished.isEmpty } }

  /// Unknown on a real-time clock; the threads wake the loop.
  var nextArrival: FrameInstant? { nil }

  func shutdown() {
    for signal in signals { ThreadedEngine.update(signal) { $0.isEnding = true } }
    for thread in threads { thread.join() }
  }
}
