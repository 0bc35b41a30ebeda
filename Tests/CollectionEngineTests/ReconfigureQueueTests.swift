import CollectionEngine
import TestSupport
import Testing

@Suite("Cells on screen are configured again in order of age, then of distance")
struct ReconfigureQueueTests {
  private func all(_ queue: inout ReconfigureQueue, around place: Int) -> [Int] {
    var order: [Int] = []
    while let next = queue.popNext(distance: { Double(abs($0 - place)) }) { order.append(next) }
    return order
  }

  @Test("Of what was asked for before one frame the nearest comes first, and what is asked for twice is done once")
  func nearest() {
    var queue = ReconfigureQueue()
    for index in [1, 9, 5, 4, 9] { queue.add(index) }
    #expect(queue.count == 4)
    #expect(all(&queue, around: 5) == [5, 4, 1, 9])
    #expect(queue.isEmpty)
  }

  @Test("What waits longer comes before what is nearer, also when it is asked for once more")
  func age() {
    var queue = ReconfigureQueue()
    queue.add(40)
    queue.beginFrame()
    queue.add(5)
    queue.add(40)
    #expect(all(&queue, around: 5) == [40, 5])
  }

  @Test("What did not fit is the next one")
  func puttingBack() {
    var queue = ReconfigureQueue()
    for index in [1, 2, 3] { queue.add(index) }
    let taken = queue.popNext { Double($0) }
    #expect(taken == 1)
    queue.reinsert(1)
    queue.beginFrame()
    queue.add(0)
    #expect(all(&queue, around: 0) == [1, 2, 3, 0])
  }

  @Test("Items keep their turn when they are numbered anew; those that are gone need nothing")
  func renumbering() {
    var queue = ReconfigureQueue()
    for index in [1, 2] { queue.add(index) }
    queue.beginFrame()
    queue.add(3)
    queue.remapIndices { $0 == 2 ? nil : $0 + 10 }
    #expect(all(&queue, around: 13) == [11, 13])
    queue.add(7)
    let (first, second) = (queue.remove(7), queue.remove(7))
    #expect(first && !second)
    #expect(queue.isEmpty)
  }

  @Test("A stream of answers for what is near leaves nobody behind", arguments: 0..<10)
  func fairness(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var queue = ReconfigureQueue()
    var asked: [Int: Int] = [:]
    for frame in 0..<300 {
      queue.beginFrame()
      // Three answers a frame for a screen of thirty, where two are done.
      for _ in 0..<3 {
        let index = Int.random(in: 0..<30, using: &generator)
        queue.add(index)
        if asked[index] == nil { asked[index] = frame }
      }
      for _ in 0..<2 {
        guard let index = queue.popNext(distance: Double.init) else { continue }
        #expect(frame - (asked.removeValue(forKey: index) ?? frame) <= 15, "item \(index) waits too long")
      }
    }
  }
}
