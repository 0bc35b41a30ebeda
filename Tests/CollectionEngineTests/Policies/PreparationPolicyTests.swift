import CollectionEngine
import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("What is prepared ahead is decided by a policy")
struct PreparationPolicyTests {
  static let rows = PreparationOrderTests.Rows(columns: 3)

  private func nextRow(_ event: ScrollEvent?, at offset: Double, isWanted: (Int) -> Bool = { _ in true }) -> [Int] {
    PreparationOrderTests.list(
      PreparationOrderTests.scroll(at: offset, event, Self.rows), Self.rows, order: PreparationPolicy.wholeCells.order,
      isWanted: isWanted
    ).map(\.index)
  }

  @Test("The next row alone: what comes on screen first where the content moves")
  func nextRow() {
    #expect(nextRow(.steady(velocity: 600), at: 5_000) == [174, 175, 176])
    #expect(nextRow(.steady(velocity: -600), at: 5_000) == [147, 148, 149])
    #expect(nextRow(nil, at: 5_000) == [174, 175, 176])
    // A part of row 58 is on screen: the next one is 59.
    #expect(nextRow(.steady(velocity: 600), at: 5_040) == [177, 178, 179])
  }

  @Test("Once the next row is ready nothing is listed, not the row after it")
  func nothingMore() {
    #expect(nextRow(.steady(velocity: 600), at: 5_000) { $0 != 175 } == [174, 176])
    #expect(nextRow(.steady(velocity: 600), at: 5_000) { $0 > 176 } == [])
  }

  @Test("Nothing lies beyond the end")
  func end() {
    let rows = PreparationOrderTests.Rows()
    let scroll = PreparationOrderTests.scroll(at: rows.range.maximum)
    #expect(PreparationOrderTests.list(scroll, rows, order: PreparationPolicy.wholeCells.order).isEmpty)
    #expect(!PreparationOrderTests.list(scroll, rows).isEmpty, "ours lists what lies behind")
  }

  @Test("Ours is what views have; the other keeps as much behind as ahead, so that a turn drops nothing")
  func values() {
    let ours = PreparationPolicy.stepwise
    #expect(ours.order == PreparationOrder() && ours.workUnit == .step && ours.rule == .untilNextCommit)
    #expect(ours.extent == .standard)
    let rival = PreparationPolicy.wholeCells
    #expect(rival.workUnit == .cell && rival.rule == .withinFrame && rival.extent.ahead == rival.extent.behind)
  }
}
