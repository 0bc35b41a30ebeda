import TestSupport
import Testing

@testable import DataStructures

@Suite("Deque")
struct DequeTests {
  @Test("does what an array does, over random operations", arguments: 0..<20)
  func behavesAsAnArray(seed: Int) {
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

  @Test("keeps its order when the ring grows while it is turned")
  func growsTurned() {
    var deque: Deque = [1, 2, 3, 4, 5, 6, 7, 8]
    for _ in 0..<5 { _ = deque.popFirst() }
    for value in 9...30 { deque.append(value) }
    #expect(deque.elementsEqual(6...30))
  }

  @Test("is a value: a copy does not see what becomes of the other")
  func isAValue() {
    let deque: Deque = [1, 2, 3]
    var copy = deque
    copy.prepend(0)
    _ = copy.popLast()
    #expect(deque == [1, 2, 3])
    #expect(copy == [0, 1, 2])
  }

  @Test("lets go of the elements that are taken out")
  func letsGo() {
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

  @Test("reserving room changes no element")
  func reserves() {
    var deque: Deque = [1, 2, 3]
    _ = deque.popFirst()
    deque.append(4)
    deque.reserveCapacity(100)
    #expect(deque == [2, 3, 4])
  }

  @Test("stops the program at a position that it has not")
  func stopsOutside() async {
    await #expect(processExitsWith: .failure) {
      let deque: Deque = [1, 2, 3]
      _ = deque[3]
    }
  }
}
