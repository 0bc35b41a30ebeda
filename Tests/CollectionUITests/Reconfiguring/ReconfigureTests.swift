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

@Suite("Reconfiguring keeps the cell, and many answers at once make no frame late")
struct ReconfigureTests {
  /// A grid in which each configuration takes so long.
  private func heavy(_ cost: FrameDuration, columns: Int = 10) -> (WordGrid, FrameActor) {
    let grid = WordGrid(WordGrid.words(0..<2_000), columns: columns)
    let actor = FrameActor()
    grid.stage.window.addFirstParticipant(actor)
    grid.stage.runUntilIdle()
    grid.onConfigure = { _, _ in grid.stage.clock.spend(cost) }
    grid.forget()
    return (grid, actor)
  }

  @Test("A screen of answers is spread over frames, none of which is late, the middle of the screen first")
  func budget() {
    let (grid, actor) = heavy(.milliseconds(0.5))
    let cells = grid.view.visibleCells.map(ObjectIdentifier.init)
    let reuses = grid.cells.map(\.reuses)
    actor.next = [{ grid.source.reconfigureItems(grid.shown) }]
    grid.stage.run(frames: 1)
    #expect((1...5).contains(grid.provided.count), "\(grid.provided)")
    // The window's middle is between the third and the fourth row, and the fifth and the sixth column.
    #expect(Set(grid.provided.prefix(4)).isSubset(of: ["w24", "w25", "w34", "w35"]))
    grid.stage.runUntilIdle()
    #expect(grid.provided.count == 60 && Set(grid.provided).count == 60)
    #expect(grid.stage.loop.history.hitchCount == 0)
    #expect(grid.view.visibleCells.map(ObjectIdentifier.init) == cells && grid.cells.map(\.reuses) == reuses)
    #expect(grid.log.lines.isEmpty)
  }

  @Test("One a frame is done however heavy it is, and what is asked for twice is done once")
  func progress() {
    let (grid, actor) = heavy(.milliseconds(40), columns: 1)
    actor.next = [
      { grid.source.reconfigureItems(["w0", "w5"]) }, { grid.source.reconfigureItems(["w5", "w2"]) },
    ]
    grid.stage.run(frames: 1)
    #expect(grid.provided.count == 1)
    grid.stage.run(frames: 1)
    #expect(grid.provided.count == 2)
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w0", "w5", "w2"])
  }

  @Test("A few answers are seen in the frame in which they arrive")
  func atOnce() {
    let (grid, actor) = heavy(.zero, columns: 1)
    actor.next = [
      { grid.source.reconfigureItems(["w3"]) },
      {
        grid.apply {
          $0.deleteItems(["w0"])
          $0.reconfigureItems(["w4"])
        }
      },
    ]
    grid.stage.run(frames: 1)
    #expect(grid.provided == ["w3"])
    grid.stage.run(frames: 1)
    #expect(grid.provided == ["w3", "w4", "w6"])
  }

  @Test("An item that is scrolled away before its turn is configured again where it waits")
  func leaving() {
    let (grid, actor) = heavy(.milliseconds(3), columns: 1)
    grid.view.isCellPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    grid.forget()
    actor.next = [
      { grid.source.reconfigureItems(["w0", "w1", "w2", "w3", "w4", "w5"]) },
      { grid.view.scroll(to: 100, animated: false) },
    ]
    grid.stage.run(frames: 2)
    #expect(!grid.shown.contains("w0"))
    grid.stage.runUntilIdle()
    let again = grid.provided.filter { ["w0", "w1", "w2", "w3", "w4", "w5"].contains($0) }
    #expect(again.sorted() == ["w0", "w1", "w2", "w3", "w4", "w5"])
  }

  @Test("Items keep their turn through applies, and one that is reloaded or gone needs none")
  func applies() {
    let (grid, actor) = heavy(.milliseconds(3), columns: 1)
    actor.next = [
      { grid.source.reconfigureItems(["w0", "w1", "w4", "w5"]) },
      {
        grid.apply {
          $0.deleteItems(["w0"])
          $0.insertItems(["new"], beforeItem: "w1")
          $0.reloadItems(["w5"])
        }
      },
    ]
    grid.stage.runUntilIdle()
    #expect(grid.provided.sorted() == ["new", "w1", "w4", "w5"], "\(grid.provided)")
  }

  @Test("Where no frames run it is done at once")
  func withoutFrames() {
    let (grid, _) = heavy(.zero, columns: 1)
    grid.source.reconfigureItems(["w1", "w3", "w900"])
    #expect(grid.provided == ["w1", "w3"])
  }

  @Test("A handler may have others configured again, and apply")
  func nested() {
    let (grid, actor) = heavy(.zero, columns: 1)
    var isFirst = true
    grid.onConfigure = { _, word in
      guard isFirst else { return }
      isFirst = false
      grid.source.reconfigureItems(["w5"])
      grid.apply { $0.deleteItems(["w2"]) }
    }
    actor.next = [{ grid.source.reconfigureItems(["w1"]) }]
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w1", "w5", "w6"])
    #expect(grid.shown == ["w0", "w1", "w3", "w4", "w5", "w6"])
  }

  @Test("A cell that waits and is configured again is asked for its size again")
  func sizes() {
    var height = 60.0
    let rows = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(60))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: rows, subitems: [CollectionLayoutItem(layoutSize: rows)]))
    let wall = NumberWall([Array(0..<40)], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: number == 6 ? height : 60)
    }
    wall.view.isCellPrefetchingEnabled = true
    wall.stage.runUntilIdle()
    #expect(wall.view.cellForItem(at: IndexPath(item: 6, section: 0)) != nil && !wall.shown.contains(6))
    height = 90
    wall.source.reconfigureItems([6])
    wall.stage.runUntilIdle()
    #expect(wall.view.frameOfItem(at: IndexPath(item: 6, section: 0))?.height == 90)
  }
}
