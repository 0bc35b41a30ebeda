import Testing
import VitrineCollectionEngine
import VitrineDataStructures

@Suite("The same items are visible within a steady scroll range")
struct SteadyScrollStateTests {
  /// Unsorted pieces of content along an axis, some of them overlapping.
  private struct Pieces {
    var extents: [(start: Double, end: Double)] = []

    init(_ random: inout SplitMix64) {
      var position = 0.0
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let length = Double(Int.random(in: 0...200, using: &random)) / 2
        extents.append((position, position + length))
        position += Double(Int.random(in: -20...150, using: &random))
      }
    }

    func visible(at offset: Double, length: Double) -> [Int] {
      extents.indices.filter { extents[$0].start < offset + length && extents[$0].end > offset }
    }

    func range(at offset: Double, length: Double, reach: Double) -> SteadyScrollRange {
      var range = SteadyScrollRange(around: offset, length: length, lookahead: reach)
      for index in visible(at: offset - reach, length: length + 2 * reach) {
        range.recordItem(from: extents[index].start, to: extents[index].end)
      }
      return range
    }
  }

  @Test("Every offset in the range shows the same items")
  func sameItems() {
    var random = SplitMix64(seed: 5)
    var (steady, unsteady) = (0, 0)
    for _ in 0..<400 {
      let pieces = Pieces(&random)
      let length = Double(Int.random(in: 50...400, using: &random))
      let offset = Double(Int.random(in: -200...3_000, using: &random))
      let range = pieces.range(at: offset, length: length, reach: 80)
      let visible = pieces.visible(at: offset, length: length)
      for _ in 0..<40 {
        let next = offset + Double(Int.random(in: -200...200, using: &random)) / 2
        guard range.contains(next) else {
          unsteady += 1
          continue
        }
        steady += 1
        #expect(pieces.visible(at: next, length: length) == visible)
      }
    }
    #expect(steady > 1_000 && unsteady > 1_000)
  }

  @Test("The range ends right before an item enters or leaves the viewport, and no sooner")
  func edges() {
    // Rows of 100 points from -200 to 700, and a viewport of 300 that shows half of the first row.
    var range = SteadyScrollRange(around: 50, length: 300, lookahead: 200)
    for row in -2..<7 { range.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(range.contains(50) && range.contains(0.5) && range.contains(99))
    // At 0 the last row only touches the edge.
    #expect(!range.contains(0) && !range.contains(100) && !range.contains(-1) && !range.contains(101))
    var touching = SteadyScrollRange(around: 0, length: 300, lookahead: 200)
    for row in -2..<7 { touching.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(touching.contains(0) && !touching.contains(0.5) && !touching.contains(-0.5))
  }

  @Test("The range ends at the lookahead if there are no items, and is empty before the first layout query")
  func lookahead() {
    let range = SteadyScrollRange(around: 10, length: 100, lookahead: 25)
    #expect(range.contains(-15) && range.contains(35) && !range.contains(36))
    #expect(!SteadyScrollRange.none.contains(0) && !SteadyScrollRange.none.contains(-1))
  }

  @Test("A move is handled once and reported once")
  func moves() {
    var state = SteadyScrollState()
    func outcome(_ offset: Double) -> [Bool] {
      let isSteady = state.isSteady(at: offset)
      if isSteady { state.recordMove() }
      let (first, second) = (state.takeHasMoved(), state.takeHasMoved())
      return [isSteady, first, second, state.hasScrolled]
    }
    #expect(outcome(0) == [false, false, false, false])
    state.setRange(SteadyScrollRange(around: 0, length: 100, lookahead: 10))
    #expect(outcome(5) == [false, false, false, false])
    state.hasScrolled = true
    #expect(outcome(5) == [true, true, false, false])
    state.hasScrolled = true
    #expect(outcome(11) == [false, false, false, true])
    state.invalidateRange()
    #expect(outcome(5) == [false, false, false, true] && state.isStale)
  }

  @Test("The range also ends where other supplementary views appear")
  func limits() {
    var range = SteadyScrollRange(around: 50, length: 300, lookahead: 200)
    for row in -2..<7 { range.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(range.contains(1) && range.contains(99))
    range.restrict(to: 40...70)
    #expect(range.contains(40) && range.contains(70) && !range.contains(39) && !range.contains(71))
    range.restrict(to: 60...200)
    #expect(!range.contains(59) && range.contains(60) && range.contains(70) && !range.contains(71))
  }
}
