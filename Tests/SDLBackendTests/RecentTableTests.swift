import SDLBackend
import TestSupport
import Testing

@Suite("What was used lately is kept, within bounds")
struct RecentTableTests {
  @Test("A value is found until it is forgotten, and never another's", arguments: 1...20 as ClosedRange<UInt64>)
  func bounds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let capacity = 100
    var table = GenerationalCache<Int, Int>(capacity: capacity)
    for step in 0..<1_000 {
      let key = Int.random(in: 0..<60, using: &random)
      if Bool.random(using: &random) {
        table.insert(key * 1_000, for: key, cost: .random(in: 0...30, using: &random))
        let value = table.value(for: key)
        #expect(value == key * 1_000, "step \(step)")
      } else if let value = table.value(for: key) {
        #expect(value == key * 1_000)
      }
      #expect(table.cost <= 2 * capacity && table.cost >= 0)
    }
  }

  @Test("What is used again stays while others go")
  func used() {
    var table = GenerationalCache<Int, String>(capacity: 10)
    table.insert("kept", for: 0)
    for key in 1...500 {
      table.insert("other", for: key)
      let kept = table.value(for: 0)
      #expect(kept == "kept" && table.count <= 20)
    }
    let forgotten = table.value(for: 1)
    #expect(forgotten == nil)
  }

  @Test("What costs more than the capacity is not kept, and takes its former value along")
  func tooLarge() {
    var table = GenerationalCache<Int, String>(capacity: 10)
    table.insert("small", for: 1, cost: 4)
    table.insert("large", for: 1, cost: 11)
    let gone = table.value(for: 1)
    #expect(gone == nil && table.cost == 0 && table.count == 0)
  }

  @Test("A value noted again counts once")
  func again() {
    var table = GenerationalCache<Int, Int>(capacity: 10)
    for value in 0..<50 { table.insert(value, for: 1, cost: 6) }
    let latest = table.value(for: 1)
    #expect(latest == 49 && table.cost == 6 && table.count == 1)
  }
}
