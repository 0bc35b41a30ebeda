import FramePacing
import TestSupport
import Testing

@testable import vitrine_emoji

@Suite("A queue on a simulated line of time")
struct ModelledQueueTests {
  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  @Test("What has room is done at its request and its delay; the others begin as those before them end")
  func moments() {
    var queue = ModelledQueue(limit: 2)
    queue.add(1, delay: .milliseconds(30), at: instant(0))
    queue.add(2, delay: .milliseconds(10), at: instant(0))
    queue.add(3, delay: .milliseconds(10), at: instant(5))
    queue.add(4, delay: .milliseconds(100), at: instant(5))
    #expect(queue.runningCount == 2 && queue.waitingCount == 2 && queue.nextArrival == instant(10))
    #expect(queue.takeFinished(by: instant(9)).isEmpty)
    // The third begins when the second is done, the fourth when the third is, whenever somebody asks.
    #expect(queue.takeFinished(by: instant(50)) == [2, 3, 1])
    #expect(queue.nextArrival == instant(120))
    #expect(queue.takeFinished(by: instant(119)).isEmpty && queue.takeFinished(by: instant(120)) == [4])
    #expect(queue.nextArrival == nil && queue.runningCount == 0)
  }

  @Test("What is cancelled makes room in that moment, and is never done")
  func cancelling() {
    var queue = ModelledQueue(limit: 1)
    for number in 1...4 { queue.add(number, delay: .milliseconds(20), at: instant(0)) }
    queue.cancel(3, at: instant(1))
    queue.cancel(1, at: instant(5))
    queue.cancel(77, at: instant(5))
    #expect(queue.takeFinished(by: instant(1_000)) == [2, 4])
    queue.add(5, delay: .zero, at: instant(1_000))
    queue.add(6, delay: .zero, at: instant(1_000))
    #expect(queue.nextArrival.map { $0 <= instant(1_000) } == true)
    // Done, and not taken yet.
    queue.cancel(5, at: instant(1_001))
    #expect(queue.takeFinished(by: instant(1_001)) == [6])
  }

  @Test("What a cell waits for comes before the others, in the order in which cells came to wait")
  func priorities() {
    var queue = ModelledQueue(limit: 1)
    for number in 1...6 { queue.add(number, delay: .milliseconds(1), at: instant(0)) }
    queue.hurry(5)
    queue.hurry(3)
    // It runs already.
    queue.hurry(1)
    #expect(queue.takeFinished(by: instant(100)) == [1, 5, 3, 2, 4, 6])
  }

  @Test("Never more run than may, nothing waits while there is room, and each operation ends once", arguments: 0..<40)
  func laws(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let limit = Int.random(in: 1...5, using: &random)
    var queue = ModelledQueue(limit: limit)
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
        if let awaited = open.keys.sorted().randomElement(using: &random) { queue.hurry(awaited) }
        for done in queue.takeFinished(by: now) {
          ended += 1
          guard let entry = open.removeValue(forKey: done) else {
            Issue.record("\(done) ended twice, or after it was cancelled")
            continue
          }
          #expect(entry.added + entry.delay <= now, "not before its time")
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
