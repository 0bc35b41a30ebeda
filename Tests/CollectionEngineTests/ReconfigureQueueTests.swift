import Testing
import VitrineCollectionEngine
import VitrineTestSupport

@Suite("Displayed cells are reconfigured in order of age, then of distance")
struct ReconfigureQueueTests {
  private func popAll(_ queue: inout ReconfigureQueue, around index: Int) -> [Int] {
    var order: [Int] = []
    while let next = queue.popNext(distance: { Double(abs($0 - index)) }) { order.append(next) }
    return order
  }

  @Test("Among the requests of one frame the nearest comes first, and a repeated request is handled once")
  func nearest() {
    var queue = ReconfigureQueue()
    for index in [1, 9, 5, 4, 9] { queue.add(index) }
    #expect(queue.count == 4)
    #expect(popAll(&queue, around: 5) == [5, 4, 1, 9])
    #expect(queue.isEmpty)
  }

  @Test("An older request comes before a nearer one, even if it is repeated")
  func age() {
    var queue = ReconfigureQueue()
    queue.add(40)
    queue.beginFrame()
    queue.add(5)
    queue.add(40)
    #expect(popAll(&queue, around: 5) == [40, 5])
  }

  @Test("A reinserted item comes next")
  func reinsertion() {
    var queue = ReconfigureQueue()
    for index in [1, 2, 3] { queue.add(index) }
    let popped = queue.popNext { Double($0) }
    #expect(popped == 1)
    queue.reinsert(1)
    queue.beginFrame()
    queue.add(0)
    #expect(popAll(&queue, around: 0) == [1, 2, 3, 0])
  }

  @Test("Items keep their order when they are renumbered, and deleted items are removed")
  func renumbering() {
    var queue = ReconfigureQueue()
    for index in [1, 2] { queue.add(index) }
    queue.beginFrame()
    queue.add(3)
    queue.apply(IndexMap { $0 == 2 ? nil : $0 + 10 })
    #expect(popAll(&queue, around: 13) == [11, 13])
    queue.add(7)
    let (first, second) = (queue.remove(7), queue.remove(7))
    #expect(first && !second)
    #expect(queue.isEmpty)
  }

  @Test("A steady stream of near requests does not starve distant items", arguments: 0..<10)
  func fairness(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var queue = ReconfigureQueue()
    var requested: [Int: Int] = [:]
    for frame in 0..<300 {
      queue.beginFrame()
      // Three requests per frame for a screen of 30 items, of which two are handled.
      for _ in 0..<3 {
        let index = Int.random(in: 0..<30, using: &generator)
        queue.add(index)
        if requested[index] == nil { requested[index] = frame }
      }
      for _ in 0..<2 {
        guard let index = queue.popNext(distance: Double.init) else { continue }
        #expect(frame - (requested.removeValue(forKey: index) ?? frame) <= 15, "item \(index) waits too long")
      }
    }
  }
}
