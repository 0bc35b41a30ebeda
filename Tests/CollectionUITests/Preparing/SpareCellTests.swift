import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("At rest the cells are made that a motion will need")
struct SpareCellTests {
  private func cells(_ grid: HeavyGrid) -> Int {
    let counts = grid.view.statistics
    return counts.visible + counts.waiting + counts.pooled
  }

  @Test("As many as are seen and may wait; a motion then makes none")
  func motion() {
    let grid = HeavyGrid(costs: DeclaredCosts(create: .milliseconds(9)))
    grid.view.act(.jump(to: 25))
    grid.stage.run(frames: 60)
    let before = grid.view.statistics
    #expect(before.visible == 7 && before.pooled == 0)
    grid.stage.run(milliseconds: 1_000)
    // Seven are seen, and four screens may wait: around what is seen, and where a flick lands.
    #expect(cells(grid) == 35)
    #expect(grid.view.statistics.prepared == before.prepared, "nothing is configured for that")
    grid.view.act(.flick(velocity: 20_000, accumulating: false), at: grid.stage.clock.now())
    grid.stage.run(frames: 200)
    grid.view.act(.jump(to: 0))
    grid.stage.run(frames: 20)
    #expect(grid.view.statistics.created == 35)
  }

  @Test("No more than there are items, and none where nothing is prepared ahead or there is nothing to show")
  func bounds() {
    for count in [0, 3, 6, 14] {
      let grid = HeavyGrid(count: count)
      grid.stage.run(milliseconds: 1_000)
      #expect(cells(grid) == count)
    }
    let grid = HeavyGrid(preparesAhead: false)
    grid.stage.run(milliseconds: 1_000)
    #expect(cells(grid) == 6)
  }

  @Test("None while memory is short")
  func memory() {
    let grid = HeavyGrid()
    grid.stage.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 18)
    grid.stage.window.handleMemoryPressure()
    grid.stage.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 0)
  }

  @Test("Of the kinds that the last cells had")
  func kinds() {
    var kinds = RecentKinds()
    for kind in [7, 3, 3, 5] { kinds.note(kind) }
    #expect((0..<8).map { kinds.kind($0) } == [5, 3, 3, 7, 5, 3, 3, 7])
    for _ in 0..<RecentKinds.capacity { kinds.note(9) }
    #expect(Set((0..<40).map { kinds.kind($0) }) == [9])
  }
}
