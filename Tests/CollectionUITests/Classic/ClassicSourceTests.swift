import CollectionEngine
import CollectionLayout
import CollectionUI
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Testing
import Views

@Suite("A data source that is asked by index path gives a view its items")
struct ClassicSourceTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { ClassicWall.path(item, section) }

  @Test("Counts are asked once when it is set, cells for what is on screen; scrolling asks for what comes in")
  func first() {
    let wall = ClassicWall([WordGrid.words(0..<4), WordGrid.words(4..<100)])
    #expect(wall.shown == WordGrid.words(0..<6))
    #expect(wall.view.dataSource === wall.source)
    #expect(wall.view.itemCount == 100)
    wall.view.scroll(to: 100, animated: false)
    wall.stage.runUntilIdle()
    #expect(wall.source.asked == ["w6", "w7"])
    #expect(wall.source.countQuestions == 0)
    #expect(wall.log.lines == ["-w0", "-w1", "+w6", "+w7"])
  }

  @Test("What is said of one section is one section")
  func defaults() {
    final class Plain: CollectionViewDataSource {
      let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
      func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 3 }
      func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
        view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: indexPath.item)
      }
    }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let source = Plain()
    view.dataSource = source
    stage.runUntilIdle()
    #expect(view.visibleCells.compactMap { ($0 as? WordCell)?.word } == ["0", "1", "2"])
  }

  @Test("One insert on screen asks for one cell; the others keep theirs")
  func insert() {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    let kept = wall.words
    wall.source.sections[0].insert("new", at: 2)
    wall.view.insertItems(at: [path(2)])
    wall.stage.runUntilIdle()
    #expect(wall.source.asked == ["new"])
    #expect(wall.source.countQuestions == 1)
    #expect(wall.shown == ["w0", "w1", "new", "w2", "w3", "w4"])
    #expect(wall.words.filter { $0.word != "new" }.elementsEqual(kept.dropLast()) { $0 === $1 })
  }

  @Test("In a batch deletions are named in old places and insertions in new ones, whatever the order of naming")
  func batch() {
    let wall = ClassicWall([["a", "b", "c", "d", "e"], ["x", "y"]])
    let cells = wall.words
    wall.view.performBatchUpdates {
      wall.source.sections = [["n", "a", "x", "d"], ["y", "m"], ["z"]]
      wall.view.insertItems(at: [path(0)])
      wall.view.deleteItems(at: [path(4), path(1)])
      wall.view.insertSections([2])
      wall.view.moveItem(at: path(0, 1), to: path(2))
      wall.view.performBatchUpdates {
        wall.view.insertItems(at: [path(1, 1)])
        wall.view.deleteItems(at: [path(2)])
      }
    }
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["n", "a", "x", "d", "y", "m"])
    #expect(wall.source.asked == ["n", "y", "m"], "y was below the screen")
    #expect(wall.source.countQuestions == 1)
    #expect(wall.cell(of: "x") === cells[5] && wall.cell(of: "a") === cells[0])
    #expect(wall.view.updateStatistics.structural == 1)
    #expect(wall.log.lines.filter { $0.hasPrefix("-") }.sorted() == ["-b", "-c", "-e"])
  }

  @Test("Sections come, go and move with their items, and are reloaded with any number of them")
  func sections() {
    let wall = ClassicWall([["a"], ["b", "c"], ["d"]])
    let cell = wall.cell(of: "d")
    wall.source.sections = [["d"], ["a"], ["b", "c"]]
    wall.view.moveSection(2, toSection: 0)
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["d", "a", "b", "c"] && wall.source.asked.isEmpty && wall.cell(of: "d") === cell)
    wall.source.sections[2] = ["B", "C", "D"]
    wall.view.reloadSections([2])
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["d", "a", "B", "C", "D"] && wall.source.asked == ["B", "C", "D"])
    wall.source.sections.remove(at: 1)
    wall.view.deleteSections([1])
    wall.source.sections.insert(["q"], at: 0)
    wall.view.insertSections(0..<1)
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["q", "d", "B", "C", "D"])
  }

  @Test("A reconfigured item keeps its cell, a reloaded one gets another, at their new places")
  func marks() {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    let (first, second) = (wall.words[3], wall.words[4])
    wall.view.performBatchUpdates {
      wall.source.sections[0].removeFirst()
      wall.source.sections[0][2] = "W3"
      wall.source.sections[0][3] = "W4"
      wall.view.deleteItems(at: [path(0)])
      wall.view.reconfigureItems(at: [path(3), path(70)])
      wall.view.reloadItems(at: [path(4)])
    }
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["w1", "w2", "W3", "W4", "w5", "w6"])
    #expect(wall.cell(of: "W3") === first && first.reuses == 0)
    #expect(wall.cell(of: "W4") !== second)
    #expect(wall.source.asked.sorted() == ["W3", "W4", "w6"])
  }

  @Test("A reload asks for all cells anew, holds the offset as far as it can and deselects")
  func reload() {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    wall.view.selectItem(at: path(3), animated: false)
    wall.view.scroll(to: 200, animated: false)
    wall.stage.runUntilIdle()
    wall.forget()
    wall.source.sections = [["a", "b"], WordGrid.words(0..<7)]
    wall.view.reloadData()
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 150)
    #expect(wall.shown == WordGrid.words(1..<7))
    #expect(wall.source.asked == WordGrid.words(1..<7))
    #expect(wall.view.indexPathsForSelectedItems.isEmpty)
    #expect(wall.view.updateStatistics.reloadedAll == 1)
    wall.view.performBatchUpdates {
      wall.source.sections = [["only"]]
      wall.view.deleteItems(at: [path(99)])
      wall.view.reloadData()
    }
    wall.stage.runUntilIdle()
    #expect(wall.shown == ["only"], "what is named in the same batch counts for nothing")
  }

  @Test("What is selected and what holds the offset are the same items after a batch")
  func follows() {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    wall.view.selectItem(at: path(22), animated: false)
    wall.view.scroll(to: 1_000, animated: false)
    wall.stage.runUntilIdle()
    wall.source.sections[0].insert(contentsOf: WordGrid.words(200..<210), at: 5)
    wall.view.insertItems(at: (5..<15).map { path($0) })
    wall.stage.runUntilIdle()
    #expect(wall.view.indexPathsForSelectedItems.elementsEqual([path(32)]))
    #expect(wall.view.contentOffset == 1_500)
    #expect(wall.source.asked.filter { $0.count == 4 }.isEmpty, "nothing new is on screen")
  }

  @Test("Updates asked for while a cell is prepared wait until all are ready")
  func withinProvider() {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    var isAsked = false
    wall.source.onAsk = { indexPath in
      guard !isAsked else { return }
      isAsked = true
      wall.view.performBatchUpdates {
        wall.source.sections[0].removeFirst()
        wall.view.deleteItems(at: [self.path(0)])
      }
      #expect(wall.source.sections[0].count == 100)
    }
    wall.view.scroll(to: 100, animated: false)
    wall.stage.runUntilIdle()
    #expect(isAsked && wall.view.itemCount == 99)
    #expect(wall.shown == WordGrid.words(2..<8))
  }

  @Test("A number of items that is none counts as none, and is counted")
  func refusedCounts() {
    let wall = ClassicWall([["a"]])
    wall.source.sectionCount = -3
    wall.view.reloadData()
    #expect(wall.view.itemCount == 0)
    #expect(wall.view.statistics.refusedNumbers == 1)
  }

  @Test("A data source that went away took its items along; another one begins at the top")
  func gone() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    func giveShortLived() {
      let source = ClassicWall.Source([WordGrid.words(0..<100)])
      view.dataSource = source
      view.scroll(to: 500, animated: false)
      stage.runUntilIdle()
      #expect(view.visibleCells.count == 6)
    }
    giveShortLived()
    #expect(view.dataSource == nil)
    view.scroll(to: 600, animated: false)
    stage.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty)
    let next = ClassicWall.Source([WordGrid.words(0..<50)])
    view.dataSource = next
    stage.runUntilIdle()
    #expect(view.visibleCells.count == 6 && view.contentOffset == 0)
    view.dataSource = nil
    stage.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty)
  }
}
