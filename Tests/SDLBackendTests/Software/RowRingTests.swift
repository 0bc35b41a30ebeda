import SDLBackend
import TestSupport
import Testing

@Suite("A picture may begin at any row of its ring")
struct RowRingTests {
  @Test("Rows stay where they are however far the picture moves", arguments: 1...100 as ClosedRange<UInt64>)
  func moves(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let height = Int.random(in: 1...20, using: &random)
    var ring = RowRing(height: height, rowCount: height + .random(in: 0...9, using: &random))
    #expect(ring.spareRows == ring.rowCount - height)
    for _ in 0..<20 {
      let former = ring
      let rows = Int.random(in: -30...30, using: &random)
      ring.move(down: rows)
      #expect((0..<ring.rowCount).contains(ring.top))
      for row in -height..<2 * height {
        #expect((0..<ring.rowCount).contains(ring.ringRow(of: row)))
        // What was a row is so many rows further down.
        #expect(ring.ringRow(of: row + rows) == former.ringRow(of: row))
      }
    }
  }

  @Test(
    "Rows are handed out in their order, each once, in two stretches at most",
    arguments: 1...100 as ClosedRange<UInt64>)
  func stretches(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let height = Int.random(in: 1...20, using: &random)
    var ring = RowRing(height: height, rowCount: height + .random(in: 0...9, using: &random))
    ring.move(down: .random(in: -50...50, using: &random))
    let first = Int.random(in: 0..<height, using: &random)
    let rows = first..<Int.random(in: first...height, using: &random)
    var places: [(row: Int, place: Int)] = []
    var count = 0
    ring.forEachRun(of: rows) { first, place, length in
      count += 1
      #expect(length > 0 && place + length <= ring.rowCount)
      places += (0..<length).map { (first + $0, place + $0) }
    }
    #expect(count <= 2 && places.map(\.row) == Array(rows))
    #expect(places.allSatisfy { $0.place == ring.ringRow(of: $0.row) })
  }
}
