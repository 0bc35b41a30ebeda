import TestSupport
import Testing

@testable import DataStructures

@Suite("SummedList")
struct SummedListTests {
  struct Leaf: SummedLeaf, Equatable {
    var count: Int
    var length: Int
  }

  @Test("does what an array of leaves does, over random operations", arguments: 0..<12)
  func behavesAsAnArray(seed: Int) {
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

  /// Compares all that a list answers with what a plain array says.
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
      check(list.position(ofElement: element), holder(of: element, model.map(\.count)), model)
      let offset = Int.random(in: -2...(list.length + 2), using: &random)
      check(list.position(atOffset: offset), holder(of: offset, model.map(\.length)), model)
    }
  }

  /// The leaf at which a sum passes a number.
  private func holder(of number: Int, _ sizes: [Int]) -> Int {
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

  @Test("takes a copy's changes for the copy's own")
  func isAValue() {
    let list = SummedList((0..<200).map { Leaf(count: 1, length: $0) })
    var copy = list
    copy.update(leaf: 7) { $0.length = 1_000 }
    copy.replaceLeaves(100..<200, with: [])
    #expect(list.leafCount == 200)
    #expect(list.length == 199 * 100)
    #expect(list[leaf: 7].length == 7)
    #expect(copy.length == 99 * 50 - 7 + 1_000)
  }

  @Test("fills its blocks at least to half, whatever was done", arguments: 0..<6)
  func fillsItsBlocks(seed: Int) {
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

  @Test("adds up lengths beyond what 32 bits hold")
  func isExactFarOut() {
    let list = SummedList((0..<40_000).map { _ in Leaf(count: 256, length: 1_000_000_007) })
    #expect(list.count == 10_240_000)
    #expect(list.length == 40_000_000_280_000)
    let position = list.position(atOffset: 39_999 * 1_000_000_007)
    #expect(position.leaf == 39_999)
    #expect(position.firstElement == 39_999 * 256)
  }

  @Test("stops the program at a leaf that it has not")
  func stopsOutside() async {
    await #expect(processExitsWith: .failure) { _ = SummedList([Leaf(count: 1, length: 1)])[leaf: 1] }
    await #expect(processExitsWith: .failure) { _ = SummedList<Leaf>([]).position(ofElement: 0) }
    await #expect(processExitsWith: .failure) {
      var list = SummedList<Leaf>([])
      list.replaceLeaves(0..<1, with: [])
    }
  }
}

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
