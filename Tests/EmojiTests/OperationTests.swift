import FramePacing
import TestSupport
import Testing

@testable import vitrine_emoji

@Suite("One operation")
struct OperationTests {
  private let rating = EmojiRating(emoji: "🦊", stars: 4)

  private func operation() -> (operation: DataLoadOperation, states: () -> [DataLoadOperation.State]) {
    let operation = DataLoadOperation(delay: .zero) { EmojiRating(emoji: "🦊", stars: 4) }
    var states: [DataLoadOperation.State] = []
    operation.onChange = { states.append($0) }
    return (operation, { states })
  }

  @Test("Whoever waits hears of it once; whoever comes later takes it once")
  func handingOver() {
    let (awaited, states) = operation()
    var heard: [EmojiRating] = []
    awaited.loadingCompleteHandler = { heard.append($0) }
    awaited.complete(with: rating)
    awaited.complete(with: rating)
    #expect(heard == [rating] && awaited.handOver() == nil && states() == [.completed, .shown])
    let (ahead, otherStates) = operation()
    #expect(ahead.handOver() == nil)
    ahead.complete(with: rating)
    #expect(ahead.state == .completed && ahead.handOver() == rating && ahead.handOver() == nil)
    #expect(otherStates() == [.completed, .shown])
  }

  @Test("What was cancelled is not heard of, though it was done; what was done is wasted")
  func givingUp() {
    let (cancelled, states) = operation()
    cancelled.loadingCompleteHandler = { _ in Issue.record("cancelled") }
    cancelled.cancel()
    cancelled.complete(with: rating)
    cancelled.cancel()
    #expect(states() == [.cancelled] && cancelled.handOver() == nil)
    let (done, doneStates) = operation()
    done.complete(with: rating)
    done.cancel()
    #expect(doneStates() == [.completed, .wasted] && done.handOver() == nil)
    let (abandoned, abandonedStates) = operation()
    abandoned.loadingCompleteHandler = { _ in Issue.record("abandoned") }
    abandoned.abandon()
    #expect(abandoned.state == .underWay)
    abandoned.complete(with: rating)
    #expect(abandonedStates() == [.completed, .wasted])
  }

  @Test("The emoji are pictures, each once, and stars are from one to five")
  func model() {
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
    // The same emoji has the same rating again; another seed has others.
    #expect(store.loadEmojiRating(at: 7)?.load() == ratings[7])
    let others = DataStore(numberOfEmoji: 5_000, seed: 10)
    #expect((0..<100).compactMap { others.loadEmojiRating(at: $0)?.load() } != Array(ratings[..<100]))
  }
}
