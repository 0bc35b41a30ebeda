import CollectionUI
import Testing
import VitrineTestSupport

@testable import vitrine_emoji

@Suite("The simulated queue")
struct SimulatedQueueTests {
  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  @Test("Operations complete one delay after their start, and waiting ones start when others complete")
  func completionTimes() {
    var queue = SimulatedQueue(limit: 2)
    queue.add(1, delay: .milliseconds(30), at: instant(0))
    queue.add(2, delay: .milliseconds(10), at: instant(0))
    queue.add(3, delay: .milliseconds(10), at: instant(5))
    queue.add(4, delay: .milliseconds(100), at: instant(5))
    #expect(queue.runningCount == 2 && queue.waitingCount == 2 && queue.nextArrival == instant(10))
    #expect(queue.takeFinished(by: instant(9)).isEmpty)
    // The third starts when the second completes, the fourth when the third does, however late the query.
    #expect(queue.takeFinished(by: instant(50)) == [2, 3, 1])
    #expect(queue.nextArrival == instant(120))
    #expect(queue.takeFinished(by: instant(119)).isEmpty && queue.takeFinished(by: instant(120)) == [4])
    #expect(queue.nextArrival == nil && queue.runningCount == 0)
  }

  @Test("A cancelled operation makes room immediately and never completes")
  func cancelling() {
    var queue = SimulatedQueue(limit: 1)
    for number in 1...4 { queue.add(number, delay: .milliseconds(20), at: instant(0)) }
    queue.cancel(3, at: instant(1))
    queue.cancel(1, at: instant(5))
    queue.cancel(77, at: instant(5))
    #expect(queue.takeFinished(by: instant(1_000)) == [2, 4])
    queue.add(5, delay: .zero, at: instant(1_000))
    queue.add(6, delay: .zero, at: instant(1_000))
    #expect(queue.nextArrival.map { $0 <= instant(1_000) } == true)
    // Completed, and not taken yet.
    queue.cancel(5, at: instant(1_001))
    #expect(queue.takeFinished(by: instant(1_001)) == [6])
  }

  @Test("Operations with a waiting cell start first, in the order of their priority requests")
  func priorities() {
    var queue = SimulatedQueue(limit: 1)
    for number in 1...6 { queue.add(number, delay: .milliseconds(1), at: instant(0)) }
    queue.prioritize(5)
    queue.prioritize(3)
    // This one is running already.
    queue.prioritize(1)
    #expect(queue.takeFinished(by: instant(100)) == [1, 5, 3, 2, 4, 6])
  }

  @Test("The limit is respected, no operation waits below it, and each completes at most once", arguments: 0..<40)
  func invariants(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let limit = Int.random(in: 1...5, using: &random)
    var queue = SimulatedQueue(limit: limit)
    var now = FrameInstant.zero
    var open: [Int: (added: FrameInstant, delay: FrameDuration)] = [:]
    var ended = 0
    for number in 0..<300 {
      now = now + .milliseconds(Double.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0...2:
        let delay = FrameDuration.milliseconds(Double.random(in: 0...40, using: &random))
        queue.add(number, delay: delay, at: now)
        open[number] = (now, delay)
      case 3:
        guard let victim = open.keys.sorted().randomElement(using: &random) else { break }
        queue.cancel(victim, at: now)
        open[victim] = nil
      default:
        if let awaited = open.keys.sorted().randomElement(using: &random) { queue.prioritize(awaited) }
        for done in queue.takeFinished(by: now) {
          ended += 1
          guard let entry = open.removeValue(forKey: done) else {
            Issue.record("\(done) ended twice, or after it was cancelled")
            continue
          }
          #expect(entry.added + entry.delay <= now, "completed before its time")
        }
      }
      #expect(queue.runningCount <= limit)
      #expect(queue.waitingCount == 0 || queue.runningCount == limit)
    }
    let rest = queue.takeFinished(by: now + .seconds(1_000))
    #expect(Set(rest) == Set(open.keys) && rest.count == open.count)
    #expect(ended > 10)
  }
}

@Suite("Operations on threads")
struct ThreadedEngineTests {
  private static let hour = FrameDuration.seconds(3_600)

  private func rating(_ number: Int) -> EmojiRating { EmojiRating(emoji: "\(number)", stars: 1) }

  @Test("Each result arrives once, and wakes the loop", arguments: [1, 3])
  func results(limit: Int) throws {
    let waker = TestWaker()
    let engine = try ThreadedEngine(limit: limit, waker: waker)
    defer { engine.shutdown() }
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

  @Test("Cancelling an operation makes room immediately, whatever its delay")
  func cancelling() throws {
    let waker = TestWaker()
    let engine = try ThreadedEngine(limit: 2, waker: waker)
    defer { engine.shutdown() }
    for number in 1...3 {
      engine.add(number, delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) }
    }
    engine.add(4, delay: .zero) { EmojiRating(emoji: "4", stars: 1) }
    engine.prioritize(4)
    engine.cancel(2)
    engine.cancel(3)
    // Whichever of the first two operations had not started, no operation occupies a thread now.
    engine.cancel(1)
    try waker.wait(for: "the fourth")
    #expect(engine.takeFinished(by: .zero).map(\.number) == [4])
  }

  @Test("Shutting down ends running and waiting operations immediately")
  func shutdown() throws {
    let engine = try ThreadedEngine(limit: 4, waker: TestWaker())
    for number in 1...50 {
      engine.add(number, delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) }
    }
    // Returns after every thread has ended.
    engine.shutdown()
    #expect(!engine.hasFinished(by: .zero))
  }

  @Test("A result that was available before the cancellation is not delivered")
  func cancelAfterResult() throws {
    let waker = TestWaker()
    let clock = MonotonicClock(kind: .timer)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 2, clock: clock, waker: waker)
    defer { queue.shutdown() }
    let budget = FrameBudget(clock: clock, limit: .distantFuture, target: .zero)
    let late = DataLoadOperation(delay: .zero) { EmojiRating(emoji: "late", stars: 1) }
    late.loadingCompleteHandler = { _ in Issue.record("shown") }
    queue.addOperation(late)
    try waker.wait(for: "the result")
    #expect(queue.needsFrames && late.state == .pending)
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

  @Test("Shutting down the queue cancels its operations")
  func queueShutdown() throws {
    let queue = try LoadingQueue(
      maxConcurrentOperationCount: 3, clock: MonotonicClock(kind: .timer), waker: TestWaker())
    let operations = (0..<9).map { _ in DataLoadOperation(delay: Self.hour) { EmojiRating(emoji: "never", stars: 1) } }
    for operation in operations { queue.addOperation(operation) }
    queue.shutdown()
    #expect(operations.allSatisfy { $0.state == .cancelled })
    #expect(queue.counts.cancelled == 9 && queue.counts.running == 0 && !queue.needsFrames)
  }
}
