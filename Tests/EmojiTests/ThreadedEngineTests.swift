import FramePacing
import TestSupport
import Testing
import Views

@testable import vitrine_emoji

@Suite("Operations on threads")
struct ThreadedEngineTests {
  private static let hour = FrameDuration.seconds(3_600)

  private func rating(_ number: Int) -> EmojiRating { EmojiRating(emoji: "\(number)", stars: 1) }

  @Test("Results come once each, in any order, and wake the loop", arguments: [1, 3])
  func results(limit: Int) throws {
    let waker = TestWaker()
    let engine = try ThreadedEngine(limit: limit, waker: waker)
    defer { engine.end() }
    for number in 1...20 {
      engine.add(number, delay: .microseconds(Double(number % 4) * 200)) { EmojiRating(emoji: "\(number)", stars: 1) }
    }
    var seen: [Int: EmojiRating] = [:]
    while seen.count < 20 {
      try waker.wait(for: "a result")
      for (number, rating) in engine.takeFinished(by: .zero) {
        #expect(seen.updateValue(rating, forKey: number) == nil)
      }
    }
    #expect(seen == Dictionary(uniqueKeysWithValues: (1...20).map { ($0, rating($0)) }))
    #expect(!engine.hasFinished(by: .zero) && engine.nextArrival == nil)
  }

  @Test("What is cancelled makes room at once, however long it would take")
  func cancelling() throws {
    let waker = TestWaker()
    let engine = try ThreadedEngine(limit: 2, waker: waker)
    defer { engine.end() }
    for number in 1...3 {
      engine.add(number, delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) }
    }
    engine.add(4, delay: .zero) { EmojiRating(emoji: "4", stars: 1) }
    engine.hurry(4)
    engine.cancel(2)
    engine.cancel(3)
    // One of the first two may have waited for its turn still: then the other one holds both of the threads no more.
    engine.cancel(1)
    try waker.wait(for: "the fourth")
    #expect(engine.takeFinished(by: .zero).map(\.number) == [4])
  }

  @Test("The end is at once, with operations under way and others that wait")
  func end() throws {
    let engine = try ThreadedEngine(limit: 4, waker: TestWaker())
    for number in 1...50 {
      engine.add(number, delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) }
    }
    // Returns once every thread has ended.
    engine.end()
    #expect(!engine.hasFinished(by: .zero))
  }

  @Test("A result that was there when its operation was cancelled is never heard of")
  func lateCancel() throws {
    let waker = TestWaker()
    let clock = MonotonicClock(kind: .timer)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 2, clock: clock, waker: waker)
    defer { queue.end() }
    let budget = FrameBudget(clock: clock, limit: .distantFuture, target: .zero)
    let late = DataLoadOperation(delay: .zero) { EmojiRating(emoji: "late", stars: 1) }
    late.loadingCompleteHandler = { _ in Issue.record("shown") }
    queue.addOperation(late)
    try waker.wait(for: "the result")
    #expect(queue.needsFrames && late.state == .underWay)
    late.cancel()
    queue.collect(budget)
    #expect(late.state == .cancelled && !queue.needsFrames)
    var shown: [EmojiRating] = []
    let next = DataLoadOperation(delay: .zero) { EmojiRating(emoji: "next", stars: 2) }
    next.loadingCompleteHandler = { shown.append($0) }
    queue.addOperation(next)
    try waker.wait(for: "the next result")
    queue.collect(budget)
    #expect(shown == [EmojiRating(emoji: "next", stars: 2)] && next.state == .shown)
    #expect(queue.counts.started == 2 && queue.counts.cancelled == 1 && queue.counts.shown == 1)
  }

  @Test("Ending the queue cancels what is under way")
  func endOfQueue() throws {
    let queue = try LoadingQueue(
      maxConcurrentOperationCount: 3, clock: MonotonicClock(kind: .timer), waker: TestWaker())
    let operations = (0..<9).map { _ in DataLoadOperation(delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) } }
    for operation in operations { queue.addOperation(operation) }
    queue.end()
    #expect(operations.allSatisfy { $0.state == .cancelled })
    #expect(queue.counts.cancelled == 9 && queue.counts.running == 0 && !queue.needsFrames)
  }
}
