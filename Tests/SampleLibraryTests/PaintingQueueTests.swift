import Testing

@testable import SampleLibrary

@Suite("The painting queue")
struct PaintingQueueTests {
  @Test("Pictures finished in any order are shown once each, in order", arguments: 0..<40)
  func order(seed: Int) {
    var random = PaintRandom(seed: UInt64(seed), 7)
    let total = random.below(40)
    var queue = PaintingQueue(total: total)
    var claimed: [Int] = []
    var shown: [Int] = []
    var finished: Set<Int> = []
    while !queue.isOver {
      if random.chance(0.5), let index = queue.claim() { claimed.append(index) }
      if random.chance(0.5), !claimed.isEmpty {
        let index = claimed.remove(at: random.below(claimed.count))
        finished.insert(index)
        let before = shown.count
        let isMore = queue.finish(index)
        if random.chance(0.5) { shown += queue.takeReady() }
        if shown.count > before { #expect(isMore || before < shown.count) }
      }
      #expect(queue.progress == SampleProgress(done: finished.count, total: total))
      #expect(shown.allSatisfy(finished.contains))
    }
    shown += queue.takeReady()
    #expect(shown == Array(0..<total))
    let none = queue.claim()
    #expect(none == nil)
  }

  @Test("There is more to show only when the gap before a picture closes")
  func gaps() {
    var queue = PaintingQueue(total: 3)
    let isMore = [2, 0, 0, 1].map { queue.finish($0) }
    #expect(isMore == [false, true, false, true])
    let ready = queue.takeReady()
    #expect(ready == 0..<3)
    let rest = queue.takeReady()
    #expect(rest.isEmpty)
  }

  @Test("After a stop nothing is given out, and what is finished still counts")
  func stops() {
    var queue = PaintingQueue(total: 5)
    let given = [queue.claim(), queue.claim()]
    #expect(given == [0, 1])
    queue.stop()
    let refused = queue.claim()
    #expect(refused == nil)
    #expect(queue.isOver)
    let isMore = queue.finish(0)
    #expect(isMore)
    #expect(queue.progress.done == 1)
    let ready = queue.takeReady()
    #expect(ready == 0..<1)
  }

  @Test("Numbers that are no picture's are nobody's", arguments: [-1, 4, 1_000])
  func strangers(index: Int) {
    var queue = PaintingQueue(total: 4)
    let isMore = queue.finish(index)
    #expect(!isMore)
    #expect(queue.progress.done == 0)
  }
}
