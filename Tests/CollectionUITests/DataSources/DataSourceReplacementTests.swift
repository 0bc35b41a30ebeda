import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Data sources, delegates and registrations can be set, set again, shared and released")
struct DataSourceReplacementTests {
  @Test("Setting the same data source again requests the counts once, scrolls to the top and loses no cell")
  func setSameDataSourceAgain() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    grid.view.scroll(to: 300, animated: false)
    grid.harness.runUntilIdle()
    grid.clearLog()
    grid.view.dataSource = grid.source
    grid.harness.runUntilIdle()
    #expect(grid.source.countRequests == 1 && grid.view.contentOffset == 0)
    #expect(grid.shown == WordGrid.words(0..<6) && grid.log.displayed.count == 6)
    #expect(grid.view.statistics.created <= 12 && grid.harness.runUntilIdle() == 0)
  }

  @Test("An empty batch requests the counts, changes nothing and calls its completion handler")
  func emptyBatch() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    var completions: [Bool] = []
    grid.view.performBatchUpdates({}) { completions.append($0) }
    #expect(completions == [true] && grid.source.countRequests == 1)
    grid.performInFrame { grid.view.performBatchUpdates({}) { completions.append($0) } }
    grid.harness.runUntilIdle()
    #expect(completions == [true, true] && grid.source.requestedWords.isEmpty && grid.log.lines.isEmpty)
    #expect(grid.view.updateStatistics.structural == 0)
  }

  @Test("A diffable data source replaces a data source with index paths, and the reverse")
  func bothKinds() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    let registrations = Registrations()
    let source = DiffableDataSource<Int, Int>(collectionView: grid.view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
    }
    #expect(grid.view.dataSource == nil && grid.view.itemCount == 0)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems([1, 2])
    source.apply(snapshot)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["word 1", "word 2"])
    grid.view.dataSource = grid.source
    grid.harness.runUntilIdle()
    #expect(grid.shown == WordGrid.words(0..<6) && grid.view.dataSource === grid.source)
    snapshot.appendItems([3])
    var completions = 0
    source.apply(snapshot) { completions += 1 }
    grid.harness.runUntilIdle()
    #expect(completions == 1 && source.snapshot().numberOfItems == 3 && grid.shown == WordGrid.words(0..<6))
  }

  @Test("A registration shared by two views has a pool for each view, and common metrics")
  func registrationSharedByTwoViews() {
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    func makeView() -> (CollectionView, WindowHarness, DiffableDataSource<Int, Int>) {
      let view = CollectionView(layout: WordGrid.layout(columns: 1))
      DemonstrationSwitches(view).isCellPrefetchingEnabled = false
      let harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<40))
      source.apply(snapshot)
      harness.runUntilIdle()
      return (view, harness, source)
    }
    let (first, second) = (makeView(), makeView())
    #expect(registration.metrics[.configure].count == 12)
    var empty = first.2.snapshot()
    empty.deleteAllItems()
    first.2.apply(empty)
    first.1.runUntilIdle()
    second.0.scroll(to: 325, animated: false)
    second.1.runUntilIdle()
    #expect(first.0.pooledCellCount == 6, "the other view uses none of these cells")
    #expect(second.0.statistics.created == 7 && second.0.visibleCells.count == 7)
  }

  @Test("A new delegate receives all further calls")
  func delegateReplacement() {
    let grid = InteractiveGrid()
    let other = DisplayLog()
    grid.view.delegate = other
    grid.log.clearLog()
    grid.click("w5")
    #expect(grid.log.lines.isEmpty && grid.selected == ["w5"])
    grid.view.delegate = nil
    grid.click("w6")
    grid.view.delegate = grid.log
    grid.click("w7")
    #expect(grid.log.lines.last == "unhighlight w7" && grid.selected == ["w7"])
  }

  @Test("A view that is released during an animation releases its cells, and its data source does not retain it")
  func lifetimes() {
    weak var view: CollectionView?
    weak var cell: CollectionViewCell?
    weak var waiting: CollectionViewCell?
    var remainingSource: DiffableDataSource<Int, Int>?
    do {
      let grid = MixedGrid(count: 100)
      let actions = FrameActions()
      grid.harness.window.addFirstParticipant(actions)
      grid.scroll(to: 0)
      grid.harness.runUntilIdle()
      let source = grid.source
      actions.pending = [
        {
          var snapshot = source.snapshot()
          snapshot.deleteItems([1])
          source.apply(snapshot)
        }
      ]
      grid.harness.run(frames: 3)
      (view, cell, waiting) = (grid.view, grid.view.visibleCells.first, grid.view.preparedCells.first)
      #expect(cell != nil && waiting != nil && grid.view.isAnimatingUpdates)
      remainingSource = source
    }
    #expect(view == nil && cell == nil && waiting == nil)
    var snapshot = remainingSource?.snapshot()
    snapshot?.deleteItems([2])
    var completions = 0
    if let snapshot { remainingSource?.apply(snapshot) { completions += 1 } }
    #expect(completions == 1 && remainingSource?.indexPath(for: 3) == IndexPath(item: 1, section: 0))
  }

  @Test("Disabling prefetching cancels all prefetched items, and enabling it requests them again")
  func togglingPrefetching() {
    let (grid, log) = DataPrefetchingTests.makeGrid(100)
    let pendingItems = log.pendingItems
    #expect(pendingItems.count == 12)
    grid.view.isPrefetchingEnabled = false
    grid.harness.runUntilIdle()
    #expect(log.pendingItems.isEmpty && log.cancels == [WordGrid.words(6..<18)])
    grid.view.isPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    #expect(log.pendingItems == pendingItems)
  }
}
