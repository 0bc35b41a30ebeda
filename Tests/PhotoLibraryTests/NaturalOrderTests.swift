import Testing
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("Natural order")
struct NaturalOrderTests {
  @Test(
    "Names are ordered by the values of their numbers, and without regard to case",
    arguments: [
      ["img1.jpg", "img2.jpg", "img10.jpg", "img100.jpg"],
      ["a.jpg", "B.jpg", "c.jpg"],
      ["2019", "2020", "2020b", "10000"],
      ["IMG1", "img1", "IMG2"],
      ["a01", "a1", "a02", "a2"],
      ["x0", "x00y", "x1"],
      ["1.2.10", "1.10.2"],
      ["", "a", "a0", "aa"],
    ])
  func examples(names: [String]) {
    for (index, name) in names.enumerated() {
      for (other, otherName) in names.enumerated() {
        #expect(
          NaturalOrder.precedes(Array(name.utf8), Array(otherName.utf8)) == (index < other), "\(name), \(otherName)")
      }
    }
  }

  @Test("Numbers of any length are compared")
  func longNumbers() {
    let short = Array("9".utf8) + Array(repeating: UInt8(ascii: "9"), count: 253)
    for (count, next) in [(254, 255), (255, 256), (509, 510), (510, 511), (1000, 1001)] {
      let nines = Array(repeating: UInt8(ascii: "9"), count: count)
      let ones = Array(repeating: UInt8(ascii: "1"), count: next)
      #expect(NaturalOrder.precedes(nines, ones))
      #expect(!NaturalOrder.precedes(ones, nines))
    }
    #expect(NaturalOrder.precedes(short, short + [UInt8(ascii: "a")]))
  }

  @Test("The order is a strict total order over all byte strings")
  func totalOrder() {
    var random = SeededGenerator(seed: 7)
    let names = (0..<90).map { _ in Self.name(&random) }
    for first in names {
      #expect(!NaturalOrder.precedes(first, first))
      for other in names where first != other {
        #expect(NaturalOrder.precedes(first, other) != NaturalOrder.precedes(other, first))
        guard NaturalOrder.precedes(first, other) else { continue }
        for third in names where NaturalOrder.precedes(other, third) {
          if !NaturalOrder.precedes(first, third) { Issue.record("\(first) < \(other) < \(third)") }
        }
      }
    }
  }

  @Test("A list of names is sorted in natural order")
  func sorting() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<60 {
      let names = (0..<Int.random(in: 0...80, using: &random)).map { _ in Self.name(&random) }
      var list = NameList()
      for name in names { list.append(name) }
      #expect(list.count == names.count)
      let sorted = NaturalSort.sortedIndices(of: list).map { names[$0] }
      #expect(sorted == names.sorted { NaturalOrder.precedes($0, $1) })
      #expect(NaturalSort.sortedIndices(of: list).sorted() == Array(names.indices))
    }
  }

  /// Returns a short name of few distinct characters, so that similar names are common.
  private static func name(_ random: inout SeededGenerator) -> [UInt8] {
    let letters = Array("aAbB0019._\u{E9}".utf8) + [0xFF]
    return (0..<Int.random(in: 0...14, using: &random)).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &random)]
    }
  }
}
