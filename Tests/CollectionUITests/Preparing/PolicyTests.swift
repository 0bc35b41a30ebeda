import CollectionEngine
import CollectionUI
import FramePacing
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A view prepares cells as its policy says, and takes a cell that is to come for the heaviest of late")
struct PolicyTests {
  @Test("Whole cells: the next row alone, each with all its parts and its drawing in one go")
  func wholeCells() {
    let grid = HeavyGrid(columns: 2, parts: 3, costs: DeclaredCosts(part: .milliseconds(2)))
    grid.view.preparationPolicy = .wholeCells
    grid.stage.runUntilIdle()
    #expect(grid.view.preparedCells.compactMap(\.itemIndex) == [12, 13])
    let lines = grid.log.lines.filter { $0.hasSuffix(" 12") || $0.hasSuffix(" 13") }
    #expect(
      lines
        == [12, 13].flatMap { item in
          ["configure \(item)"] + (0..<3).map { "part \($0) of \(item)" } + ["draw \(item)"]
        })
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("Whole cells that are longer than a frame are late, where in steps they are not")
  func comparison() {
    func late(_ policy: PreparationPolicy) -> Int {
      let grid = HeavyGrid(parts: 5, costs: DeclaredCosts(part: .milliseconds(8)))
      grid.view.preparationPolicy = policy
      grid.stage.runUntilIdle()
      grid.scroll(at: 600, frames: 200)
      return grid.late.count
    }
    #expect(late(.stepwise) == 0 && late(.wholeCells) > 20)
  }

  @Test("No turn lets go of what was prepared where the policy says so")
  func turning() {
    func dropped(_ policy: PreparationPolicy) -> Int {
      let grid = HeavyGrid()
      grid.view.preparationPolicy = policy
      grid.stage.runUntilIdle()
      grid.scroll(at: 1_200, frames: 30)
      grid.scroll(at: -1_200, frames: 10)
      return grid.view.statistics.preparedNeverDisplayed
    }
    #expect(dropped(.stepwise) > 0 && dropped(.wholeCells) == 0)
  }

  @Test(
    "Heavy cells among cheap ones: work ahead never runs past its limit, and no frame is late", arguments: [300.0, 600])
  func mixed(speed: Double) {
    let grid = MixedGrid(heavyEvery: 5, cheap: .milliseconds(2), heavy: .milliseconds(21))
    grid.view.applyScrollEvent(.steady(velocity: speed), at: grid.stage.clock.now())
    grid.stage.run(frames: 300)
    #expect(grid.view.slackStatistics.overruns == 0 && grid.stage.loop.history.hitchCount == 0)
    #expect(grid.view.statistics.preparedInSlack > 30)
  }
}
