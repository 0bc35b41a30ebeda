import TestSupport
import Testing

@testable import DataStructures

@Suite("Priority queue")
struct PriorityQueueTests {
  /// A priority that no other key has, so that the order is fixed.
  private struct Rank: Comparable {
    var number: Int
    var sequence: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.number, left.sequence) < (right.number, right.sequence)
    }
  }

  @Test("does what a sorted dictionary does, over random operations", arguments: 0..<20)
  func behavesAsTheNaiveOne(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = PriorityQueue<Int, Rank>()
    var model: [Int: Rank] = [:]
    for step in 0..<2_000 {
      let key = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let rank = Rank(number: Int.random(in: 0..<30, using: &random), sequence: step)
        queue.setPriority(rank, for: key)
        model[key] = rank
      case 6..<8:
        let smallest = model.min { $0.value < $1.value }
        let taken = queue.popFirst()
        #expect(taken?.key == smallest?.key)
        #expect(taken?.priority == smallest?.value)
        if let smallest { model[smallest.key] = nil }
      default: #expect(queue.remove(key) == model.removeValue(forKey: key))
      }
      #expect(queue.invariantViolation == nil)
      #expect(queue.count == model.count)
      #expect(queue.priority(of: key) == model[key])
      #expect(queue.first?.key == model.min { $0.value < $1.value }?.key)
    }
  }

  @Test("gives keys in the order of their priorities", arguments: [1, 2, 3, 10, 1_000])
  func sorts(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let priorities = (0..<count).shuffled(using: &random)
    var queue = PriorityQueue<String, Int>()
    for priority in priorities { queue.setPriority(priority, for: "key \(priority)") }
    var taken: [Int] = []
    while let first = queue.popFirst() { taken.append(first.priority) }
    #expect(taken == Array(0..<count))
    #expect(queue.isEmpty)
  }

  @Test("a key stands in it once, with its last priority")
  func rekeys() {
    var queue = PriorityQueue<String, Int>()
    queue.setPriority(5, for: "a")
    queue.setPriority(3, for: "b")
    queue.setPriority(1, for: "a")
    #expect(queue.count == 2)
    #expect(queue.popFirst()?.key == "a")
    queue.setPriority(9, for: "b")
    #expect(queue.first?.priority == 9)
    queue.removeAll()
    #expect(queue.isEmpty)
    #expect(queue.priority(of: "b") == nil)
  }
}
