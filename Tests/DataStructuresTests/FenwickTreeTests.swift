import DataStructures
import TestSupport
import Testing

@Suite("Lengths in a row are summed and found in a few steps")
struct FenwickTreeTests {
  @Test("Sums, lengths and places are those of adding one by one, through any changes")
  func likeAddingUp() {
    var random = SeededGenerator(seed: 401)
    for _ in 0..<100 {
      var lengths = (0..<Int.random(in: 1...70, using: &random)).map { _ in
        random.chance(oneIn: 3) ? 0 : Int.random(in: 0...40, using: &random)
      }
      var tree = FenwickTree(lengths)
      for _ in 0..<6 {
        #expect(tree.count == lengths.count && tree.total == lengths.reduce(0, +))
        var start = 0
        for (place, length) in lengths.enumerated() {
          #expect(tree.sum(before: place) == start && tree[place] == length)
          start += length
        }
        #expect(tree.sum(before: lengths.count) == start)
        for distance in -2...(start + 3) {
          var expected = (place: 0, start: 0)
          var begin = 0
          for (place, length) in lengths.enumerated() {
            if begin <= distance { expected = (place, begin) }
            begin += length
          }
          let found = tree.index(at: distance)
          #expect(found.place == expected.place && found.start == expected.start)
        }
        let place = Int.random(in: lengths.indices, using: &random)
        let length = random.chance(oneIn: 4) ? 0 : Int.random(in: 0...90, using: &random)
        tree.addDelta(length - lengths[place], at: place)
        lengths[place] = length
      }
    }
  }

  @Test("A tree that was changed is the tree of the changed lengths")
  func changedIsEqual() {
    var tree = FenwickTree([3, 0, 5, 7, 1])
    tree.addDelta(4, at: 1)
    tree.addDelta(-5, at: 2)
    tree.addDelta(0, at: 4)
    #expect(tree == FenwickTree([3, 4, 0, 7, 1]))
  }

  @Test("No lengths have no sum")
  func empty() {
    let tree = FenwickTree([])
    #expect(tree.count == 0 && tree.total == 0 && tree.sum(before: 0) == 0)
  }

  @Test("A million lengths of more than ten billion together are exact")
  func million() {
    let tree = FenwickTree((0..<1_000_000).lazy.map { ($0 & 1_023) * 1_000 })
    let block = 1_023 * 512 * 1_000
    #expect(tree.sum(before: 999_424) == 976 * block)
    #expect(tree.total == 976 * block + 575 * 288 * 1_000)
    #expect(tree.index(at: 900 * block + 15_000) == (900 * 1_024 + 6, 900 * block + 15_000))
    #expect(tree.index(at: 900 * block + 20_999) == (900 * 1_024 + 6, 900 * block + 15_000))
    #expect(tree.index(at: .max).place == 999_999)
  }

  @Test("Negative lengths and places that are not there are mistakes, and say so")
  func mistakes() async throws {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FenwickTree([1, -2])
    }
    let below = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = FenwickTree([1, 2])
      tree.addDelta(-3, at: 1)
    }
    let place = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FenwickTree([1, 2]).sum(before: 3)
    }
    func text(_ result: ExitTest.Result?) throws -> String {
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }
    #expect(try text(negative).contains("A length is negative: -2."))
    #expect(try text(below).contains("A length is negative: -1."))
    #expect(try text(place).contains("There is no place 3 among 2."))
  }
}
