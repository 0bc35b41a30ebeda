import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("At the end of the content the offset keeps to what is left, and what stays is shown on its way there")
struct EndOfContentTests {
  private func atEnd() -> MotionStage {
    let stage = MotionStage(WordGrid.words(0..<20))
    stage.grid.scroll(to: 10_000)
    #expect(stage.shown == (14..<20).map { "w\($0) \(($0 - 14) * 50)" })
    return stage
  }

  @Test("Without motion the last items are at the end of the view")
  func still() {
    let stage = atEnd()
    stage.apply(animated: false) { $0.deleteItems(["w17", "w18", "w19"]) }
    #expect(stage.grid.view.contentOffset == 550 && stage.grid.view.scroll.range.maximum == 550)
    #expect(stage.shown == (11..<17).map { "w\($0) \(($0 - 11) * 50)" })
    stage.apply(animated: false) { $0.deleteItems(WordGrid.words(3..<17)) }
    #expect(stage.grid.view.contentOffset == 0 && stage.shown == ["w0 0", "w1 50", "w2 100"])
    #expect("\(stage.grid.view.contentOffset)" == "0.0", "and not less than nothing")
    stage.apply(animated: false) { $0.deleteAllItems() }
    #expect(stage.grid.view.contentOffset == 0 && stage.shown.isEmpty)
  }

  @Test("With motion what stays comes down from where it was, and what is above it with it")
  func moving() {
    let stage = atEnd()
    stage.apply { $0.deleteItems(["w17", "w18", "w19"]) }
    #expect(stage.grid.view.contentOffset == 550)
    #expect(stage.top(of: "w14") == 0 && stage.top(of: "w11") == -150 && stage.top(of: "w17") == 150)
    stage.run(4)
    #expect(stage.top(of: "w14") == 47 && stage.top(of: "w11") == -103 && stage.top(of: "w17") == 150)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == (11..<17).map { "w\($0) \(($0 - 11) * 50)" })
    #expect(stage.grid.log.displayed.count == 6)
  }

  @Test("Items that come behind the last ones leave what is seen where it is")
  func appended() {
    let stage = atEnd()
    let before = stage.shown
    stage.apply { $0.appendItems(["x", "y"]) }
    stage.run(4)
    #expect(stage.shown == before && stage.grid.view.contentOffset == 700)
  }

  @Test("A movement to the end goes to the end that is left")
  func onTheWay() {
    let stage = MotionStage(WordGrid.words(0..<40))
    stage.grid.view.scroll(to: 1_700, animated: true)
    stage.run(4)
    stage.apply { $0.deleteItems(WordGrid.words(25..<40)) }
    stage.grid.stage.runUntilIdle()
    #expect(stage.grid.view.contentOffset == 950)
    #expect(stage.shown == (19..<25).map { "w\($0) \(($0 - 19) * 50)" })
  }
}
