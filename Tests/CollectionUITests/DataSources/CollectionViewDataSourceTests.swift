import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("A collection view displays the items of a CollectionViewDataSource")
struct CollectionViewDataSourceTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { DataSourceGrid.path(item, section) }

  @Test(
    "Setting a data source requests the counts once and cells for visible items; scrolling requests cells for new ones")
  func initialCells() {
    let grid = DataSourceGrid([WordGrid.words(0..<4), WordGrid.words(4..<100)])
    #expect(grid.shown == WordGrid.words(0..<6))
    #expect(grid.view.dataSource === grid.source)
    #expect(grid.view.itemCount == 100)
    grid.view.scroll(to: 100, animated: false)
    grid.harness.runUntilIdle()
    #expect(grid.source.requestedWords == ["w6", "w7"])
    #expect(grid.source.countRequests == 0)
    #expect(grid.log.lines == ["-w0", "-w1", "+w6", "+w7"])
  }

  @Test("A data source has one section by default")
  func defaultSectionCount() {
    final class Plain: CollectionViewDataSource {
      let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
      func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 3 }
      func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
        view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: indexPath.item)
      }
    }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let source = Plain()
    view.dataSource = source
    harness.runUntilIdle()
    #expect(view.visibleCells.compactMap { ($0 as? WordCell)?.word } == ["0", "1", "2"])
  }

  @Test("Inserting a visible item requests one cell, and the other items keep their cells")
  func insert() {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    let cells = grid.words
    grid.source.sections[0].insert("new", at: 2)
    grid.view.insertItems(at: [path(2)])
    grid.harness.runUntilIdle()
    #expect(grid.source.requestedWords == ["new"])
    #expect(grid.source.countRequests == 1)
    #expect(grid.shown == ["w0", "w1", "new", "w2", "w3", "w4"])
    #expect(grid.words.filter { $0.word != "new" }.elementsEqual(cells.dropLast()) { $0 === $1 })
  }

  @Test("A batch deletes at old index paths and inserts at new ones, independent of the order of the calls")
  func batch() {
    let grid = DataSourceGrid([["a", "b", "c", "d", "e"], ["x", "y"]])
    let cells = grid.words
    grid.view.performBatchUpdates {
      grid.source.sections = [["n", "a", "x", "d"], ["y", "m"], ["z"]]
      grid.view.insertItems(at: [path(0)])
      grid.view.deleteItems(at: [path(4), path(1)])
      grid.view.insertSections([2])
      grid.view.moveItem(at: path(0, 1), to: path(2))
      grid.view.performBatchUpdates {
        grid.view.insertItems(at: [path(1, 1)])
        grid.view.deleteItems(at: [path(2)])
      }
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["n", "a", "x", "d", "y", "m"])
    #expect(grid.source.requestedWords == ["n", "y", "m"], "y was below the viewport")
    #expect(grid.source.countRequests == 1)
    #expect(grid.cell(of: "x") === cells[5] && grid.cell(of: "a") === cells[0])
    #expect(grid.view.updateStatistics.structural == 1)
    #expect(grid.log.lines.filter { $0.hasPrefix("-") }.sorted() == ["-b", "-c", "-e"])
  }

  @Test("Sections are inserted, deleted and moved with their items, and are reloaded with any number of items")
  func sections() {
    let grid = DataSourceGrid([["a"], ["b", "c"], ["d"]])
    let cell = grid.cell(of: "d")
    grid.source.sections = [["d"], ["a"], ["b", "c"]]
    grid.view.moveSection(2, toSection: 0)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["d", "a", "b", "c"] && grid.source.requestedWords.isEmpty && grid.cell(of: "d") === cell)
    grid.source.sections[2] = ["B", "C", "D"]
    grid.view.reloadSections([2])
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["d", "a", "B", "C", "D"] && grid.source.requestedWords == ["B", "C", "D"])
    grid.source.sections.remove(at: 1)
    grid.view.deleteSections([1])
    grid.source.sections.insert(["q"], at: 0)
    grid.view.insertSections(0..<1)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["q", "d", "B", "C", "D"])
  }

  @Test("In a batch, a reconfigured item keeps its cell and a reloaded item gets another one")
  func reconfigureAndReload() {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    let (first, second) = (grid.words[3], grid.words[4])
    grid.view.performBatchUpdates {
      grid.source.sections[0].removeFirst()
      grid.source.sections[0][2] = "W3"
      grid.source.sections[0][3] = "W4"
      grid.view.deleteItems(at: [path(0)])
      grid.view.reconfigureItems(at: [path(3), path(70)])
      grid.view.reloadItems(at: [path(4)])
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["w1", "w2", "W3", "W4", "w5", "w6"])
    #expect(grid.cell(of: "W3") === first && first.reuses == 0)
    #expect(grid.cell(of: "W4") !== second)
    #expect(grid.source.requestedWords.sorted() == ["W3", "W4", "w6"])
  }

  @Test("Reloading data requests all visible cells again, clamps the offset and clears the selection")
  func reload() {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    grid.view.selectItem(at: path(3), animated: false)
    grid.view.scroll(to: 200, animated: false)
    grid.harness.runUntilIdle()
    grid.clearLog()
    grid.source.sections = [["a", "b"], WordGrid.words(0..<7)]
    grid.view.reloadData()
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 150)
    #expect(grid.shown == WordGrid.words(1..<7))
    #expect(grid.source.requestedWords == WordGrid.words(1..<7))
    #expect(grid.view.indexPathsForSelectedItems.isEmpty)
    #expect(grid.view.updateStatistics.reloadedAll == 1)
    grid.view.performBatchUpdates {
      grid.source.sections = [["only"]]
      grid.view.deleteItems(at: [path(99)])
      grid.view.reloadData()
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["only"], "changes in the same batch as a reload are ignored")
  }

  @Test("The selection and the scroll anchor follow their items through a batch")
  func selectionAndAnchor() {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    grid.view.selectItem(at: path(22), animated: false)
    grid.view.scroll(to: 1_000, animated: false)
    grid.harness.runUntilIdle()
    grid.source.sections[0].insert(contentsOf: WordGrid.words(200..<210), at: 5)
    grid.view.insertItems(at: (5..<15).map { path($0) })
    grid.harness.runUntilIdle()
    #expect(grid.view.indexPathsForSelectedItems.elementsEqual([path(32)]))
    #expect(grid.view.contentOffset == 1_500)
    #expect(grid.source.requestedWords.filter { $0.count == 4 }.isEmpty, "no new item is visible")
  }

  @Test("A batch requested while a cell is being prepared waits until all cells are prepared")
  func batchInCellProvider() {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    var didUpdate = false
    grid.source.onCellRequest = { indexPath in
      guard !didUpdate else { return }
      didUpdate = true
      grid.view.performBatchUpdates {
        grid.source.sections[0].removeFirst()
        grid.view.deleteItems(at: [self.path(0)])
      }
      #expect(grid.source.sections[0].count == 100)
    }
    grid.view.scroll(to: 100, animated: false)
    grid.harness.runUntilIdle()
    #expect(didUpdate && grid.view.itemCount == 99)
    #expect(grid.shown == WordGrid.words(2..<8))
  }

  @Test("A negative section count is treated as zero and is counted as a refused number")
  func negativeCount() {
    let grid = DataSourceGrid([["a"]])
    grid.source.sectionCount = -3
    grid.view.reloadData()
    #expect(grid.view.itemCount == 0)
    #expect(grid.view.statistics.refusedNumbers == 1)
  }

  @Test("A view is empty after its data source is deallocated, and a new data source starts at the top")
  func deallocatedDataSource() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    func setTemporaryDataSource() {
      let source = DataSourceGrid.Source([WordGrid.words(0..<100)])
      view.dataSource = source
      view.scroll(to: 500, animated: false)
      harness.runUntilIdle()
      #expect(view.visibleCells.count == 6)
    }
    setTemporaryDataSource()
    #expect(view.dataSource == nil)
    view.scroll(to: 600, animated: false)
    harness.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty)
    let next = DataSourceGrid.Source([WordGrid.words(0..<50)])
    view.dataSource = next
    harness.runUntilIdle()
    #expect(view.visibleCells.count == 6 && view.contentOffset == 0)
    view.dataSource = nil
    harness.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty)
  }
}
