import Geometry
import Testing

@testable import CollectionLayout

@Suite("Cells that keep changing their size")
struct RestlessCellTests {
  private func body(_ items: Int = 100, scale: Double = 1) -> MeasuredBody {
    let room = SectionRoom.plain(scale: scale)
    return MeasuredBody(of: items, group: RowGroup.rows(room), in: room)
  }

  @Test("A cell that takes turns between two sizes keeps the larger, and is not asked again")
  func alternation() {
    var body = body()
    var verdicts: [SizeVerdict] = []
    for turn in 0..<50 {
      verdicts.append(body.setPreferredSize(width: 320, height: turn % 2 == 0 ? 60 : 90, ofItem: 7))
    }
    #expect(verdicts.prefix(4) == [.changed, .changed, .changed, .frozen(90)])
    #expect(verdicts.dropFirst(4).allSatisfy { $0 == .unchanged })
    #expect(body.frame(ofItem: 7).height == 90)
    #expect(!body.asksForSize(ofItem: 7))
    #expect(body.asksForSize(ofItem: 8))
  }

  @Test("It keeps the largest size of all, even where that came first")
  func peak() {
    var body = body(scale: 2)
    for height in [300, 40, 60] { _ = body.setPreferredSize(width: 640, height: height, ofItem: 3) }
    let verdict = body.setPreferredSize(width: 640, height: 50, ofItem: 3)
    #expect(verdict == .frozen(150))
    #expect(body.frame(ofItem: 3).height == 300)
  }

  @Test("A cell that grows without end is stopped")
  func growth() {
    var body = body()
    var changes = 0
    for height in 1...1_000 where body.setPreferredSize(width: 320, height: 50 + height, ofItem: 0) == .changed {
      changes += 1
    }
    #expect(changes == 3)
    #expect(body.length == 99 * body.frame(ofItem: 99).height + body.frame(ofItem: 0).height)
  }

  @Test("Taking turns once a frame ends the same way as within one")
  func onceAFrame() {
    var body = body()
    var verdicts: [SizeVerdict] = []
    for frame in 0..<8 {
      _ = body.settle(0..<480)
      verdicts.append(body.setPreferredSize(width: 320, height: 60 + 10 * (frame % 2), ofItem: 1))
    }
    #expect(verdicts.filter { $0 == .changed }.count == 3)
    #expect(verdicts.contains(.frozen(70)))
  }

  @Test("After an update a cell may change its mind again; one that was stopped stays")
  func updates() {
    var body = body()
    for round in 0..<20 {
      let first = body.setPreferredSize(width: 320, height: 60 + round, ofItem: 2)
      #expect(first == .changed)
      body.splice(SectionEdits(section: 0, changes: [2..<3]))
    }
    for height in [10, 20, 30, 40] { _ = body.setPreferredSize(width: 320, height: height, ofItem: 5) }
    #expect(!body.asksForSize(ofItem: 5))
    body.splice(SectionEdits(section: 0, removals: [0..<1], insertions: [1..<4]))
    #expect(!body.asksForSize(ofItem: 7))
    let verdict = body.setPreferredSize(width: 320, height: 99, ofItem: 7)
    #expect(verdict == .unchanged)
    #expect(body.frame(ofItem: 7).height == 40)
  }

  @Test("A size that is what the item has, or that nobody asks for, changes nothing")
  func nothingNew() {
    var body = body()
    let first = body.setPreferredSize(width: 5_000, height: 44, ofItem: 4)
    #expect(first == .unchanged)
    let length = body.length
    let second = body.setPreferredSize(width: 1, height: 44, ofItem: 4)
    #expect(second == .unchanged)
    #expect(body.length == length)
    #expect(body.sizes.size(ofItem: 4) == MeasuredSize(width: 320, height: 44))
  }

  @Test("Sizes of no extent and absurd ones are cut to what an item may have")
  func absurd() {
    var body = body()
    _ = body.setPreferredSize(width: 0, height: -5, ofItem: 0)
    _ = body.setPreferredSize(width: 0, height: .max, ofItem: 1)
    #expect(body.frame(ofItem: 0).height == 1)
    #expect(body.frame(ofItem: 1).height == SectionRoom.longest)
  }
}
