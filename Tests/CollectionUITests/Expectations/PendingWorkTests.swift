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

@Suite("What waits, and what is not there, holds up or stops what depends on it")
struct PendingWorkTests {
  @Test("No cell is prepared ahead while a snapshot waits, and all of them once it is shown")
  func snapshot() {
    let (grid, actor) = FrameActor.grid(400)
    grid.view.isCellPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    #expect(grid.view.preparedCells.count == 6)
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(400..<300_000))
        snapshot.deleteItems(["w1"])
        grid.source.apply(snapshot)
        grid.view.scroll(to: 1_000, animated: false)
      }
    ]
    let before = grid.view.statistics.preparedInSlack
    grid.stage.run(frames: 1)
    #expect(grid.view.itemCount == 400 && grid.view.updateStatistics.comparedInSlack == 1)
    #expect(grid.view.statistics.preparedInSlack == before && grid.shown == WordGrid.words(20..<26))
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount == 299_999 && grid.view.statistics.preparedInSlack > before)
    #expect(grid.view.preparedCells.count >= 6)
  }

  @Test("Another layout keeps the cells that wait, at their new size, and asks no provider for them again")
  func layout() throws {
    let grid = WordGrid.preparing(200, columns: 2)
    let path = IndexPath(item: 13, section: 0)
    let cell = try #require(grid.view.cellForItem(at: path) as? WordCell)
    #expect(!grid.shown.contains("w13") && cell.frame.width == 200)
    grid.forget()
    grid.view.setCollectionViewLayout(WordGrid.layout(columns: 4))
    #expect(cell.frame.width == 100)
    grid.stage.runUntilIdle()
    #expect(grid.view.cellForItem(at: path) === cell && grid.cell(of: "w13") === cell)
    #expect(!grid.provided.contains("w13") && grid.log.lines.filter { $0 == "+w13" }.count == 1)
  }

  /// A layout that names an item that there is not.
  private nonisolated struct Overreaching: CollectionLayout {
    func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedStack {
      StackLayout(namesOneMore: true).solved(in: environment, for: counts)
    }
  }

  @Test("A layout that names more items than the snapshot has stops the program with a sentence")
  func counts() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let wall = NumberWall([[1, 2], [3]], layout: Overreaching())
        wall.stage.runUntilIdle()
      }
    }
    try Misuse.expect(result, says: "which its data source does not have.")
    try Misuse.expect(result, says: "so that view and data source change together.")
  }
}
