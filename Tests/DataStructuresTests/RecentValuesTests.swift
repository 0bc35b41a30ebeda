import DataStructures
import TestSupport
import Testing

@Suite("Of a run of values the last ones are kept")
struct RecentValuesTests {
  @Test("They are those that an array would end with, whatever is added", arguments: [1, 2, 7, 64])
  func model(capacity: Int) {
    var generator = SeededGenerator(seed: UInt64(capacity))
    var values = RecentValues<Int>(capacity: capacity)
    var all: [Int] = []
    #expect(values.newestValues() == [])
    for _ in 0..<200 {
      let value = Int.random(in: 0..<10, using: &generator)
      values.append(value)
      all.append(value)
      #expect(values.count == all.count && values.storedCount == min(capacity, all.count))
      #expect(values.value(atAge: 0) == value)
      #expect(values.value(atAge: values.storedCount - 1) == all.suffix(capacity).first)
      #expect(values.newestValues() == Array(all.suffix(capacity)))
      let wanted = all.suffix(capacity).reversed().prefix { $0 > 2 }
      #expect(values.newestValues { $0 > 2 } == wanted.reversed())
    }
  }

  @Test("Room for none is room for one")
  func least() {
    var values = RecentValues<Int>(capacity: 0)
    values.append(1)
    values.append(2)
    #expect(values.newestValues() == [2])
  }
}
