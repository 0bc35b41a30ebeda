import BenchmarkSupport
import DataStructures
import Testing

@Suite("The yardstick's difference")
struct HeckelDifferenceTests {
  /// What the difference makes of the old elements, with new ones taken from the target.
  private func applying(_ difference: HeckelDifference, to old: [Int], insertionsFrom new: [Int]) -> [Int] {
    let gone = Set(difference.deletes + difference.moves.map(\.from))
    var staying = old.indices.filter { !gone.contains($0) }.map { old[$0] }[...]
    var placed: [Int: Int] = [:]
    for index in difference.inserts { placed[index] = new[index] }
    for move in difference.moves { placed[move.to] = old[move.from] }
    let count = old.count - difference.deletes.count + difference.inserts.count
    return (0..<count).compactMap { index in placed[index] ?? staying.popFirst() }
  }

  @Test("leads from the old elements to the new ones, for every two orders of up to four out of five")
  func exhaustive() {
    var orders: [[Int]] = [[]]
    var longest: [[Int]] = [[]]
    for _ in 0..<4 {
      longest = longest.flatMap { order in (0..<5).filter { !order.contains($0) }.map { order + [$0] } }
      orders += longest
    }
    #expect(orders.count == 1 + 5 + 20 + 60 + 120)
    for old in orders {
      for new in orders {
        let difference = HeckelDifference(from: old, to: new)
        guard applying(difference, to: old, insertionsFrom: new) == new else {
          Issue.record("\(old) to \(new): \(difference)")
          return
        }
      }
    }
  }

  @Test("deletes what is gone and inserts what is new, each once, for random edits", arguments: 0..<50)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let edits = ScatteredEdits(count: 400, deleted: 40, inserted: 30, moved: 20, random: &random)
    let old = Array(0..<400)
    let new = edits.result
    let difference = HeckelDifference(from: old, to: new)
    #expect(difference.deletes == edits.deletions.sorted())
    #expect(difference.inserts.map { new[$0] }.sorted() == Array(400..<430))
    #expect(applying(difference, to: old, insertionsFrom: new) == new)
  }

  @Test("moves nothing that keeps its rank")
  func ranks() {
    let difference = HeckelDifference(from: [1, 2, 3, 4, 5], to: [9, 2, 3, 5, 4])
    #expect(difference.deletes == [0] && difference.inserts == [0])
    #expect(difference.moves == [.init(from: 4, to: 3), .init(from: 3, to: 4)])
  }
}
