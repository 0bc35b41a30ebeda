import FramePacing
import Threads

/// Runs operations on threads of their own, which wake the loop when one is done.
///
/// An operation blocks its thread as long as its delay, as one does that waits for a server. Such threads are the operating
/// system's: a pool with a thread a core would have operations wait for others that only wait. Cancelling wakes it.
nonisolated final class ThreadedEngine: OperationEngine {
  private nonisolated struct Work: Sendable {
    var number: Int
    var delay: FrameDuration
    var load: @Sendable () -> EmojiRating
  }

  private nonisolated struct State {
    var order = OperationOrder()
    var waiting: [Int: Work] = [:]
    var running: Set<Int> = []
    var finished: [(number: Int, rating: EmojiRating)] = []
    var isEnding = false

    mutating func begin() -> Work? {
      guard let number = order.next(), let work = waiting.removeValue(forKey: number) else { return nil }
      running.insert(number)
      return work
    }
  }

  private let state: Lock<State>
  private let threads: [WorkerThread]

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - limit: how many operations run at once, at least 1.
  ///   - waker: wakes the loop.
  /// - Throws: ``ThreadError`` where the system has no thread to give; fewer than asked for are enough.
  init(limit: Int, waker: any LoopWaker) throws(ThreadError) {
    let state = Lock(State())
    var threads: [WorkerThread] = []
    for place in 0..<max(1, limit) {
      do throws(ThreadError) {
        threads.append(try WorkerThread(name: "load \(place)") { ThreadedEngine.work(state, waker) })
      } catch {
        if threads.isEmpty { throw error }
        break
      }
    }
    self.state = state
    self.threads = threads
  }

  deinit {
    state.withLock { $0.isEnding = true }
    state.wakeAll()
    // Those that were not waited for end by themselves.
    for thread in threads { thread.detach() }
  }

  private static func work(_ state: Lock<State>, _ waker: any LoopWaker) {
    while let work = state.wait(until: { $0.isEnding ? Work??.some(nil) : $0.begin().map(Optional.some) }) {
      let isGivenUp = state.wait(atMost: .nanoseconds(work.delay.nanoseconds)) { state in
        state.isEnding || !state.running.contains(work.number) ? true : nil
      }
      guard isGivenUp == nil else { continue }
      let rating = work.load()
      let isNews = state.withLock { state in
        guard state.running.remove(work.number) != nil else { return false }
        state.finished.append((work.number, rating))
        return true
      }
      if isNews { waker.wake() }
    }
  }

  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    state.withLock { state in
      state.order.add(number)
      state.waiting[number] = Work(number: number, delay: delay, load: load)
    }
    state.wakeAll()
  }

  func hurry(_ number: Int) { state.withLock { $0.order.hurry(number) } }

  func cancel(_ number: Int) {
    state.withLock { state in
      state.waiting[number] = nil
      _ = state.order.remove(number)
      state.running.remove(number)
      state.finished.removeAll { $0.number == number }
    }
    state.wakeAll()
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
    state.withLock { $0.isEnding = true }
    state.wakeAll()
    for thread in threads { thread.join() }
  }
}
