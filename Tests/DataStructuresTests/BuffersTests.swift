import Testing
import VitrineDataStructures
import VitrineTestSupport

@Suite("TrivialBuffer")
struct TrivialBufferTests {
  @Test("Matches an array over random operations")
  func model() {
    for seed in 0..<20 {
      var random = SplitMix64(seed: UInt64(seed))
      let buffer = TrivialBuffer<Int>(capacity: Int.random(in: 0...4, using: &random))
      let other = TrivialBuffer<Int>()
      var (model, otherModel): ([Int], [Int]) = ([], [])
      for step in 0..<200 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          buffer.append(step)
          model.append(step)
        case 5:
          other.append(step)
          otherModel.append(step)
        case 6:
          let added = buffer.append(other.unretained)
          #expect(Array(added) == otherModel)
          model += otherModel
        case 7:
          let length = Int.random(in: -1...(model.count + 1), using: &random)
          buffer.truncate(to: length)
          model = Array(model.prefix(max(0, length)))
        case 8 where !model.isEmpty:
          let index = Int.random(in: 0..<model.count, using: &random)
          buffer[index] = -step
          model[index] = -step
        default:
          if model.count > 100 {
            buffer.removeAll()
            model = []
          }
        }
        #expect(buffer.count == model.count && Array(buffer.elements) == model)
        #expect(model.isEmpty || buffer[model.count - 1] == model[model.count - 1])
      }
    }
  }

  @Test("A buffer can be appended to itself while it grows")
  func appendsToItself() {
    let buffer = TrivialBuffer<Int>(capacity: 3)
    for number in 0..<3 { buffer.append(number) }
    buffer.append(buffer.unretained)
    buffer.append(buffer.unretained)
    #expect(Array(buffer.elements) == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2])
  }

  @Test("An unretained reference reads the current elements")
  func unretained() {
    let buffer = TrivialBuffer<Int>(capacity: 1)
    let reading = buffer.unretained
    for number in 0..<50 { buffer.append(number) }
    #expect(Array(reading.elements) == Array(0..<50))
    buffer.truncate(to: 2)
    #expect(Array(reading.elements) == [0, 1])
    withExtendedLifetime(buffer) {}
  }
}

@Suite("RecentValues")
struct RecentValuesTests {
  @Test("Returns the newest values in order", arguments: [1, 2, 7, 64])
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
      let expected = all.suffix(capacity).reversed().prefix { $0 > 2 }
      #expect(values.newestValues { $0 > 2 } == expected.reversed())
    }
  }

  @Test("The minimum capacity is one")
  func minimumCapacity() {
    var values = RecentValues<Int>(capacity: 0)
    values.append(1)
    values.append(2)
    #expect(values.newestValues() == [2])
  }
}

@Suite("ReorderBuffer")
struct ReorderBufferTests {
  @Test("Returns early elements once all preceding elements have arrived")
  func earlyElements() {
    var buffer = ReorderBuffer<String>()
    #expect(buffer.insert("c", at: 2) == [])
    #expect(buffer.insert("b", at: 1) == [])
    #expect(buffer.insert("a", at: 0) == ["a", "b", "c"])
    #expect(buffer.insert("d", at: 3) == ["d"])
  }

  @Test("A nil element does not hold back the elements after it")
  func nilElements() {
    var buffer = ReorderBuffer<String>()
    #expect(buffer.insert("b", at: 1) == [])
    #expect(buffer.insert(nil, at: 0) == ["b"])
    #expect(buffer.insert(nil, at: 2) == [])
    #expect(buffer.insert("d", at: 3) == ["d"])
  }

  @Test("Returns all elements in index order for any order of arrival", arguments: 0..<20)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let elements: [Int?] = (0..<200).map { random.chance(oneIn: 4) ? nil : $0 }
    var buffer = ReorderBuffer<Int>()
    var arrived = Set<Int>()
    var delivered: [Int] = []
    for index in elements.indices.shuffled(using: &random) {
      delivered += buffer.insert(elements[index], at: index)
      arrived.insert(index)
      // Neither too early nor too late.
      let complete = elements.indices.prefix { arrived.contains($0) }
      #expect(delivered == complete.compactMap { elements[$0] })
    }
    #expect(delivered == elements.compactMap { $0 })
  }
}
