import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

/// Frames are 16 ms apart; after four of them 69 % of a way is left, after eight 34 %, after twelve 15 %.
@Suite("An animated apply shows the way from where things are to where they belong")
struct MotionTests {
  private static let atRest = ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"]

  @Test("An inserted item fades in while others make way, and its cell alone is asked for")
  func insert() {
    let stage = MotionStage()
    stage.apply { $0.insertItems(["new"], beforeItem: "w2") }
    #expect(stage.shown == ["w5 250", "w0 0", "w1 50", "w2 100", "w3 150", "w4 200"], "it begins where things are")
    #expect(stage.grid.shown == ["w0", "w1", "new", "w2", "w3", "w4"], "the model is final at once")
    #expect(stage.grid.view.isTracked && stage.grid.view.isAnimatingUpdates)
    stage.run(4)
    #expect(
      stage.shown == ["w5 266", "w0 0", "w1 50", "w2 116", "w3 166", "w4 216", "new 103 h45 x21 a79"])
    stage.run(4)
    #expect(
      stage.shown == ["w5 283", "w0 0", "w1 50", "w2 133", "w3 183", "w4 233", "new 101 h47 x10 a168"])
    #expect(stage.grid.log.lines == ["+new"])
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["w0 0", "w1 50", "new 100", "w2 150", "w3 200", "w4 250"])
    #expect(stage.grid.provided == ["new"])
    #expect(stage.grid.log.lines == ["+new", "-w5"], "it was displayed until it had left the screen")
    #expect(!stage.grid.view.isTracked && !stage.grid.view.isAnimatingUpdates)
  }

  @Test("A deleted item fades away where it stood; until then its cell is displayed, though not among the visible")
  func delete() {
    let stage = MotionStage()
    let cell = stage.grid.cell(of: "w1")
    stage.apply { $0.deleteItems(["w1"]) }
    stage.run(4)
    #expect(stage.shown == ["w1 50 a176", "w0 0", "w2 84", "w3 134", "w4 184", "w5 234", "w6 284"])
    #expect(stage.grid.provided == ["w6"] && stage.grid.log.lines == ["+w6"])
    #expect(!stage.grid.view.visibleCells.contains { $0 === cell } && cell?.itemIndex == nil)
    #expect(stage.grid.view.statistics.visible == 7)
    stage.grid.stage.runUntilIdle()
    #expect(stage.grid.log.lines == ["+w6", "-w1"])
    #expect(stage.grid.log.paths.last?.item == 1)
    #expect(stage.shown == ["w0 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    #expect(stage.grid.view.statistics.visible == 6)
  }

  @Test("A moved item goes over the others")
  func move() {
    let stage = MotionStage()
    stage.apply { $0.moveItem("w4", beforeItem: "w1") }
    stage.run(8)
    #expect(stage.shown == ["w0 0", "w1 83", "w2 133", "w3 183", "w5 250", "w4 101"])
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["w0 0", "w4 50", "w1 100", "w2 150", "w3 200", "w5 250"])
    #expect(stage.grid.provided.isEmpty && stage.grid.log.lines.isEmpty)
  }

  @Test("A reloaded item's cells fade over each other, on the way to its place")
  func reload() {
    let stage = MotionStage()
    stage.apply {
      $0.reloadItems(["w2"])
      $0.deleteItems(["w0"])
    }
    stage.run(8)
    #expect(stage.shown.filter { $0.hasPrefix("w2") } == ["w2 67 a87", "w2 67 a168"])
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["w1 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    #expect(stage.grid.provided == ["w2", "w6"])
    #expect(stage.grid.log.lines.sorted() == ["+w2", "+w6", "-w0", "-w2"])
  }

  @Test("Nothing moves and no frame is made for what changes nothing on screen")
  func nothing() {
    let stage = MotionStage()
    stage.apply { _ in }
    #expect(!stage.grid.view.isAnimatingUpdates)
    #expect(stage.grid.stage.runUntilIdle() == 0)
    stage.apply { $0.insertItems(["far"], afterItem: "w90") }
    #expect(!stage.grid.view.isAnimatingUpdates && stage.grid.stage.runUntilIdle() <= 1)
    stage.apply { $0.reconfigureItems(["w1"]) }
    #expect(!stage.grid.view.isAnimatingUpdates)
    #expect(stage.shown == Self.atRest && stage.grid.provided == ["w1"])
  }

  @Test("Interrupted twice, everything goes on from where it is and ends where it belongs")
  func interrupted() {
    let stage = MotionStage()
    stage.apply { $0.insertItems(["a"], beforeItem: "w0") }
    stage.run(7)
    let before = stage.top(of: "w2")
    #expect(before == 129)
    stage.apply { $0.deleteItems(["a"]) }
    // As fast as before in the frame of the change, then slower, and back.
    #expect(stage.top(of: "w2") == 133)
    stage.run(1)
    #expect(stage.top(of: "w2") == 134)
    stage.run(6)
    #expect(stage.top(of: "w2") == 117)
    stage.apply { $0.moveItem("w2", beforeItem: "w0") }
    #expect(stage.top(of: "w2") == 114)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["w2 0", "w0 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(stage.grid.provided == ["a"], "the cell that was on its way out came back as it was")
    #expect(stage.grid.log.lines == ["+a", "-a"])
  }

  @Test("The first item seen stays where it is, whatever comes before it, and what was seen before it does not move")
  func anchored() {
    let stage = MotionStage()
    stage.grid.scroll(to: 1_025)
    stage.apply { $0.insertItems(["a", "b", "c"], beforeItem: "w3") }
    stage.run(3)
    #expect(!stage.grid.view.isAnimatingUpdates)
    #expect(stage.shown == ["w20 -25", "w21 25", "w22 75", "w23 125", "w24 175", "w25 225", "w26 275"])
    stage.apply { $0.insertItems(["d"], afterItem: "w21") }
    stage.run(4)
    #expect(stage.top(of: "w20") == -25 && stage.top(of: "w22") == 91)
  }

  @Test("Scrolling takes what moves along: motion is in the content, not on the screen")
  func scrolled() {
    let (still, scrolled) = (MotionStage(), MotionStage())
    for stage in [still, scrolled] { stage.apply { $0.insertItems(["new"], beforeItem: "w2") } }
    still.run(6)
    scrolled.run(3)
    scrolled.grid.view.scroll(to: 40, animated: false)
    scrolled.run(3)
    for word in ["w1", "w2", "w3", "w4", "new"] {
      #expect(scrolled.top(of: word) == still.top(of: word).map { $0 - 40 })
    }
    #expect(scrolled.top(of: "w5") == still.top(of: "w5").map { $0 - 40 }, "which came back in the middle of its way")
    #expect(scrolled.grid.log.lines == ["+new"])
  }

  @Test("An item that is scrolled in among others that move is as far from its place as they are")
  func entering() {
    let stage = MotionStage()
    stage.apply { $0.deleteItems(["w0"]) }
    stage.run(2)
    stage.grid.view.scroll(to: 60, animated: false)
    stage.run(1)
    let (before, entered) = (stage.top(of: "w6"), stage.top(of: "w7"))
    #expect(entered != nil && entered == before.map { $0 + 50 })
  }

  @Test("From far off screen an item comes from a viewport's distance, and goes there")
  func clamped() {
    let stage = MotionStage()
    stage.apply { $0.moveItem("w90", beforeItem: "w1") }
    #expect(stage.shown.last == "w90 600")
    stage.grid.stage.runUntilIdle()
    stage.apply { $0.moveItem("w0", afterItem: "w80") }
    stage.run(8)
    // It begins at -50 or 0 and its end is two viewports below the top, instead of 4,000 points.
    #expect(stage.top(of: "w0") == 395)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown.first == "w90 0")
  }

  @Test("Where most of what is seen would fly by, the new fades in over the old")
  func crossFade() {
    let stage = MotionStage()
    stage.apply { snapshot in
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
    stage.run(8)
    #expect(
      stage.shown == [
        "w5 250 a87", "w4 200 a87", "w3 150 a87", "w2 100 a87", "w1 50 a87", "w0 0 a87", "w99 0 a168", "w98 50 a168",
        "w97 100 a168", "w96 150 a168", "w95 200 a168", "w94 250 a168",
      ])
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["w99 0", "w98 50", "w97 100", "w96 150", "w95 200", "w94 250"])
  }

  @Test("A new layout may be shown on the way there, with the first item in place")
  func layout() {
    let stage = MotionStage()
    stage.grid.scroll(to: 500)
    stage.frame { stage.grid.view.setCollectionViewLayout(WordGrid.layout(columns: 2), animated: true) }
    #expect(stage.grid.view.contentOffset == 250)
    stage.run(8)
    #expect(stage.shown.prefix(4) == ["w10 0", "w11 17 x132", "w12 67", "w13 84 x132"])
    #expect(stage.shown.last == "w21 353 x132", "it comes from below the end of the screen")
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown.suffix(2) == ["w20 250", "w21 250 x200"])
    #expect(stage.shown.count == 12)
    stage.frame { stage.grid.view.setCollectionViewLayout(WordGrid.layout(columns: 1)) }
    #expect(!stage.grid.view.isAnimatingUpdates)
  }

  @Test("With reduced motion, without frames, and when it is not asked for, nothing is shown on its way")
  func immediate() {
    let stage = MotionStage()
    stage.grid.view.reducesMotion = true
    stage.apply { $0.deleteItems(["w0"]) }
    #expect(
      !stage.grid.view.isAnimatingUpdates && stage.shown.first == "w1 0" && stage.grid.log.lines == ["-w0", "+w6"])
    stage.grid.view.reducesMotion = false
    stage.apply(animated: false) { $0.deleteItems(["w1"]) }
    #expect(!stage.grid.view.isAnimatingUpdates && stage.shown.first == "w2 0")
    stage.grid.apply(animated: true) { $0.deleteItems(["w2"]) }
    #expect(!stage.grid.view.isAnimatingUpdates)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown.first == "w3 0")
    stage.apply { $0.deleteItems(["w3"]) }
    stage.run(4)
    stage.grid.view.reducesMotion = true
    stage.run(1)
    #expect(stage.shown == ["w4 0", "w5 50", "w6 100", "w7 150", "w8 200", "w9 250"], "what moves is at its place")
  }

  @Test("An update without motion leaves what moves on its way")
  func unanimated() {
    let stage = MotionStage()
    stage.apply { $0.insertItems(["new"], beforeItem: "w1") }
    stage.run(4)
    #expect(stage.top(of: "w1") == 66)
    stage.apply(animated: false) { $0.appendItems(["end"]) }
    #expect(stage.grid.view.isAnimatingUpdates && stage.top(of: "w1") == 71)
    stage.apply(animated: false) { $0.deleteItems(["w0"]) }
    #expect(stage.grid.log.lines.contains("-w0"))
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["new 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
  }

  @Test("Branches of a tree come and go on their way")
  func outline() {
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    let stage = MotionStage([])
    for word in tree.items { stage.know(word) }
    stage.frame { stage.grid.source.apply(tree, to: 0, animatingDifferences: false) }
    stage.grid.stage.runUntilIdle()
    stage.frame { stage.grid.source.expand("trees", in: 0) }
    stage.run(8)
    #expect(
      stage.shown == ["trees 0", "flowers 116", "oak 51 h47 x10 a168", "beech 101 h47 x10 a168"])
    stage.frame { stage.grid.source.collapse("trees", in: 0) }
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == ["trees 0", "flowers 50"])
    stage.frame { stage.grid.source.expand("trees", in: 0, animatingDifferences: false) }
    #expect(stage.shown == ["trees 0", "oak 50", "beech 100", "flowers 150"])
  }

  @Test("Equal runs make equal frames")
  func determinism() {
    func digest() -> String {
      let stage = MotionStage(columns: 3)
      stage.apply { $0.deleteItems(["w1", "w5"]) }
      stage.run(5)
      stage.apply {
        $0.moveItem("w9", beforeItem: "w0")
        $0.insertItems(["x", "y"], afterItem: "w3")
      }
      stage.grid.stage.runUntilIdle()
      return "\(stage.grid.stage.loop.frameDigest)"
    }
    #expect(digest() == digest())
  }
}
