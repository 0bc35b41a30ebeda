import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("Data sources, delegates and registrations are set, set again, shared and let go")
struct SourceExchangeTests {
  @Test("The same data source set again begins anew at the top, with counts asked once and no cell lost")
  func sameAgain() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    wall.view.scroll(to: 300, animated: false)
    wall.stage.runUntilIdle()
    wall.forget()
    wall.view.dataSource = wall.source
    wall.stage.runUntilIdle()
    #expect(wall.source.countQuestions == 1 && wall.view.contentOffset == 0)
    #expect(wall.shown == WordGrid.words(0..<6) && wall.log.displayed.count == 6)
    #expect(wall.view.statistics.created <= 12 && wall.stage.runUntilIdle() == 0)
  }

  @Test("An empty batch asks for counts, changes nothing and is told of")
  func emptyBatch() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    var told: [Bool] = []
    wall.view.performBatchUpdates({}) { told.append($0) }
    #expect(told == [true] && wall.source.countQuestions == 1)
    wall.frame { wall.view.performBatchUpdates({}) { told.append($0) } }
    wall.stage.runUntilIdle()
    #expect(told == [true, true] && wall.source.asked.isEmpty && wall.log.lines.isEmpty)
    #expect(wall.view.updateStatistics.structural == 0)
  }

  @Test("Snapshots take the place of a data source that is asked by path, and such a one theirs")
  func kinds() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    let registrations = Registrations()
    let source = DiffableDataSource<Int, Int>(collectionView: wall.view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
    }
    #expect(wall.view.dataSource == nil && wall.view.itemCount == 0)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems([1, 2])
    source.apply(snapshot)
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["word 1", "word 2"])
    wall.view.dataSource = wall.source
    wall.stage.runUntilIdle()
    #expect(wall.shown == WordGrid.words(0..<6) && wall.view.dataSource === wall.source)
    snapshot.appendItems([3])
    var told = 0
    source.apply(snapshot) { told += 1 }
    wall.stage.runUntilIdle()
    #expect(told == 1 && source.snapshot().numberOfItems == 3 && wall.shown == WordGrid.words(0..<6))
  }

  @Test("A registration that two views use has cells of its own in each, and its costs from both")
  func twoViews() {
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    func wall() -> (CollectionView, WindowHarness, DiffableDataSource<Int, Int>) {
      let view = CollectionView(layout: WordGrid.layout(columns: 1))
      view.isCellPrefetchingEnabled = false
      let stage = WindowHarness(root: view)
      stage.window.addParticipant(view)
      let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<40))
      source.apply(snapshot)
      stage.runUntilIdle()
      return (view, stage, source)
    }
    let (first, second) = (wall(), wall())
    #expect(registration.metrics[.configure].count == 12)
    var empty = first.2.snapshot()
    empty.deleteAllItems()
    first.2.apply(empty)
    first.1.runUntilIdle()
    second.0.scroll(to: 325, animated: false)
    second.1.runUntilIdle()
    #expect(first.0.pooledCellCount == 6, "the other view takes none of them")
    #expect(second.0.statistics.created == 7 && second.0.visibleCells.count == 7)
  }

  @Test("Another delegate is told from then on, and asked if it wants to be")
  func delegates() {
    let wall = ItemWall()
    let other = DisplayLog()
    wall.view.delegate = other
    wall.log.forget()
    wall.click("w5")
    #expect(wall.log.lines.isEmpty && wall.selected == ["w5"])
    wall.view.delegate = nil
    wall.click("w6")
    wall.view.delegate = wall.log
    wall.click("w7")
    #expect(wall.log.lines.last == "unhighlight w7" && wall.selected == ["w7"])
  }

  @Test("A view that is let go in the middle of motion lets go of its cells, and its data source of it")
  func lifetimes() {
    weak var view: CollectionView?
    weak var cell: CollectionViewCell?
    weak var waiting: CollectionViewCell?
    var kept: DiffableDataSource<Int, Int>?
    do {
      let grid = MixedGrid(count: 100)
      let actor = FrameActor()
      grid.stage.window.addFirstParticipant(actor)
      grid.scroll(to: 0)
      grid.stage.runUntilIdle()
      let source = grid.source
      actor.next = [
        {
          var snapshot = source.snapshot()
          snapshot.deleteItems([1])
          source.apply(snapshot)
        }
      ]
      grid.stage.run(frames: 3)
      (view, cell, waiting) = (grid.view, grid.view.visibleCells.first, grid.view.preparedCells.first)
      #expect(cell != nil && waiting != nil && grid.view.isAnimatingUpdates)
      kept = source
    }
    #expect(view == nil && cell == nil && waiting == nil)
    var snapshot = kept?.snapshot()
    snapshot?.deleteItems([2])
    var told = 0
    if let snapshot { kept?.apply(snapshot) { told += 1 } }
    #expect(told == 1 && kept?.indexPath(for: 3) == IndexPath(item: 1, section: 0))
  }

  @Test("Nothing is wanted ahead any more where prefetching is switched off, and all of it again where on")
  func prefetching() {
    let (grid, log) = PrefetchTests.grid(100)
    let wanted = log.wanted
    #expect(wanted.count == 12)
    grid.view.isPrefetchingEnabled = false
    grid.stage.runUntilIdle()
    #expect(log.wanted.isEmpty && log.cancels == [WordGrid.words(6..<18)])
    grid.view.isPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    #expect(log.wanted == wanted)
  }
}
