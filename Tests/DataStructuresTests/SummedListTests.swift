import Testing
import VitrineTestSupport

@testable import VitrineDataStructures

@Suite("SummedList")
struct SummedListTests {
  struct Leaf: SummedLeaf, Equatable {
    var count: Int
    var length: Int
  }

  @Test("Matches an array of leaves over random operations", arguments: TestScale.seeds(0..<12))
  func matchesArray(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var model = random.leaves(atMost: seed.isMultiple(of: 2) ? 10 : 400)
    var list = SummedList(model)
    for _ in 0..<150 {
      if random.chance(oneIn: 3), !model.isEmpty {
        let leaf = Int.random(in: model.indices, using: &random)
        let changed = random.leaf()
        let former = list.update(leaf: leaf) { found in
          defer { found = changed }
          return found
        }
        #expect(former == model[leaf])
        model[leaf] = changed
      } else {
        let start = Int.random(in: 0...model.count, using: &random)
        let end = min(model.count, start + Int.random(in: 0...(random.chance(oneIn: 9) ? 300 : 3), using: &random))
        let leaves = random.leaves(atMost: random.chance(oneIn: 9) ? 300 : 3)
        model.replaceSubrange(start..<end, with: leaves)
        list.replaceLeaves(start..<end, with: leaves)
      }
      expectEqual(list, model, &random)
    }
  }

  /// Compares the results of a list with those of an array.
  private func expectEqual(_ list: SummedList<Leaf>, _ model: [Leaf], _ random: inout SeededGenerator) {
    #expect(list.leafCount == model.count)
    #expect(list.count == model.reduce(0) { $0 + $1.count })
    #expect(list.length == model.reduce(0) { $0 + $1.length })
    guard !model.isEmpty else { return }
    for _ in 0..<8 {
      let leaf = Int.random(in: model.indices, using: &random)
      #expect(list[leaf: leaf] == model[leaf])
      #expect(list[list.position(ofLeaf: leaf)] == model[leaf])
      check(list.position(ofLeaf: leaf), leaf, model)
      let element = Int.random(in: -2...(list.count + 2), using: &random)
      check(list.position(ofElement: element), leafIndex(containing: element, model.map(\.count)), model)
      let offset = Int.random(in: -2...(list.length + 2), using: &random)
      check(list.position(atOffset: offset), leafIndex(containing: offset, model.map(\.length)), model)
    }
  }

  /// Returns the index of the leaf at which the running sum exceeds a number.
  private func leafIndex(containing number: Int, _ sizes: [Int]) -> Int {
    var end = 0
    for (leaf, size) in sizes.enumerated() {
      end += size
      if max(0, number) < end { return leaf }
    }
    return sizes.count - 1
  }

  private func check(_ position: SummedPosition, _ leaf: Int, _ model: [Leaf]) {
    #expect(position.leaf == leaf)
    #expect(position.firstElement == model[..<leaf].reduce(0) { $0 + $1.count })
    #expect(position.start == model[..<leaf].reduce(0) { $0 + $1.length })
  }

  @Test("A copy is independent of the original")
  func hasValueSemantics() {
    let list = SummedList((0..<200).map { Leaf(count: 1, length: $0) })
    var copy = list
    copy.update(leaf: 7) { $0.length = 1_000 }
    copy.replaceLeaves(100..<200, with: [])
    #expect(list.leafCount == 200)
    #expect(list.length == 199 * 100)
    #expect(list[leaf: 7].length == 7)
    #expect(copy.length == 99 * 50 - 7 + 1_000)
  }

  @Test("Blocks are at least half full after any edits", arguments: 0..<6)
  func keepsBlocksHalfFull(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var list = SummedList(random.leaves(atMost: 2_000))
    for _ in 0..<1_500 {
      let start = Int.random(in: 0...list.leafCount, using: &random)
      let end = min(list.leafCount, start + Int.random(in: 0...2, using: &random))
      list.replaceLeaves(start..<end, with: random.leaves(atMost: 2))
    }
    #expect(list.blockSizes.count == 1 || list.blockSizes.allSatisfy { (32...64).contains($0) })
    #expect(list.blockSizes.reduce(0, +) == list.leafCount)
  }

  @Test("Sums beyond 32 bits are exact")
  func isExactBeyond32Bits() {
    let list = SummedList((0..<40_000).map { _ in Leaf(count: 256, length: 1_000_000_007) })
    #expect(list.count == 10_240_000)
    #expect(list.length == 40_000_000_280_000)
    let position = list.position(atOffset: 39_999 * 1_000_000_007)
    #expect(position.leaf == 39_999)
    #expect(position.firstElement == 39_999 * 256)
  }

  @Test("A leaf index out of range traps")
  func trapsOutOfRange() async {
    await #expect(processExitsWith: .failure) { _ = SummedList([Leaf(count: 1, length: 1)])[leaf: 1] }
    await #expect(processExitsWith: .failure) { _ = SummedList<Leaf>([]).position(ofElement: 0) }
    await #expect(processExitsWith: .failure) {
      var list = SummedList<Leaf>([])
      list.replaceLeaves(0..<1, with: [])
    }
  }
}

// MARK: - Random leaves

extension SeededGenerator {
  fileprivate mutating func leaf() -> SummedListTests.Leaf {
    SummedListTests.Leaf(
      count: chance(oneIn: 6) ? 0 : .random(in: 0...300, using: &self),
      length: chance(oneIn: 6) ? 0 : .random(in: 0...9_000, using: &self))
  }

  fileprivate mutating func leaves(atMost most: Int) -> [SummedListTests.Leaf] {
    (0..<Int.random(in: 0...most, using: &self)).map { _ in leaf() }
  }
}

// MARK: - FenwickTree

@Suite("FenwickTree")
struct FenwickTreeTests {
  @Test("Sums, lengths and indices match a linear scan through any changes")
  func matchesLinearScan() {
    var random = SeededGenerator(seed: 401)
    for _ in 0..<100 {
      var lengths = (0..<Int.random(in: 1...70, using: &random)).map { _ in
        random.chance(oneIn: 3) ? 0 : Int.random(in: 0...40, using: &random)
      }
      var tree = FenwickTree(lengths)
      for _ in 0..<6 {
        #expect(tree.count == lengths.count && tree.total == lengths.reduce(0, +))
        var start = 0
        for (index, length) in lengths.enumerated() {
          #expect(tree.sum(before: index) == start && tree[index] == length)
          start += length
        }
        #expect(tree.sum(before: lengths.count) == start)
        for distance in -2...(start + 3) {
          var expected = (index: 0, start: 0)
          var offset = 0
          for (index, length) in lengths.enumerated() {
            if offset <= distance { expected = (index, offset) }
            offset += length
          }
          let found = tree.index(at: distance)
          #expect(found.index == expected.index && found.start == expected.start)
        }
        let index = Int.random(in: lengths.indices, using: &random)
        let length = random.chance(oneIn: 4) ? 0 : Int.random(in: 0...90, using: &random)
        tree.addDelta(length - lengths[index], at: index)
        lengths[index] = length
      }
    }
  }

  @Test("A changed tree equals a tree of the changed lengths")
  func changedIsEqual() {
    var tree = FenwickTree([3, 0, 5, 7, 1])
    tree.addDelta(4, at: 1)
    tree.addDelta(-5, at: 2)
    tree.addDelta(0, at: 4)
    #expect(tree == FenwickTree([3, 4, 0, 7, 1]))
  }

  @Test("The total of an empty tree is zero")
  func empty() {
    let tree = FenwickTree([])
    #expect(tree.count == 0 && tree.total == 0 && tree.sum(before: 0) == 0)
  }

  @Test("A million lengths with a total of over ten billion are exact")
  func million() {
    let tree = FenwickTree((0..<1_000_000).lazy.map { ($0 & 1_023) * 1_000 })
    let block = 1_023 * 512 * 1_000
    #expect(tree.sum(before: 999_424) == 976 * block)
    #expect(tree.total == 976 * block + 575 * 288 * 1_000)
    #expect(tree.index(at: 900 * block + 15_000) == (900 * 1_024 + 6, 900 * block + 15_000))
    #expect(tree.index(at: 900 * block + 20_999) == (900 * 1_024 + 6, 900 * block + 15_000))
    #expect(tree.index(at: .max).index == 999_999)
  }

  @Test("A negative length or an index out of range traps with a message")
  func preconditions() async throws {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FenwickTree([1, -2])
    }
    let below = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = FenwickTree([1, 2])
      tree.addDelta(-3, at: 1)
    }
    let outOfRange = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FenwickTree([1, 2]).sum(before: 3)
    }
    func text(_ result: ExitTest.Result?) throws -> String {
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }
    #expect(try text(negative).contains("A length is negative: -2."))
    #expect(try text(below).contains("A length is negative: -1."))
    #expect(try text(outOfRange).contains("The index 3 is out of the range 0..."))
  }
}
