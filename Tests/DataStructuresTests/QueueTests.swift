import Testing
import VitrineTestSupport

@testable import VitrineDataStructures

@Suite("Deque")
struct DequeTests {
  @Test("Matches an array over random operations", arguments: 0..<20)
  func matchesArray(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var deque = Deque<Int>()
    var model: [Int] = []
    for step in 0..<2_000 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        deque.append(step)
        model.append(step)
      case 4..<6:
        deque.prepend(step)
        model.insert(step, at: 0)
      case 6..<8: #expect(deque.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      case 8..<10: #expect(deque.popLast() == model.popLast())
      case 10:
        guard !model.isEmpty else { continue }
        let position = Int.random(in: 0..<model.count, using: &random)
        deque[position] = -step
        model[position] = -step
      default:
        guard Int.random(in: 0..<50, using: &random) == 0 else { continue }
        deque.removeAll(keepingCapacity: step.isMultiple(of: 2))
        model.removeAll()
      }
      #expect(deque.count == model.count)
      #expect(deque.first == model.first)
      #expect(deque.last == model.last)
    }
    #expect(Array(deque) == model)
  }

  @Test("The order survives growth while the ring buffer wraps around")
  func growsWhileWrapped() {
    var deque: Deque = [1, 2, 3, 4, 5, 6, 7, 8]
    for _ in 0..<5 { _ = deque.popFirst() }
    for value in 9...30 { deque.append(value) }
    #expect(deque.elementsEqual(6...30))
  }

  @Test("A copy is independent of the original")
  func hasValueSemantics() {
    let deque: Deque = [1, 2, 3]
    var copy = deque
    copy.prepend(0)
    _ = copy.popLast()
    #expect(deque == [1, 2, 3])
    #expect(copy == [0, 1, 2])
  }

  @Test("Releases removed elements")
  func releasesRemovedElements() {
    final class Element: Sendable {}
    var deque = Deque<Element>()
    weak var first: Element?
    weak var second: Element?
    do {
      let elements = (Element(), Element())
      (first, second) = elements
      deque.append(elements.0)
      deque.append(elements.1)
    }
    #expect(first != nil)
    _ = deque.popFirst()
    #expect(first == nil)
    deque.removeAll(keepingCapacity: true)
    #expect(second == nil)
  }

  @Test("Reserving capacity changes no element")
  func reservesCapacity() {
    var deque: Deque = [1, 2, 3]
    _ = deque.popFirst()
    deque.append(4)
    deque.reserveCapacity(100)
    #expect(deque == [2, 3, 4])
  }

  @Test("An index out of range traps")
  func trapsOutOfRange() async {
    await #expect(processExitsWith: .failure) {
      let deque: Deque = [1, 2, 3]
      _ = deque[3]
    }
  }
}

@Suite("PriorityQueue")
struct PriorityQueueTests {
  /// A unique priority, so that the order is deterministic.
  private struct Rank: Comparable {
    var number: Int
    var sequence: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.number, left.sequence) < (right.number, right.sequence)
    }
  }

  @Test("Matches a sorted dictionary over random operations", arguments: TestScale.seeds(0..<20))
  func matchesDictionary(seed: Int) {
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
        let removed = queue.popFirst()
        #expect(removed?.key == smallest?.key)
        #expect(removed?.priority == smallest?.value)
        if let smallest { model[smallest.key] = nil }
      default: #expect(queue.remove(key) == model.removeValue(forKey: key))
      }
      #expect(queue.invariantViolation == nil)
      #expect(queue.count == model.count)
      #expect(queue.priority(of: key) == model[key])
      #expect(queue.first?.key == model.min { $0.value < $1.value }?.key)
    }
  }

  @Test("Returns the keys in the order of their priorities", arguments: [1, 2, 3, 10, 1_000])
  func sorts(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let priorities = (0..<count).shuffled(using: &random)
    var queue = PriorityQueue<String, Int>()
    for priority in priorities { queue.setPriority(priority, for: "key \(priority)") }
    var removed: [Int] = []
    while let first = queue.popFirst() { removed.append(first.priority) }
    #expect(removed == Array(0..<count))
    #expect(queue.isEmpty)
  }

  @Test("A key is contained once, with its last priority")
  func changesPriority() {
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
