import FramePacing

/// Runs operations on a simulated clock, where each is done at its beginning and its delay: the same in every run.
final class ModelledEngine: OperationEngine {
  private let clock: any FrameClock
  private var queue: ModelledQueue
  private var loads: [Int: @Sendable () -> EmojiRating] = [:]

  init(limit: Int, clock: any FrameClock) {
    self.clock = clock
    queue = ModelledQueue(limit: limit)
  }

  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    loads[number] = load
    queue.add(number, delay: delay, at: clock.now())
  }

  func hurry(_ number: Int) { queue.hurry(number) }

  func cancel(_ number: Int) {
    loads[number] = nil
    queue.cancel(number, at: clock.now())
  }

  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)] {
    queue.takeFinished(by: now).compactMap { number in
      loads.removeValue(forKey: number).map { (number, $0()) }
    }
  }

  func hasFinished(by now: FrameInstant) -> Bool { nextArrival.map { $0 <= now } ?? false }

  var nextArrival: FrameInstant? { queue.nextArrival }

  func end() {
    loads.removeAll()
    queue.removeAll()
  }
}
