import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What is wanted ahead is found by where the content goes")
struct PrefetchWayTests {
  /// Numbers that were announced and given up.
  final class Log: DataPrefetching {
    var prefetches: [[Int]] = []
    var cancels: [[Int]] = []
    func prefetchItems(_ items: [Int]) { prefetches.append(items) }
    func cancelPrefetchingItems(_ items: [Int]) { cancels.append(items) }
  }

  @Test("A flick announces where it will land before what it passes on the way")
  func flick() throws {
    let (grid, log) = PrefetchTests.grid(2_000)
    log.forget()
    grid.view.applyScrollEvent(.flick(velocity: 6_000, accumulating: false), at: grid.stage.clock.now())
    grid.stage.run(frames: 1)
    let landing = Int(grid.view.scroll.projectedOffset / WordGrid.rowHeight)
    let first = try #require(log.prefetches.first)
    // What a frame or two will show comes first, then the screen on which the content comes to rest.
    let place = try #require(first.firstIndex(of: "w\(landing + 1)"))
    let passed = try #require(first.firstIndex(of: "w19"))
    #expect(place < passed)
    #expect(!first.contains("w\(landing / 2)"), "what nobody will look at is left out until it is near")
    grid.stage.runUntilIdle()
    #expect(grid.shown.allSatisfy { word in log.prefetches.joined().contains(word) })
  }

  @Test("A turn announces what is behind, the nearest first, and a trembling does not")
  func turning() {
    let (grid, log) = PrefetchTests.grid(200)
    grid.scroll(to: 3_000)
    grid.stage.runUntilIdle()
    log.forget()
    grid.scroll(to: 2_996)
    #expect(log.prefetches == [["w56"]] && log.cancels.isEmpty, "one came near, and that is all")
    grid.scroll(to: 2_980)
    grid.stage.runUntilIdle()
    #expect(log.prefetches.last == WordGrid.words(47..<56).reversed())
    #expect(log.cancels.joined().contains("w77"))
  }

  @Test("A section that scrolls across announces what is beside it, not the million items behind")
  func across() throws {
    let layout = Shelves.layout(.continuous)
    let wall = NumberWall([Array(0..<1_000_000), Array(2_000_000..<2_000_040)], layout: layout)
    let log = Log()
    wall.source.prefetching = log
    wall.stage.runUntilIdle()
    #expect(wall.shown == [0, 1] + Array(2_000_000..<2_000_005))
    let announced = try #require(log.prefetches.first)
    #expect(announced.count < 40)
    #expect(Array(announced.prefix(1)) == [2] && announced.contains(5) && !announced.contains(6))
    #expect(announced.contains(2_000_005))
    log.prefetches = []
    wall.stage.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 2, deltaY: 0)))
    wall.stage.runUntilIdle()
    let last = try #require(wall.shown.first { $0 < 1_000_000 })
    #expect(last > 0)
    #expect(log.prefetches.joined().contains(last + 5))
    #expect(log.prefetches.joined().allSatisfy { $0 < 1_000_000 }, "nothing moved along")
  }

  @Test("Nothing is announced while a snapshot waits to be shown, and all of it afterwards")
  func pending() {
    let (grid, actor) = FrameActor.grid(40)
    let log = PrefetchLog()
    grid.source.prefetching = log
    grid.stage.runUntilIdle()
    log.note(shown: grid.shown)
    log.forget()
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(100..<300_000))
        snapshot.deleteItems(["w30"])
        grid.source.apply(snapshot)
        grid.view.scroll(to: 1_000, animated: false)
      }
    ]
    grid.stage.run(frames: 1)
    #expect(grid.view.itemCount == 40 && log.prefetches.isEmpty)
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount > 40 && !log.prefetches.isEmpty)
    #expect(!log.prefetches.joined().contains("w30"))
  }

  @Test("Applying within a prefetch is carried out when all were told")
  func within() {
    let (grid, log) = PrefetchTests.grid(100)
    var isFirst = true
    log.onPrefetch = { _ in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.deleteItems(["w70"]) }
      grid.view.prefetchDataSource = nil
    }
    grid.scroll(to: 3_000)
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount == 99 && !grid.shown.contains("w70"))
  }
}
