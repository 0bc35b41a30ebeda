import DataStructures
import TestSupport
import Testing

@Suite("A reorder buffer")
struct ReorderBufferTests {
  @Test("gives out what came early once what stands before it has come")
  func early() {
    var buffer = ReorderBuffer<String>()
    #expect(buffer.insert("c", at: 2) == [])
    #expect(buffer.insert("b", at: 1) == [])
    #expect(buffer.insert("a", at: 0) == ["a", "b", "c"])
    #expect(buffer.insert("d", at: 3) == ["d"])
  }

  @Test("is not held back by a place that stays empty")
  func empty() {
    var buffer = ReorderBuffer<String>()
    #expect(buffer.insert("b", at: 1) == [])
    #expect(buffer.insert(nil, at: 0) == ["b"])
    #expect(buffer.insert(nil, at: 2) == [])
    #expect(buffer.insert("d", at: 3) == ["d"])
  }

  @Test("gives out all that came, in order, whatever the order of coming", arguments: 0..<20)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let elements: [Int?] = (0..<200).map { random.chance(oneIn: 4) ? nil : $0 }
    var buffer = ReorderBuffer<Int>()
    var arrived = Set<Int>()
    var given: [Int] = []
    for place in elements.indices.shuffled(using: &random) {
      given += buffer.insert(elements[place], at: place)
      arrived.insert(place)
      // Neither too early nor later than it could be.
      let whole = elements.indices.prefix { arrived.contains($0) }
      #expect(given == whole.compactMap { elements[$0] })
    }
    #expect(given == elements.compactMap { $0 })
  }
}
