import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Sizes that stay with their items")
struct MeasuredSizesTests {
  @Test("Measures and edits in any order agree with an array", arguments: 0..<4)
  func random(seed: Int) {
    var random = SeededGenerator(seed: 700 + UInt64(seed))
    var sizes = MeasuredSizes(of: 1_500 * seed)
    var expected = [MeasuredSize?](repeating: nil, count: 1_500 * seed)
    for step in 0..<300 {
      if random.chance(oneIn: 3) {
        let edits = random.edits(of: expected.count, atMost: seed == 3 ? 900 : 40)
        sizes.splice(edits)
        for range in edits.removals.reversed() { expected.removeSubrange(range) }
        for range in edits.insertions {
          expected.insert(contentsOf: [MeasuredSize?](repeating: nil, count: range.count), at: range.lowerBound)
        }
      } else if !expected.isEmpty {
        let item = Int.random(in: 0..<expected.count, using: &random)
        let size = MeasuredSize(width: 1, height: .random(in: 1...1_000, using: &random))
        let outcome = sizes.record(size, ofItem: item, epoch: UInt32(step))
        #expect(outcome == (expected[item] == size ? .same : .taken))
        expected[item] = size
      }
      let from = Int.random(in: 0...expected.count, using: &random)
      #expect(sizes.firstItem(from: from) == expected.indices.first { $0 >= from && expected[$0] != nil })
      let range = from..<(from + .random(in: 0...700, using: &random))
      let within = range.map { $0 < expected.count ? expected[$0] : nil }
      #expect(sizes.sizes(ofItems: range) == within)
      #expect(sizes.count(in: range) == within.count { $0 != nil })
    }
    #expect(expected.indices.allSatisfy { sizes.size(ofItem: $0) == expected[$0] })
    #expect(sizes.count == expected.count { $0 != nil })
    #expect(sizes.lastItem == expected.lastIndex { $0 != nil })
  }

  @Test("The steps of an update tell what stays where", arguments: 0..<3)
  func steps(seed: Int) {
    var random = SeededGenerator(seed: 800 + UInt64(seed))
    for _ in 0..<200 {
      let count = Int.random(in: 0...60, using: &random)
      let edits = random.edits(of: count, atMost: 9)
      var expected = Array(0..<count)
      for range in edits.removals.reversed() { expected.removeSubrange(range) }
      for range in edits.insertions {
        expected.insert(contentsOf: Array(repeating: -1, count: range.count), at: range.lowerBound)
      }
      var result: [Int] = []
      for step in EditSteps(edits, of: count) {
        #expect(step.kept.isEmpty || result.count == step.kept.lowerBound + step.shift)
        result += Array(step.kept) + Array(repeating: -1, count: step.inserted)
      }
      #expect(result == expected)
    }
  }
}
