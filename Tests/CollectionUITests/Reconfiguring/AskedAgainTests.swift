import CollectionUI
import DiffableData
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("Code that prepares a cell may ask for the very item again")
struct AskedAgainTests {
  /// What was done for an item, without its drawing.
  private func steps(of item: Int, in grid: HeavyGrid) -> [String] {
    grid.log.lines.filter { $0.hasSuffix(" \(item)") && !$0.hasPrefix("draw") }
  }

  private static func whole(_ item: Int) -> [String] {
    ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"]
  }

  @Test("Asked for by a part, on screen and ahead of need, it is done when that part is", arguments: [3, 8])
  func part(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isAsked = false
    grid.log.onPart = { part, shown in
      guard shown == item, part == 1, !isAsked else { return }
      isAsked = true
      grid.source.reconfigureItems([item])
    }
    grid.stage.runUntilIdle()
    #expect(steps(of: item, in: grid) == Self.whole(item) + Self.whole(item))
    #expect(grid.stage.runUntilIdle() == 0)
  }

  @Test(
    "Asked for by the handler that runs for the first time, it is done at once or before the parts", arguments: [3, 8])
  func handler(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isAsked = false
    grid.log.onConfigure = { shown in
      guard shown == item, !isAsked else { return }
      isAsked = true
      grid.source.reconfigureItems([item])
    }
    grid.stage.runUntilIdle()
    // A cell that is needed at once is made whole first.
    #expect(steps(of: item, in: grid) == (item == 8 ? ["configure 8"] : Self.whole(3)) + Self.whole(item))
  }

  @Test("Asked for by an apply, it is done once the step is", arguments: [3, 8])
  func apply(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isAsked = false
    grid.log.onPart = { part, shown in
      guard shown == item, part == 1, !isAsked else { return }
      isAsked = true
      var snapshot = grid.source.snapshot()
      snapshot.reconfigureItems([item])
      grid.source.apply(snapshot)
    }
    grid.stage.runUntilIdle()
    #expect(steps(of: item, in: grid) == Self.whole(item) + Self.whole(item))
  }

  @Test("A cell that always asks is configured once more ahead of need, and the loop rests")
  func endless() {
    let grid = HeavyGrid(parts: 2)
    grid.log.onConfigure = { if $0 == 8 { grid.source.reconfigureItems([8]) } }
    grid.log.onPart = { if $1 == 8 { grid.source.reconfigureItems([8]) } }
    #expect(grid.stage.runUntilIdle() < 10)
    #expect(grid.log.lines.filter { $0 == "configure 8" }.count == 2)
    grid.log.forget()
    grid.log.onConfigure = nil
    grid.log.onPart = nil
    grid.source.reconfigureItems([8])
    grid.stage.runUntilIdle()
    #expect(steps(of: 8, in: grid) == Self.whole(8), "asked for by somebody else it is done as ever")
  }

  @Test("Where no frames run it waits for one, and calls nothing without end")
  func withoutFrames() {
    let grid = HeavyGrid(parts: 1)
    grid.stage.runUntilIdle()
    grid.log.forget()
    grid.log.onPart = { if $1 == 3 { grid.source.reconfigureItems([3]) } }
    grid.source.reconfigureItems([3])
    #expect(steps(of: 3, in: grid) == ["configure 3", "part 0 of 3"])
    grid.log.onPart = nil
    grid.stage.runUntilIdle()
    #expect(steps(of: 3, in: grid) == ["configure 3", "part 0 of 3", "configure 3", "part 0 of 3"])
  }
}
