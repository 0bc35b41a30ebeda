import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Alt and an arrow put the item where the keyboard is one place further")
struct MovingByKeysTests {
  private func focus(_ stage: CarryStage, _ section: Int, _ item: Int) {
    stage.view.focusedIndexPath = IndexPath(item: item, section: section)
  }

  @Test("Animated, with the same transaction, and the keyboard goes along")
  func list() {
    let stage = CarryStage()
    focus(stage, 0, 1)
    stage.key(.down, .alt)
    #expect(stage.told.count == 1 && stage.order.prefix(4) == ["w0", "w2", "w1", "w3"])
    #expect(stage.view.isAnimatingUpdates && stage.view.focusedIndexPath == IndexPath(item: 2, section: 0))
    stage.motion.run(4)
    #expect(stage.motion.shown.last == "w1 66", "it goes over the other")
    #expect(stage.grid.cell(of: "w1")?.configurationState.isReordering == true)
    stage.key(.up, .alt)
    stage.key(.up, .alt)
    stage.stage.runUntilIdle()
    #expect(stage.grid.cell(of: "w1")?.configurationState.isReordering == false)
    #expect(stage.grid.shown.prefix(3) == ["w1", "w0", "w2"] && stage.told.count == 3)
    stage.key(.up, .alt)
    #expect(stage.told.count == 3, "there is no place above the first")
  }

  @Test("It is kept in view")
  func view() {
    let stage = CarryStage()
    focus(stage, 0, 5)
    for _ in 0..<10 { stage.key(.down, .alt) }
    stage.stage.runUntilIdle()
    #expect(stage.order[15] == "w5" && stage.motion.top(of: "w5") == 250 && stage.view.contentOffset == 500)
    for _ in 0..<12 { stage.key(.up, .alt) }
    stage.stage.runUntilIdle()
    #expect(stage.order[3] == "w5" && stage.motion.top(of: "w5") == 0)
  }

  @Test("In a grid by rows and columns")
  func grid() {
    let stage = CarryStage(WordGrid.words(0..<12), columns: 4)
    focus(stage, 0, 5)
    stage.key(.down, .alt)
    #expect(stage.order[9] == "w5")
    stage.key(.left, .alt)
    #expect(stage.order[8] == "w5")
    stage.key(.up, .alt)
    #expect(stage.order[4] == "w5")
    stage.key(.right, .alt)
    #expect(stage.order[5] == "w5" && stage.order == WordGrid.words(0..<12))
  }

  @Test("Across sections, also into those without items")
  func sections() {
    let stage = CarryStage(sections: [["a", "b"], [], ["c"]])
    focus(stage, 0, 1)
    func sections() -> [[String]] {
      (0..<3).map { stage.source.snapshot().itemIdentifiers(inSection: $0) }
    }
    stage.key(.down, .alt)
    #expect(sections() == [["a"], ["b"], ["c"]])
    stage.key(.down, .alt)
    #expect(sections() == [["a"], [], ["b", "c"]])
    stage.key(.down, .alt)
    #expect(sections() == [["a"], [], ["c", "b"]])
    stage.key(.down, .alt)
    #expect(stage.told.count == 3)
    for _ in 0..<4 { stage.key(.up, .alt) }
    #expect(sections() == [["b", "a"], [], ["c"]])
  }

  @Test("Where the delegate refuses a place, the next one is asked for; where nothing may go, nothing does")
  func refusal() {
    let stage = CarryStage()
    stage.log.target = { _, current, proposed in
      proposed.item % 3 == 0 ? proposed : current
    }
    focus(stage, 0, 1)
    stage.key(.down, .alt)
    #expect(stage.order.prefix(4) == ["w0", "w2", "w3", "w1"])
    stage.fixed = ["w1"]
    stage.key(.down, .alt)
    #expect(stage.told.count == 1, "it may not be put elsewhere")
    stage.fixed = []
    stage.log.target = { _, current, _ in current }
    let (asked, order) = (stage.log.asked, stage.order)
    stage.key(.down, .alt)
    #expect(stage.told.count == 1 && stage.order == order, "every place is refused")
    #expect((2...200).contains(stage.log.asked - asked))
  }

  @Test("In a tree it stays on its level, past what is below the next one")
  func tree() {
    let stage = CarryStage([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["a", "b"])
    tree.append(["a1", "a2"], to: "a")
    tree.append(["b1"], to: "b")
    tree.expand(["a", "b"])
    stage.source.apply(tree, to: 0, animatingDifferences: false)
    stage.stage.runUntilIdle()
    focus(stage, 0, 1)
    stage.key(.down, .alt)
    #expect(stage.source.snapshot(for: 0).children(of: "a") == ["a2", "a1"])
    stage.key(.down, .alt)
    #expect(stage.source.snapshot(for: 0).children(of: "b") == ["a1", "b1"])
    stage.key(.up, .alt)
    #expect(stage.source.snapshot(for: 0).children(of: "a") == ["a2", "a1"])
  }
}
