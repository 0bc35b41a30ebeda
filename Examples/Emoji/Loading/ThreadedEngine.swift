import FramePacing
import Threads

/// Runs operations on threads of their own, which wake the loop when one is done.
///
/// An operation blocks its thread as long as its delay, as one does that waits for a server. Such threads are the operating
/// system's: a pool with a thread a core would have operations wait for others that only wait. Each has a signal of its own,
/// so that nobody is woken but who is meant.
nonisolated final class ThreadedEngine: OperationEngine {
  private nonisolated struct Work: Sendable {
    var number: Int
    var delay: FrameDuration
    var load: @Sendable () -> EmojiRating
  }

  /// What all threads share.
  private nonisolated struct State {
    var order = OperationOrder()
    var waiting: [Int: Work] = [:]
    /// The thread that runs an operation.
    var running: [Int: Int] = [:]
    /// The threads that have nothing to do.
    var idle: [Int] = []
    var finished: [(number: Int, rating: EmojiRating)] = []

    /// Gives a thread what is next, or notes that it has nothing to do.
    mutating func next(for thread: Int) -> Work? {
      guard let number = order.next(), let work = waiting.removeValue(forKey: number) else {
        idle.append(thread)
        return nil
      }
      running[number] = thread
      return work
    }

    /// An operation was done, unless it was cancelled meanwhile.
    mutating func finish(_ number: Int, _ rating: EmojiRating) -> Bool {
      guard running.removeValue(forKey: number) != nil else { return false }
      finished.append((number, rating))
      return true
    }
  }

  /// What a thread is told.
  private nonisolated struct Signal {
    var work: Work?
    var cancelled: Int?
    var isEnding = false
  }

  private let state: Lock<State>
  private let signals: [Lock<Signal>]
  private let threads: [WorkerThread]

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - limit: how many operations run at once, at least 1.
  ///   - waker: wakes the loop.
  /// - Throws: ``ThreadError`` where the system has no thread to give; fewer than asked for are enough.
  init(limit: Int, waker: any LoopWaker) throws(ThreadError) {
    let state = Lock(State())
    var signals: [Lock<Signal>] = []
    var threads: [WorkerThread] = []
    for place in 0..<max(1, limit) {
      let signal = Lock(Signal())
      do throws(ThreadError) {
        threads.append(
          try WorkerThread(name: "load \(place)", stackBytes: 1 << 17) {
            ThreadedEngine.run(place, state, signal, waker)
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
    for signal in signals { ThreadedEngine.tell(signal) { $0.isEnding = true } }
    // Those that were not waited for end by themselves.
    for thread in threads { thread.detach() }
  }

  private static func tell(_ signal: Lock<Signal>, _ change: (inout Signal) -> Void) {
    signal.withLock { change(&$0) }
    signal.wakeAll()
  }

  /// What a thread does: one operation after the other, and nothing in between.
  private static func run(_ place: Int, _ state: Lock<State>, _ signal: Lock<Signal>, _ waker: any LoopWaker) {
    while let work = next(place, state, signal) {
      let isGivenUp = signal.wait(atMost: .nanoseconds(work.delay.nanoseconds)) { signal in
        signal.isEnding || signal.cancelled == work.number ? true : nil
      }
      guard isGivenUp == nil else { continue }
      let rating = work.load()
      if state.withLock({ $0.finish(work.number, rating) }) { waker.wake() }
    }
  }

  /// The next operation of a thread, once there is one; nothing at the end.
  private static func next(_ place: Int, _ state: Lock<State>, _ signal: Lock<Signal>) -> Work? {
    if signal.withLock({ $0.isEnding }) { return nil }
    if let work = state.withLock({ $0.next(for: place) }) { return work }
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
    if let idle { ThreadedEngine.tell(signals[idle]) { $0.work = work } }
  }

  func hurry(_ number: Int) { state.withLock { $0.order.hurry(number) } }

  func cancel(_ number: Int) {
    let thread = state.withLock { state -> Int? in
      state.waiting[number] = nil
      _ = state.order.remove(number)
      state.finished.removeAll { $0.number == number }
      return state.running.removeValue(forKey: number)
    }
    if let thread { ThreadedEngine.tell(signals[thread]) { $0.cancelled = number } }
  }

  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)] {
    state.withLock { state in
      defer { state.finished.removeAll() }
      return state.finished
    }
  }

  func hasFinished(by now: FrameInstant) -> Bool { state.withLock { !$0.finished.isEmpty } }

  /// Nobody knows, on a real clock: the threads wake the loop.
  var nextArrival: FrameInstant? { nil }

  func end() {
    for signal in signals { ThreadedEngine.tell(signal) { $0.isEnding = true } }
    for thread in threads { thread.join() }
  }
}
