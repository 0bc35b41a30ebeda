import BenchmarkSupport
import FoundationEssentials
import Testing
import VitrineDataStructures

@Suite("Benchmark identifiers")
struct BenchmarkIdentifierTests {
  private func check<ID: BenchmarkIdentifier>(_: ID.Type) {
    let first = (0..<10_000).map(ID.identifier)
    #expect(first == (0..<10_000).map(ID.identifier))
    #expect(Set(first).count == 10_000)
  }

  @Test("Identifiers are equal for equal numbers and different for different ones")
  func distinct() {
    check(Int.self)
    check(UUID.self)
    check(String.self)
  }

  @Test("String identifiers have 32 bytes of ASCII")
  func text() {
    for number in [0, 1, -1, .max, .min, 123_456] {
      let text = String.identifier(of: number)
      #expect(text.utf8.count == 32)
      #expect(text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) })
    }
  }
}

@Suite("Scattered edits")
struct ScatteredEditsTests {
  /// Returns the result of applying the edits one by one to an array.
  private func applied(_ edits: ScatteredEdits) -> [Int] {
    var items = Array(0..<edits.count)
    let removed = Set(edits.deletions)
    items.removeAll { removed.contains($0) }
    for move in edits.moves { items.removeAll { $0 == move.number }; insert(move, in: &items) }
    for insertion in edits.insertions { insert(insertion, in: &items) }
    return items
  }

  private func insert(_ placement: ScatteredEdits.Placement, in items: inout [Int]) {
    guard let anchor = items.firstIndex(of: placement.anchor) else {
      Issue.record("The anchor \(placement.anchor) is missing.")
      return
    }
    items.insert(placement.number, at: anchor + 1)
  }

  @Test("Applying the edits one by one produces the predicted result", arguments: 0..<40)
  func result(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let count = 2 + Int.random(in: 0..<300, using: &random)
    let edits = ScatteredEdits(
      count: count, deleted: Int.random(in: 0..<(count / 2), using: &random), inserted: count / 3,
      moved: Int.random(in: 0...(count / 3), using: &random), random: &random)
    let result = edits.result
    #expect(result == applied(edits))
    #expect(Set(result).count == result.count)
  }

  @Test("Edits affect the specified number of distinct items")
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

  @Test("Edits are equal for equal seeds and different for different ones")
  func seeds() {
    #expect(ScatteredEdits.publishedMix(of: 500, seed: 7) == .publishedMix(of: 500, seed: 7))
    #expect(ScatteredEdits.publishedMix(of: 500, seed: 7) != .publishedMix(of: 500, seed: 8))
  }
}

@Suite("Heckel's diff")
struct HeckelDifferenceTests {
  /// Returns the result of applying a diff to the old elements, with inserted elements from the new ones.
  private func applying(_ difference: HeckelDifference, to old: [Int], insertionsFrom new: [Int]) -> [Int] {
    let removed = Set(difference.deletes + difference.moves.map(\.from))
    var remaining = old.indices.filter { !removed.contains($0) }.map { old[$0] }[...]
    var inserted: [Int: Int] = [:]
    for index in difference.inserts { inserted[index] = new[index] }
    for move in difference.moves { inserted[move.to] = old[move.from] }
    let count = old.count - difference.deletes.count + difference.inserts.count
    return (0..<count).compactMap { index in inserted[index] ?? remaining.popFirst() }
  }

  @Test("The diff transforms any arrangement of up to four of five elements into any other")
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

  @Test("Random edits produce the minimal deletions and insertions", arguments: 0..<50)
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

  @Test("Elements that keep their rank are not moved")
  func ranks() {
    let difference = HeckelDifference(from: [1, 2, 3, 4, 5], to: [9, 2, 3, 5, 4])
    #expect(difference.deletes == [0] && difference.inserts == [0])
    #expect(difference.moves == [.init(from: 4, to: 3), .init(from: 3, to: 4)])
  }
}
