import CollectionEngine
import CollectionUI
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What is prepared next, frame by frame on a clock that stands while nobody works")
struct PriorityTests {
  /// Rows of 50 points in a window of 300, at rest at item 40, coming from above, with nothing prepared.
  private func grid(cost: Double = 0) -> WordGrid {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.addedCellCost = .milliseconds(cost)
    grid.scroll(to: 1_990)
    grid.scroll(to: 2_000)
    grid.stage.runUntilIdle()
    grid.forget()
    grid.view.isCellPrefetchingEnabled = true
    return grid
  }

  /// The items that were prepared in each of the coming frames.
  private func frames(_ count: Int, of grid: WordGrid) -> [[Int]] {
    (0..<count).map { _ in
      grid.forget()
      grid.stage.run(frames: 1)
      return grid.provided.compactMap { Int($0.dropFirst()) }
    }
  }

  @Test("At rest: a screen ahead, the nearest first, then half a one behind")
  func rest() {
    #expect(frames(2, of: grid()) == [[46, 47, 48, 49, 50, 51, 39, 38, 37], []])
  }

  @Test("Steady: the nearest first, two a frame where a cell takes most of it, and in time")
  func steady() {
    let grid = grid(cost: 9)
    grid.view.applyScrollEvent(.steady(velocity: 500), at: grid.stage.clock.now())
    let order = frames(40, of: grid)
    #expect(order.allSatisfy { $0.count <= 2 }, "9 of 16 ms, and as many once it is presented")
    let items = order.flatMap(\.self)
    let ahead = items.filter { $0 > 45 }
    #expect(ahead == Array(46..<(46 + ahead.count)) && ahead.count >= 12)
    #expect(items.filter { $0 < 45 }.allSatisfy { $0 < 40 })
    #expect(grid.stage.loop.history.hitchCount == 0)
  }

  @Test("A flick: what is seen within frames, then where it lands, then the path from there backwards")
  func flick() throws {
    let grid = grid()
    grid.view.applyScrollEvent(.flick(velocity: 4_000, accumulating: false), at: grid.stage.clock.now())
    let landing = Int(grid.view.scroll.projectedOffset / 50)
    let order = try #require(frames(1, of: grid).first)
    let first = try #require(order.firstIndex(of: landing))
    let soon = Array(order[..<first])
    #expect(!soon.isEmpty && soon == Array(46..<(46 + soon.count)), "\(order)")
    let region = Array(order[first...].prefix(7))
    #expect(region == Array(landing..<(landing + 7)))
    let path = Array(order[(first + 7)...].prefix { $0 < landing && $0 > 45 })
    #expect(path == [landing - 1, landing - 2, landing - 3], "half a screen: what lies before it flies past")
    #expect(grid.stage.loop.history.hitchCount == 0)
    let forced = grid.view.statistics.preparedForced
    grid.stage.runUntilIdle()
    #expect(grid.view.statistics.preparedForced == forced, "and nothing was forced until it landed")
  }

  @Test("A turn: once it is believed, what was behind comes first")
  func flip() {
    let grid = grid(cost: 9)
    _ = frames(30, of: grid)
    grid.view.applyScrollEvent(.jump(to: 1_996))
    #expect(frames(1, of: grid) == [[36]], "four points back are no turn: half a screen is kept behind, as before")
    grid.view.applyScrollEvent(.jump(to: 1_985))
    let order = frames(8, of: grid).flatMap(\.self)
    #expect(order.prefix(3) == [35, 34, 33], "on from what was behind: \(order)")
    #expect(grid.view.preparedCells.compactMap(\.itemIndex).filter { $0 > 45 }.allSatisfy { $0 <= 49 })
  }
}
