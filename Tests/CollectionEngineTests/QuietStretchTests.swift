import CollectionEngine
import DataStructures
import Testing

@Suite("Within a quiet stretch the same items are on screen")
struct QuietStretchTests {
  /// Pieces of content along an axis, in no order, some overlapping.
  private struct Pieces {
    var extents: [(start: Double, end: Double)] = []

    init(_ random: inout SplitMix64) {
      var place = 0.0
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let length = Double(Int.random(in: 0...200, using: &random)) / 2
        extents.append((place, place + length))
        place += Double(Int.random(in: -20...150, using: &random))
      }
    }

    func seen(at offset: Double, length: Double) -> [Int] {
      extents.indices.filter { extents[$0].start < offset + length && extents[$0].end > offset }
    }

    func stretch(at offset: Double, length: Double, reach: Double) -> SteadyScrollRange {
      var stretch = SteadyScrollRange(around: offset, length: length, reach: reach)
      for place in seen(at: offset - reach, length: length + 2 * reach) {
        stretch.recordItem(from: extents[place].start, to: extents[place].end)
      }
      return stretch
    }
  }

  @Test("whatever the items are, and wherever the content moves to")
  func law() {
    var random = SplitMix64(seed: 5)
    var (quiet, loud) = (0, 0)
    for _ in 0..<400 {
      let pieces = Pieces(&random)
      let length = Double(Int.random(in: 50...400, using: &random))
      let offset = Double(Int.random(in: -200...3_000, using: &random))
      let stretch = pieces.stretch(at: offset, length: length, reach: 80)
      let seen = pieces.seen(at: offset, length: length)
      for _ in 0..<40 {
        let next = offset + Double(Int.random(in: -200...200, using: &random)) / 2
        guard stretch.contains(next) else {
          loud += 1
          continue
        }
        quiet += 1
        #expect(pieces.seen(at: next, length: length) == seen)
      }
    }
    #expect(quiet > 1_000 && loud > 1_000)
  }

  @Test("ends right before an item enters or leaves, and no sooner")
  func edges() {
    // Rows of 100 from -200 to 700, a screen of 300 that shows a half of the first.
    var stretch = SteadyScrollRange(around: 50, length: 300, reach: 200)
    for row in -2..<7 { stretch.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(stretch.contains(50) && stretch.contains(0.5) && stretch.contains(99))
    // At 0 the last row only touches the edge.
    #expect(!stretch.contains(0) && !stretch.contains(100) && !stretch.contains(-1) && !stretch.contains(101))
    var touching = SteadyScrollRange(around: 0, length: 300, reach: 200)
    for row in -2..<7 { touching.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(touching.contains(0) && !touching.contains(0.5) && !touching.contains(-0.5))
  }

  @Test("ends with the reach where there are no items, and is nowhere before a layout was asked")
  func reach() {
    let stretch = SteadyScrollRange(around: 10, length: 100, reach: 25)
    #expect(stretch.contains(-15) && stretch.contains(35) && !stretch.contains(36))
    #expect(!SteadyScrollRange.none.contains(0) && !SteadyScrollRange.none.contains(-1))
  }

  @Test("a move is taken in once, and told of once")
  func course() {
    var course = SteadyScrollState()
    func outcome(_ offset: Double) -> [Bool] {
      let isTaken = course.isSteady(at: offset)
      if isTaken { course.recordMove() }
      let (first, second) = (course.takeHasMoved(), course.takeHasMoved())
      return [isTaken, first, second, course.hasScrolled]
    }
    #expect(outcome(0) == [false, false, false, false])
    course.setRange(SteadyScrollRange(around: 0, length: 100, reach: 10))
    #expect(outcome(5) == [false, false, false, false])
    course.hasScrolled = true
    #expect(outcome(5) == [true, true, false, false])
    course.hasScrolled = true
    #expect(outcome(11) == [false, false, false, true])
    course.invalidateRange()
    #expect(outcome(5) == [false, false, false, true] && course.isStale)
  }

  @Test("ends where views beside the items come to be others, too")
  func limits() {
    var stretch = SteadyScrollRange(around: 50, length: 300, reach: 200)
    for row in -2..<7 { stretch.recordItem(from: Double(row) * 100, to: Double(row + 1) * 100) }
    #expect(stretch.contains(1) && stretch.contains(99))
    stretch.restrict(to: 40...70)
    #expect(stretch.contains(40) && stretch.contains(70) && !stretch.contains(39) && !stretch.contains(71))
    stretch.restrict(to: 60...200)
    #expect(!stretch.contains(59) && stretch.contains(60) && stretch.contains(70) && !stretch.contains(71))
  }
}
