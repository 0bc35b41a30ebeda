import BenchmarkSupport
import DataStructures
import Testing

@Suite("Scattered edits")
struct ScatteredEditsTests {
  /// The edits carried out one by one on an array.
  private func carriedOut(_ edits: ScatteredEdits) -> [Int] {
    var items = Array(0..<edits.count)
    let gone = Set(edits.deletions)
    items.removeAll { gone.contains($0) }
    for move in edits.moves { items.removeAll { $0 == move.number }; place(move, in: &items) }
    for insertion in edits.insertions { place(insertion, in: &items) }
    return items
  }

  private func place(_ placement: ScatteredEdits.Placement, in items: inout [Int]) {
    guard let anchor = items.firstIndex(of: placement.anchor) else {
      Issue.record("\(placement.anchor) is no place to stand after")
      return
    }
    items.insert(placement.number, at: anchor + 1)
  }

  @Test("come to the foretold result when carried out one by one", arguments: 0..<40)
  func result(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let count = 2 + Int.random(in: 0..<300, using: &random)
    let edits = ScatteredEdits(
      count: count, deleted: Int.random(in: 0..<(count / 2), using: &random), inserted: count / 3,
      moved: Int.random(in: 0...(count / 3), using: &random), random: &random)
    let result = edits.result
    #expect(result == carriedOut(edits))
    #expect(Set(result).count == result.count)
  }

  @Test("touch as many items as they say, all of them different")
  func counts() {
    let mix = ScatteredEdits.publishedMix(of: 1_000, seed: 2)
    #expect(mix.deletions.count == 100 && mix.insertions.count == 100 && mix.moves.count == 20)
    #expect(Set(mix.deletions + mix.moves.map(\.number)).count == 120)
    #expect(mix.insertions.map(\.number) == Array(1_000..<1_100))
    #expect(mix.result.count == 1_000)
    let few = ScatteredEdits.onePercent(of: 10_000, seed: 1)
    #expect(few.deletions.count == 40 && few.insertions.count == 40 && few.moves.count == 40)
    #expect(ScatteredEdits.onePercent(of: 2, seed: 1).result.count == 2)
  }

  @Test("are equal for equal seeds and different for others")
  func seeds() {
    #expect(ScatteredEdits.publishedMix(of: 500, seed: 7) == .publishedMix(of: 500, seed: 7))
    #expect(ScatteredEdits.publishedMix(of: 500, seed: 7) != .publishedMix(of: 500, seed: 8))
  }
}
