import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("An apply performs only differences, in order, and calls its completion handler")
struct ApplyTests {
  @Test("Without frames, a completion handler is called immediately after the view's update")
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

  @Test("Items appended although they exist are counted once for each apply")
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

  @Test("In a window, the completion handler is called in the frame after the one that displays the update")
  func completionInFrames() {
    let (grid, actions) = FrameActions.makeGrid(100)
    var applied: Int?
    var called: Int?
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.insertItems(["new"], beforeItem: "w0")
        snapshot.moveItem("new", afterItem: "w1")
        applied = grid.harness.display.presentedFrames
        grid.source.apply(snapshot, animatingDifferences: false) {
          called = grid.harness.display.presentedFrames
          #expect(grid.shown == ["w0", "w1", "new", "w2", "w3", "w4"], "including the cells")
        }
        #expect(called == nil)
      }
    ]
    grid.harness.runUntilIdle()
    #expect(called == applied.map { $0 + 1 })
    let frames = grid.harness.display.presentedFrames
    grid.harness.run(milliseconds: 1_000)
    #expect(grid.harness.display.presentedFrames == frames, "the loop is idle")
  }

  @Test("Without frames, the async forms return after the view's update")
  func asyncFormsWithoutFrames() async {
    let grid = WordGrid(WordGrid.words(0..<10))
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w1"])
    await grid.source.apply(snapshot)
    #expect(grid.view.itemCount == 9)
    snapshot.deleteItems(["w2"])
    await grid.source.applySnapshotUsingReloadData(snapshot)
    #expect(grid.view.itemCount == 8)
    var outline = grid.source.snapshot(for: 0)
    outline.append(["new"])
    await grid.source.apply(outline, to: 0, animatingDifferences: false)
    #expect(grid.view.itemCount == 9)
  }

  @Test("In a window, the async form returns when the animations of the update have ended")
  func asyncFormInFrames() async {
    let (grid, actions) = FrameActions.makeGrid(100)
    var hasReturned = false
    actions.pending = [
      {
        Task.immediate {
          var snapshot = grid.source.snapshot()
          snapshot.deleteItems(["w1"])
          await grid.source.apply(snapshot)
          hasReturned = true
        }
      }
    ]
    grid.harness.run(frames: 2)
    // The main queue runs its jobs.
    await Task.yield()
    #expect(!hasReturned && grid.view.itemCount == 99)
    grid.harness.runUntilIdle()
    #expect(!hasReturned)
    await grid.harness.runMainQueue()
    #expect(hasReturned)
  }

  @Test("Completion handlers are called in the order of the applies, and nested applies come after")
  func completionOrder() {
    let (grid, actions) = FrameActions.makeGrid(20)
    var lines: [String] = []
    func apply(_ word: String, _ then: @escaping () -> Void = {}) {
      var snapshot = grid.source.snapshot()
      snapshot.appendItems([word])
      grid.source.apply(snapshot, animatingDifferences: false) {
        lines.append("\(word) \(grid.view.itemCount)")
        then()
      }
    }
    actions.pending = [
      {
        apply("a") { apply("c") }
        apply("b")
      }
    ]
    grid.harness.runUntilIdle()
    #expect(lines == ["a 22", "b 22", "c 23"])
    apply("d") { apply("f") }
    apply("e")
    #expect(lines.suffix(3) == ["d 24", "f 25", "e 26"], "without frames each is called immediately")
  }

  @Test("An apply during an update is performed after the update")
  func neverNested() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var isFirst = true
    grid.log.onChange = {
      guard isFirst else { return }
      isFirst = false
      // Would move the item that the outer update is about to reload.
      grid.apply { $0.insertItems(["x", "y"], beforeItem: "w0") }
    }
    grid.apply {
      $0.deleteItems(["w1"])
      $0.reloadItems(["w3"])
      $0.reconfigureItems(["w4"])
    }
    #expect(grid.providerCalls == ["w3", "w4"])
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["x", "y", "w0", "w2", "w3", "w4"])
    #expect(grid.view.itemCount == 101)
  }

  @Test(
    "Of several applies in a provider, the last one and those with a handler are displayed, with the marks of all")
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
    #expect(grid.providerCalls == ["w0", "w2"])
    #expect(grid.view.updateStatistics.applied - before.applied == 4)
    #expect(grid.view.updateStatistics.replaced - before.replaced == 2)
    #expect(grid.view.updateStatistics.structural - before.structural == 2)
  }

  @Test("An apply that only reconfigures items is no structural update")
  func reconfigureOnly() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 130)
    grid.clearLog()
    let (origins, cells, before) = (grid.origins, grid.view.visibleCells, grid.view.updateStatistics)
    grid.apply { $0.reconfigureItems(["w3", "w90"]) }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w3"])
    #expect(grid.origins == origins)
    #expect(grid.view.visibleCells.elementsEqual(cells) { $0 === $1 })
    #expect(grid.view.updateStatistics.reconfigureOnly == before.reconfigureOnly + 1)
    #expect(grid.view.updateStatistics.structural == before.structural)
    grid.apply {
      $0.reconfigureItems(["w3"])
      $0.deleteItems(["w99"])
    }
    #expect(grid.view.updateStatistics.reconfigureOnly == before.reconfigureOnly + 1)
  }

  @Test("An item that is moved and reconfigured keeps its cell and is configured once, at its new index path")
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
    #expect(grid.providerCalls == ["w1"] && paths == [4])
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w1"])
    #expect(grid.cell(of: "w1") === cell && cell?.reuses == 0)
  }

  @Test("An item that is moved and reloaded gets one other cell, at its new index path")
  func moveAndReload() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let cell = grid.cell(of: "w1")
    grid.apply {
      $0.moveItem("w1", afterItem: "w4")
      $0.reloadItems(["w1"])
    }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w1"])
    #expect(grid.log.lines == ["-w1", "+w1"])
    #expect(grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
    #expect(grid.cell(of: "w1") !== cell)
  }

  @Test("Reloading all data requests every visible cell again and keeps the content offset")
  func reloadData() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    grid.clearLog()
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w0"])
    grid.source.applySnapshotUsingReloadData(snapshot)
    #expect(grid.view.visibleCells.isEmpty && grid.view.itemCount == 99)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 1_000)
    #expect(grid.providerCalls == WordGrid.words(21..<27))
    #expect(grid.view.updateStatistics.reloadedAll == 1)
    snapshot.deleteItems(WordGrid.words(3..<100))
    grid.source.applySnapshotUsingReloadData(snapshot)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0, "the content is shorter")
    #expect(grid.shown == ["w1", "w2"])
  }

  @Test("Sections are found by index and by identifier")
  func sections() {
    let grid = WordGrid(WordGrid.words(0..<3))
    grid.apply { $0.appendSections([7]) }
    #expect(grid.source.sectionIdentifier(for: 1) == 7 && grid.source.index(for: 7) == 1)
    #expect(grid.source.sectionIdentifier(for: 2) == nil && grid.source.index(for: 8) == nil)
  }
}
