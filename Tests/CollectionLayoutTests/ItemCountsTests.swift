import CollectionLayout
import TestSupport
import Testing

@Suite("Items are counted through all sections")
struct ItemCountsTests {
  @Test("Places and indexes are inverse")
  func inverse() {
    var random = SeededGenerator(seed: 71)
    for _ in 0..<300 {
      let counts = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: -1...6, using: &random) }
      let items = ItemCounts(counts)
      #expect(items.numberOfSections == counts.count)
      #expect(items.total == counts.reduce(0) { $0 + max(0, $1) })
      var index = 0
      for (section, count) in counts.enumerated() {
        #expect(items.items(inSection: section) == index..<(index + max(0, count)))
        for item in 0..<max(0, count) {
          #expect(items.index(section: section, item: item) == index)
          let position = items.position(of: index)
          #expect(position?.section == section && position?.item == item)
          index += 1
        }
        #expect(items.index(section: section, item: max(0, count)) == nil)
      }
      #expect(items.position(of: index) == nil && items.position(of: -1) == nil)
      #expect(items.index(section: counts.count, item: 0) == nil && items.index(section: -1, item: 0) == nil)
    }
  }

  @Test("More than there can be is not counted")
  func most() {
    let items = ItemCounts([.max, 5, .min, .max])
    #expect(items.total == ItemCounts.most)
    #expect(items.items(inSection: 1).isEmpty && items.items(inSection: 3).isEmpty)
  }
}
