import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Content that is pulled beyond its ends")
struct BeyondTheEndTests {
  private func touch(_ phase: TouchInput.Phase, _ y: Double, on stage: WindowHarness) {
    stage.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
    stage.run(frames: 1)
  }

  private func pull(_ stage: WindowHarness, from start: Double, to end: Double) {
    touch(.began, start, on: stage)
    touch(.moved, start + (end > start ? 10 : -10), on: stage)
    touch(.moved, end, on: stage)
  }

  @Test("The same items are seen, moved; none is asked for beyond the ends, and the pool does not grow")
  func items() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let shown = grid.shown
    let created = grid.view.statistics.created
    pull(grid.stage, from: 20, to: 250)
    #expect(grid.view.contentOffset < -60)
    #expect(shown.starts(with: grid.shown) && !grid.shown.isEmpty)
    touch(.ended, 250, on: grid.stage)
    grid.stage.runUntilIdle()
    #expect(grid.shown == shown && grid.view.contentOffset == 0)
    grid.view.scroll(to: 1e9, animated: false)
    grid.stage.run(frames: 1)
    let last = grid.shown
    pull(grid.stage, from: 280, to: 40)
    #expect(last.reversed().starts(with: grid.shown.reversed()) && grid.shown.last == "w199")
    touch(.ended, 40, on: grid.stage)
    grid.stage.runUntilIdle()
    #expect(grid.shown == last && grid.view.statistics.created <= created + 2 * shown.count)
  }

  @Test("Items that come at the end meanwhile move nothing on screen, and neither do those before what is seen")
  func updates() throws {
    let wall = NumberWall([Array(0..<40)], layout: Shelves.layout(.none))
    wall.view.scroll(to: 1e9, animated: false)
    wall.stage.run(frames: 1)
    pull(wall.stage, from: 280, to: 100)
    let before = try #require(wall.frame(of: 39))
    wall.apply { $0.appendItems(Array(40..<60)) }
    wall.stage.run(frames: 1)
    #expect(wall.frame(of: 39) == before)
    wall.stage.run(frames: 5)
    touch(.ended, 100, on: wall.stage)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 39) == before, "it is within the content now")
    wall.view.scroll(to: 1e9, animated: false)
    wall.stage.run(frames: 1)
    pull(wall.stage, from: 280, to: 100)
    let last = try #require(wall.frame(of: 59))
    wall.apply { $0.deleteItems(Array(1..<5)) }
    wall.stage.run(frames: 1)
    #expect(((wall.frame(of: 59)?.minY ?? 0) - last.minY).magnitude <= 1)
    touch(.ended, 100, on: wall.stage)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 59)?.maxY == 300)
  }

  @Test("Frames in which it comes back ask the layout nothing where the same items are on screen")
  func quiet() {
    let grid = WordGrid(WordGrid.words(0..<200))
    pull(grid.stage, from: 20, to: 40)
    touch(.ended, 40, on: grid.stage)
    grid.stage.run(frames: 1)
    let questions = grid.view.statistics
    grid.stage.runUntilIdle()
    #expect(grid.view.statistics.prepared == questions.prepared && grid.view.contentOffset == 0)
  }

  @Test("With reduced motion nothing goes beyond the ends, also while a finger pulls")
  func reduced() {
    let grid = WordGrid(WordGrid.words(0..<200))
    pull(grid.stage, from: 20, to: 250)
    #expect(grid.view.contentOffset < 0)
    grid.view.reducesMotion = true
    touch(.moved, 260, on: grid.stage)
    #expect(grid.view.contentOffset == 0)
    touch(.ended, 260, on: grid.stage)
    grid.view.reducesMotion = false
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 0 && grid.view.scrollTuning.bounces)
  }
}
