import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("Index runs behave like a set of indices")
struct IndexRunsTests {
  @Test("Queries give the same results as those of a set")
  func queries() {
    var random = SeededGenerator(seed: 31)
    for round in 0..<300 {
      let size = 1 + round % 60
      let members = Set(
        (0..<Int.random(in: 0...size, using: &random)).map { _ in Int.random(in: 0..<size, using: &random) })
      let runs = IndexRuns(members)
      #expect(runs.count == members.count && runs.isEmpty == members.isEmpty)
      #expect(runs.ranges.flatMap(Array.init) == members.sorted())
      #expect(zip(runs.ranges, runs.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      let absent = (0..<(size + 5)).filter { !members.contains($0) }
      for index in -2..<(size + 5) {
        #expect(runs.contains(index) == members.contains(index))
        #expect(runs.count(below: index) == members.filter { $0 < index }.count)
      }
      for (ordinal, index) in absent.enumerated() { #expect(runs.absentIndex(ordinal) == index) }
    }
  }

  @Test("Appending ignores indices that are not after the last one")
  func appending() {
    var runs = IndexRuns()
    runs.append(contentsOf: 3..<6)
    runs.append(4)
    runs.append(contentsOf: 5..<8)
    runs.append(contentsOf: 0..<2)
    runs.append(contentsOf: 9..<9)
    #expect(runs.ranges == [3..<8])
    #expect(runs.count == 5)
  }

  @Test("Edits in place give the same results as those of a set", arguments: TestScale.seeds(0..<6))
  func editing(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 900)
    var runs = IndexRuns()
    var model: Set<Int> = []
    for _ in 0..<400 {
      let start = Int.random(in: 0..<300, using: &random)
      let few = (0..<Int.random(in: 0...5, using: &random)).flatMap { _ in
        let first = start + .random(in: 0..<40, using: &random)
        return first..<(first + .random(in: 1...9, using: &random))
      }
      if random.chance(oneIn: 2) {
        runs.formUnion(IndexRuns(few))
        model.formUnion(few)
      } else {
        runs.subtract(IndexRuns(few))
        model.subtract(few)
      }
      #expect(runs == IndexRuns(model))
      #expect(runs.hull == (model.min().map { $0..<(model.max()! + 1) } ?? 0..<0))
      let part = start..<(start + .random(in: 0...60, using: &random))
      #expect(runs.part(in: part) == IndexRuns(model.filter(part.contains)))
    }
  }

  @Test("Marking ranges by bits gives the same runs as sorting indices")
  func marking() {
    var random = SeededGenerator(seed: 5)
    for count in [0, 1, 3, 40] {
      let ranges = (0..<count).map { _ in
        let start = Int.random(in: -90...700, using: &random)
        return start..<(start + .random(in: 0...150, using: &random))
      }
      #expect(IndexRuns(marking: ranges).ranges == IndexRuns(ranges.flatMap { $0 }).ranges)
    }
    #expect(IndexRuns(marking: [64..<128, 0..<64, 200..<201]).ranges == [0..<128, 200..<201])
  }
}
