import DataStructures
import Testing

@Suite("A buffer of plain values")
struct TrivialBufferTests {
  @Test("holds what an array would, whatever is done to it")
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
          let place = Int.random(in: 0..<model.count, using: &random)
          buffer[place] = -step
          model[place] = -step
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

  @Test("can be added to itself while it grows")
  func toItself() {
    let buffer = TrivialBuffer<Int>(capacity: 3)
    for number in 0..<3 { buffer.append(number) }
    buffer.append(buffer.unretained)
    buffer.append(buffer.unretained)
    #expect(Array(buffer.elements) == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2])
  }

  @Test("is read through an unheld value as it is now")
  func unheld() {
    let buffer = TrivialBuffer<Int>(capacity: 1)
    let reading = buffer.unretained
    for number in 0..<50 { buffer.append(number) }
    #expect(Array(reading.elements) == Array(0..<50))
    buffer.truncate(to: 2)
    #expect(Array(reading.elements) == [0, 1])
    withExtendedLifetime(buffer) {}
  }
}
