import CollectionUI
import Testing
import VitrineTestSupport

@testable import vitrine_emoji

@Suite("A data load operation")
struct DataLoadOperationTests {
  private let rating = EmojiRating(emoji: "🦊", stars: 4)

  private func operation() -> (operation: DataLoadOperation, states: () -> [DataLoadOperation.State]) {
    let operation = DataLoadOperation(delay: .zero) { EmojiRating(emoji: "🦊", stars: 4) }
    var states: [DataLoadOperation.State] = []
    operation.onStateChange = { states.append($0) }
    return (operation, { states })
  }

  @Test("A rating is delivered once, to the handler or to the cell that takes it")
  func delivery() {
    let (awaited, states) = operation()
    var received: [EmojiRating] = []
    awaited.loadingCompleteHandler = { received.append($0) }
    awaited.complete(with: rating)
    awaited.complete(with: rating)
    #expect(received == [rating] && awaited.takeRating() == nil && states() == [.completed, .shown])
    let (ahead, otherStates) = operation()
    #expect(ahead.takeRating() == nil)
    ahead.complete(with: rating)
    #expect(ahead.state == .completed && ahead.takeRating() == rating && ahead.takeRating() == nil)
    #expect(otherStates() == [.completed, .shown])
  }

  @Test("A cancelled operation delivers nothing, and a completed one is wasted")
  func cancelling() {
    let (cancelled, states) = operation()
    cancelled.loadingCompleteHandler = { _ in Issue.record("cancelled") }
    cancelled.cancel()
    cancelled.complete(with: rating)
    cancelled.cancel()
    #expect(states() == [.cancelled] && cancelled.takeRating() == nil)
    let (done, doneStates) = operation()
    done.complete(with: rating)
    done.cancel()
    #expect(doneStates() == [.completed, .wasted] && done.takeRating() == nil)
    let (abandoned, abandonedStates) = operation()
    abandoned.loadingCompleteHandler = { _ in Issue.record("abandoned") }
    abandoned.abandon()
    #expect(abandoned.state == .pending)
    abandoned.complete(with: rating)
    #expect(abandonedStates() == [.completed, .wasted])
  }

  @Test("The emoji are unique, and their ratings are repeatable and range from one to five stars")
  func emojiAndRatings() {
    #expect(EmojiList.all.count > 600 && Set(EmojiList.all).count == EmojiList.all.count)
    #expect(EmojiList.all.allSatisfy { $0.count == 1 && $0.unicodeScalars.count == 1 })
    let store = DataStore(numberOfEmoji: 5_000, seed: 9)
    let ratings = (0..<5_000).compactMap { store.loadEmojiRating(at: $0)?.load() }
    #expect(ratings.count == 5_000 && Set(ratings.map(\.stars)) == [1, 2, 3, 4, 5])
    #expect(ratings[4_321].emoji == store.emoji(at: 4_321))
    #expect(ratings.allSatisfy { $0.text.count == 5 })
    #expect(store.loadEmojiRating(at: 5_000) == nil && store.loadEmojiRating(at: -1) == nil)
    let delays = (0..<1_000).compactMap { store.loadEmojiRating(at: $0)?.delay.milliseconds }
    #expect(delays.allSatisfy(DataStore.delays.contains) && Set(delays).count > 900)
    // The same seed produces the same rating again; another seed produces others.
    #expect(store.loadEmojiRating(at: 7)?.load() == ratings[7])
    let others = DataStore(numberOfEmoji: 5_000, seed: 10)
    #expect((0..<100).compactMap { others.loadEmojiRating(at: $0)?.load() } != Array(ratings[..<100]))
  }
}

@Suite("The loading queue")
struct LoadingQueueTests {
  private func operation(_ name: String, _ delay: FrameDuration) -> DataLoadOperation {
    DataLoadOperation(delay: delay) { EmojiRating(emoji: name, stars: 3) }
  }

  /// Advances the clock from arrival to arrival, until none is left.
  private func runUntilIdle(_ queue: LoadingQueue, _ clock: SimulatedClock) {
    while let arrival = queue.nextArrival {
      clock.wait(until: arrival)
      #expect(queue.needsFrames && queue.hasArrivals(by: clock.now()))
      queue.collect(FrameBudget(clock: clock, limit: .distantFuture, target: clock.now()))
    }
  }

  @Test("Cancelling starts the next operation, and operations with a waiting cell start first")
  func order() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 1, clock: clock, waker: SilentWaker())
    let slow = operation("slow", .seconds(3_600))
    let others = ["a", "b", "c", "d"].map { operation($0, .milliseconds(10)) }
    for operation in [slow] + others { queue.addOperation(operation) }
    var shown: [String] = []
    for index in [2, 0] { others[index].loadingCompleteHandler = { shown.append($0.emoji) } }
    #expect(queue.nextArrival == .zero + .seconds(3_600) && queue.counts.running == 5)
    slow.cancel()
    others[3].cancel()
    #expect(queue.nextArrival == .zero + .milliseconds(10))
    runUntilIdle(queue, clock)
    #expect(shown == ["c", "a"] && others[1].state == .completed)
    #expect(clock.now() == .zero + .milliseconds(30))
    #expect(queue.counts.cancelled == 2 && queue.counts.shown == 2 && queue.counts.ahead == 1)
    #expect(queue.counts.running == 0 && !queue.needsFrames)
  }

  @Test("A handler set before the operation is added gives it priority")
  func handlerSetFirst() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: 1, clock: clock, waker: SilentWaker())
    var shown: [String] = []
    let operations = ["a", "b", "c"].map { operation($0, .milliseconds(10)) }
    operations[2].loadingCompleteHandler = { shown.append($0.emoji) }
    for operation in operations { queue.addOperation(operation) }
    // The first operation is running already; the prioritized one starts before the second.
    clock.wait(until: .zero + .milliseconds(20))
    queue.collect(FrameBudget(clock: clock, limit: .distantFuture, target: clock.now()))
    #expect(shown == ["c"] && operations.map(\.state) == [.completed, .pending, .shown])
  }

  @Test("A queue with a limit below one runs one operation at a time")
  func limit() throws {
    let clock = SimulatedClock(kind: .virtual)
    let queue = try LoadingQueue(maxConcurrentOperationCount: -3, clock: clock, waker: SilentWaker())
    #expect(queue.maxConcurrentOperationCount == 1)
    let only = operation("only", .zero)
    queue.addOperation(only)
    runUntilIdle(queue, clock)
    #expect(only.state == .completed)
    queue.shutdown()
    #expect(queue.nextArrival == nil)
  }
}
