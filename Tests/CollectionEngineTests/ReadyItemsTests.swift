import CollectionEngine
import TestSupport
import Testing

@Suite("Items that are ready are found whatever was asked before")
struct ReadyItemsTests {
  @Test("As in a set, upwards, downwards and anywhere", arguments: 1...20 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ready = ReadyItemSet()
    for _ in 0..<3 {
      ready.removeAll()
      let items = (0..<Int.random(in: 0...60, using: &random)).map { _ in Int.random(in: 0...90, using: &random) }
      for item in Set(items).sorted() { ready.append(item) }
      for item in [Array(-1...91), (-1...91).reversed(), (0..<90).map { _ in Int.random(in: 0...90, using: &random) }]
        .joined()
      {
        let isReady = ready.contains(item)
        #expect(isReady == items.contains(item), "\(item) of \(items)")
      }
    }
  }
}
