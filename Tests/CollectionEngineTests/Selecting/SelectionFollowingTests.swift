import CollectionEngine
import DiffableData
import TestSupport
import Testing

@Suite("Selected items are followed through an update in portions")
struct SelectionFollowingTests {
  @Test("It comes to what numbering all anew comes to, whatever is selected or not meanwhile", arguments: 0..<24)
  func equal(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = [0, 1, 64, 130, 700][seed % 5]
    let staying = (0..<count).filter { _ in !random.chance(oneIn: 5) }
    let places = (0..<(staying.count + seed % 70)).shuffled(using: &random)
    var numbers: [Int: Int] = [:]
    for (item, place) in zip(staying, places) { numbers[item] = place }
    let base = IndexRuns((0..<count).filter { _ in random.chance(oneIn: 2) })
    var following = SelectionRemapper(base, to: places.count)
    var steps = 0
    while !following.isComplete {
      #expect(following.remappedSelection(of: base, changedAtMost: .max) { numbers[$0] } == nil)
      var asked = 0
      let portion = Int.random(in: 1...90, using: &random)
      following.advance(atMost: portion) { item in
        asked += 1
        return numbers[item]
      }
      #expect(asked <= portion)
      steps += 1
      if steps > 2_000 { return #expect(Bool(false), "it has an end") }
    }
    let other = IndexRuns((0..<count).filter { base.contains($0) != random.chance(oneIn: 9) })
    for items in [base, other] {
      let differing = items.subtracting(base).count + base.subtracting(items).count
      var expected: [Int] = []
      items.forEach { item in if let new = numbers[item] { expected.append(new) } }
      #expect(following.remappedSelection(of: items, changedAtMost: differing) { numbers[$0] } == IndexRuns(expected))
      if differing > 0 {
        #expect(following.remappedSelection(of: items, changedAtMost: differing - 1) { numbers[$0] } == nil)
      }
    }
  }
}
