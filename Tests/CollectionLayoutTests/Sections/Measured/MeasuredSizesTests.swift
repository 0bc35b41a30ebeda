import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Storage of measured sizes")
struct MeasuredSizesTests {
  @Test("Random measurements and edits equal those of an array", arguments: 0..<4)
  func randomEdits(seed: Int) {
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
        let outcome = sizes.record(size, ofItem: item, burst: UInt32(step))
        #expect(outcome == (expected[item] == size ? .unchanged : .recorded))
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

  @Test("The steps of an update describe what is retained and what is inserted", arguments: 0..<3)
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
        #expect(step.retained.isEmpty || result.count == step.retained.lowerBound + step.shift)
        result += Array(step.retained) + Array(repeating: -1, count: step.inserted)
      }
      #expect(result == expected)
    }
  }
}

// MARK: - Unstable sizes

@Suite("Cells with unstable preferred sizes")
struct UnstableCellTests {
  private func body(_ items: Int = 100, scale: Double = 1) -> MeasuredBody {
    let container = SectionContainer.plain(scale: scale)
    return MeasuredBody(of: items, group: RowGroup.rows(container), in: container)
  }

  @Test("A cell that alternates between two sizes keeps the larger one and is not measured again")
  func alternation() {
    var body = body()
    var results: [PreferredSizeResult] = []
    for step in 0..<50 {
      results.append(body.setPreferredSize(width: 320, height: step % 2 == 0 ? 60 : 90, ofItem: 7))
    }
    #expect(results.prefix(4) == [.changed, .changed, .changed, .frozen(90)])
    #expect(results.dropFirst(4).allSatisfy { $0 == .unchanged })
    #expect(body.frame(ofItem: 7).height == 90)
    #expect(!body.usesPreferredSize(ofItem: 7))
    #expect(body.usesPreferredSize(ofItem: 8))
  }

  @Test("The largest of all sizes is kept, even if it was the first")
  func largestSize() {
    var body = body(scale: 2)
    for height in [300, 40, 60] { _ = body.setPreferredSize(width: 640, height: height, ofItem: 3) }
    let result = body.setPreferredSize(width: 640, height: 50, ofItem: 3)
    #expect(result == .frozen(150))
    #expect(body.frame(ofItem: 3).height == 300)
  }

  @Test("A cell that keeps growing, as a text that arrives, is not stopped")
  func growth() {
    var body = body()
    var changes = 0
    for height in 1...1_000 where body.setPreferredSize(width: 320, height: 50 + height, ofItem: 0) == .changed {
      changes += 1
    }
    #expect(changes == 1_000 && body.frame(ofItem: 0).height == 1_050)
    #expect(body.length == 99 * body.frame(ofItem: 99).height + body.frame(ofItem: 0).height)
  }

  @Test("A cell that is expanded and collapsed in bursts of its own is not stopped")
  func bursts() {
    var body = body()
    for burst in 0..<40 {
      let height = burst.isMultiple(of: 2) ? 80 : 200
      #expect(body.setPreferredSize(width: 320, height: height, ofItem: 4, burst: UInt32(burst)) == .changed)
      #expect(body.frame(ofItem: 4).height == height)
    }
  }

  @Test("An item whose size was fixed may change it again after it was permitted")
  func unfreezing() {
    var body = body()
    for step in 0..<9 { _ = body.setPreferredSize(width: 320, height: 60 + 30 * (step % 2), ofItem: 7) }
    #expect(!body.usesPreferredSize(ofItem: 7))
    body.unfreezeSize(ofItem: 7)
    body.unfreezeSize(ofItem: 8)
    #expect(body.usesPreferredSize(ofItem: 7))
    #expect(body.setPreferredSize(width: 320, height: 20, ofItem: 7) == .changed)
    #expect(body.frame(ofItem: 7).height == 20)
  }

  @Test("Alternating once per frame has the same result as alternating within a frame")
  func alternationAcrossFrames() {
    var body = body()
    var results: [PreferredSizeResult] = []
    for frame in 0..<8 {
      _ = body.finalizeFrames(in: 0..<480)
      results.append(body.setPreferredSize(width: 320, height: 60 + 10 * (frame % 2), ofItem: 1))
    }
    #expect(results.filter { $0 == .changed }.count == 3)
    #expect(results.contains(.frozen(70)))
  }

  @Test("After an update a cell may change its size again, unless it was stopped")
  func editsResetChanges() {
    var body = body()
    for round in 0..<20 {
      let first = body.setPreferredSize(width: 320, height: 60 + round, ofItem: 2)
      #expect(first == .changed)
      body.splice(SectionEdits(section: 0, dataChanges: [2..<3]))
    }
    for height in [10, 40, 10, 40] { _ = body.setPreferredSize(width: 320, height: height, ofItem: 5) }
    #expect(!body.usesPreferredSize(ofItem: 5))
    body.splice(SectionEdits(section: 0, removals: [0..<1], insertions: [1..<4]))
    #expect(!body.usesPreferredSize(ofItem: 7))
    let result = body.setPreferredSize(width: 320, height: 99, ofItem: 7)
    #expect(result == .unchanged)
    #expect(body.frame(ofItem: 7).height == 40)
  }

  @Test("An equal size and an unused side change nothing")
  func unchangedSizes() {
    var body = body()
    let first = body.setPreferredSize(width: 5_000, height: 44, ofItem: 4)
    #expect(first == .unchanged)
    let length = body.length
    let second = body.setPreferredSize(width: 1, height: 44, ofItem: 4)
    #expect(second == .unchanged)
    #expect(body.length == length)
    #expect(body.sizes.size(ofItem: 4) == MeasuredSize(width: 320, height: 44))
  }

  @Test("Sizes are clamped to the valid range")
  func outOfRangeSizes() {
    var body = body()
    _ = body.setPreferredSize(width: 0, height: -5, ofItem: 0)
    _ = body.setPreferredSize(width: 0, height: .max, ofItem: 1)
    #expect(body.frame(ofItem: 0).height == 1)
    #expect(body.frame(ofItem: 1).height == SectionContainer.maximumLength)
  }
}
