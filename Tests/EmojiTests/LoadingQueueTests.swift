import FramePacing
import TestSupport
import Testing
import Views

@testable import vitrine_emoji

@Suite("A queue of operations")
struct LoadingQueueTests {
  private func operation(_ name: String, _ delay: FrameDuration) -> DataLoadOperation {
    DataLoadOperation(delay: delay) { EmojiRating(emoji: name, stars: 3) }
  }

  /// Lets time pass from arrival to arrival, until none is left.
  private func settle(_ queue: LoadingQueue, _ clock: SimulatedClock) {
    while let arrival = queue.nextArrival {
      clock.wait(until: arrival)
      #expect(queue.needsFrames && queue.hasArrivals(by: clock.now()))
      queue.collect(FrameBudget(clock: clock, limit: .distantFuture, target: clock.now()))
    }
  }

  @Test("What is cancelled makes room, and what a cell waits for comes first")
  func turns() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 1, clock: clock, waker: SilentWaker())
    let slow = operation("slow", .seconds(3_600))
    let others = ["a", "b", "c", "d"].map { operation($0, .milliseconds(10)) }
    for operation in [slow] + others { queue.addOperation(operation) }
    var told: [String] = []
    for place in [2, 0] { others[place].loadingCompleteHandler = { told.append($0.emoji) } }
    #expect(queue.nextArrival == .zero + .seconds(3_600) && queue.counts.running == 5)
    slow.cancel()
    others[3].cancel()
    #expect(queue.nextArrival == .zero + .milliseconds(10))
    settle(queue, clock)
    #expect(told == ["c", "a"] && others[1].state == .completed)
    #expect(clock.now() == .zero + .milliseconds(30))
    #expect(queue.counts.cancelled == 2 && queue.counts.shown == 2 && queue.counts.ahead == 1)
    #expect(queue.counts.running == 0 && !queue.needsFrames)
  }

  @Test("A handler that was there before its operation was added counts as waiting")
  func handlerFirst() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 1, clock: clock, waker: SilentWaker())
    var told: [String] = []
    let operations = ["a", "b", "c"].map { operation($0, .milliseconds(10)) }
    operations[2].loadingCompleteHandler = { told.append($0.emoji) }
    for operation in operations { queue.addOperation(operation) }
    // The first runs already; then what is waited for, before the second.
    clock.wait(until: .zero + .milliseconds(20))
    queue.collect(FrameBudget(clock: clock, limit: .distantFuture, target: clock.now()))
    #expect(told == ["c"] && operations.map(\.state) == [.completed, .underWay, .shown])
  }

  @Test("A queue of no operations at once runs one")
  func limit() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: -3, clock: clock, waker: SilentWaker())
    #expect(queue.maxConcurrentOperationCount == 1)
    let only = operation("only", .zero)
    queue.addOperation(only)
    settle(queue, clock)
    #expect(only.state == .completed)
    queue.end()
    #expect(queue.nextArrival == nil)
  }
}
