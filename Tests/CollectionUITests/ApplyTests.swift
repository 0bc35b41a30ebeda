import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("An apply shows differences and nothing else, in its turn, and says when it is shown")
struct ApplyTests {
  @Test("Without frames a completion handler is called at once, when the view has changed")
  func completionWithoutFrames() {
    let grid = WordGrid(WordGrid.words(0..<10))
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w1"])
    var counts: [Int] = []
    grid.source.apply(snapshot) { counts.append(grid.view.itemCount) }
    #expect(counts == [9])
    grid.source.applySnapshotUsingReloadData(snapshot) { counts.append(grid.view.itemCount) }
    #expect(counts == [9, 9])
  }

  @Test("Items that were added though they were there are counted, once for each apply")
  func relocated() {
    let grid = WordGrid(WordGrid.words(0..<10))
    var snapshot = grid.source.snapshot()
    snapshot.appendItems(["w1", "new"])
    grid.source.apply(snapshot)
    #expect(grid.view.updateStatistics.relocatedItems == 1)
    var next = grid.source.snapshot()
    next.moveItem("w2", afterItem: "w1")
    grid.source.apply(next)
    #expect(grid.view.updateStatistics.relocatedItems == 1)
  }

  @Test("In a window it is called in the frame after the one that shows the update, which it wakes")
  func completionInFrames() {
    let (grid, actor) = FrameActor.grid(100)
    var applied: Int?
    var called: Int?
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.insertItems(["new"], beforeItem: "w0")
        snapshot.moveItem("new", afterItem: "w1")
        applied = grid.stage.display.presentedFrames
        grid.source.apply(snapshot, animatingDifferences: false) {
          called = grid.stage.display.presentedFrames
          #expect(grid.shown == ["w0", "w1", "new", "w2", "w3", "w4"], "cells and all")
        }
        #expect(called == nil)
      }
    ]
    grid.stage.runUntilIdle()
    #expect(called == applied.map { $0 + 1 })
    let frames = grid.stage.display.presentedFrames
    grid.stage.run(milliseconds: 1_000)
    #expect(grid.stage.display.presentedFrames == frames, "and then the loop rests")
  }

  @Test("Handlers are called in the order of their applies, and what they apply comes after them")
  func completionOrder() {
    let (grid, actor) = FrameActor.grid(20)
    var lines: [String] = []
    func apply(_ word: String, _ then: @escaping () -> Void = {}) {
      var snapshot = grid.source.snapshot()
      snapshot.appendItems([word])
      grid.source.apply(snapshot, animatingDifferences: false) {
        lines.append("\(word) \(grid.view.itemCount)")
        then()
      }
    }
    actor.next = [
      {
        apply("a") { apply("c") }
        apply("b")
      }
    ]
    grid.stage.runUntilIdle()
    #expect(lines == ["a 22", "b 22", "c 23"])
    apply("d") { apply("f") }
    apply("e")
    #expect(lines.suffix(3) == ["d 24", "f 25", "e 26"], "without frames each is told at once")
  }

  @Test("An apply within an update waits until all of that is done")
  func neverNested() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var isFirst = true
    grid.log.onChange = {
      guard isFirst else { return }
      isFirst = false
      // Would move the item that the outer update is still to reload.
      grid.apply { $0.insertItems(["x", "y"], beforeItem: "w0") }
    }
    grid.apply {
      $0.deleteItems(["w1"])
      $0.reloadItems(["w3"])
      $0.reconfigureItems(["w4"])
    }
    #expect(grid.provided == ["w3", "w4"])
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["x", "y", "w0", "w2", "w3", "w4"])
    #expect(grid.view.itemCount == 101)
  }

  @Test(
    "Of several applies within a provider the last is shown, with the marks of all; one with a handler is shown too")
  func coalesced() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let before = grid.view.updateStatistics
    var isFirst = true
    var counts: [Int] = []
    grid.onConfigure = { _, word in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.reconfigureItems(["w2"]) }
      grid.apply { $0.deleteItems(["w99"]) }
      var snapshot = grid.source.snapshot()
      snapshot.deleteItems(["w98"])
      grid.source.apply(snapshot) { counts.append(grid.view.itemCount) }
      grid.apply { $0.deleteItems(["w97"]) }
    }
    grid.source.reconfigureItems(["w0"])
    #expect(grid.view.itemCount == 97)
    #expect(counts == [98])
    #expect(grid.provided == ["w0", "w2"])
    #expect(grid.view.updateStatistics.applied - before.applied == 4)
    #expect(grid.view.updateStatistics.replaced - before.replaced == 2)
    #expect(grid.view.updateStatistics.structural - before.structural == 2)
  }

  @Test("An apply that reconfigures and no more touches no structure, and is counted as such")
  func reconfigureOnly() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 130)
    grid.forget()
    let (places, cells, before) = (grid.places, grid.view.visibleCells, grid.view.updateStatistics)
    grid.apply { $0.reconfigureItems(["w3", "w90"]) }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w3"])
    #expect(grid.places == places)
    #expect(grid.view.visibleCells.elementsEqual(cells) { $0 === $1 })
    #expect(grid.view.updateStatistics.reconfigureOnly == before.reconfigureOnly + 1)
    #expect(grid.view.updateStatistics.structural == before.structural)
    grid.apply {
      $0.reconfigureItems(["w3"])
      $0.deleteItems(["w99"])
    }
    #expect(grid.view.updateStatistics.reconfigureOnly == before.reconfigureOnly + 1)
  }

  @Test("An item that moves and is reconfigured keeps its cell and is configured once, for its new place")
  func moveAndReconfigure() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let cell = grid.cell(of: "w1")
    var paths: [Int?] = []
    grid.onProvide = { word in
      paths.append(grid.source.indexPath(for: word)?.item)
    }
    grid.apply {
      $0.moveItem("w1", afterItem: "w4")
      $0.reconfigureItems(["w1"])
    }
    #expect(grid.provided == ["w1"] && paths == [4])
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w1"])
    #expect(grid.cell(of: "w1") === cell && cell?.reuses == 0)
  }

  @Test("An item that moves and is reloaded gets one other cell, at its new place")
  func moveAndReload() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let cell = grid.cell(of: "w1")
    grid.apply {
      $0.moveItem("w1", afterItem: "w4")
      $0.reloadItems(["w1"])
    }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w1"])
    #expect(grid.log.lines == ["-w1", "+w1"])
    #expect(grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
    #expect(grid.cell(of: "w1") !== cell)
  }

  @Test("A reload of all data asks for every cell on screen anew, and leaves the offset")
  func reloadData() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    grid.forget()
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w0"])
    grid.source.applySnapshotUsingReloadData(snapshot)
    #expect(grid.view.visibleCells.isEmpty && grid.view.itemCount == 99)
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 1_000)
    #expect(grid.provided == WordGrid.words(21..<27))
    #expect(grid.view.updateStatistics.reloadedAll == 1)
    snapshot.deleteItems(WordGrid.words(3..<100))
    grid.source.applySnapshotUsingReloadData(snapshot)
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 0, "there is no more content")
    #expect(grid.shown == ["w1", "w2"])
  }

  @Test("Sections are found by their index and their name")
  func sections() {
    let grid = WordGrid(WordGrid.words(0..<3))
    grid.apply { $0.appendSections([7]) }
    #expect(grid.source.sectionIdentifier(for: 1) == 7 && grid.source.index(for: 7) == 1)
    #expect(grid.source.sectionIdentifier(for: 2) == nil && grid.source.index(for: 8) == nil)
  }
}
