import CollectionEngine
import CollectionLayout
import CollectionUI
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Sections that scroll across are prepared before they come on screen, and ahead along their own axis")
struct ShelfTests {
  /// Shelves of pages of 200 by 100 points on a screen of 400 by 300.
  private func wall(_ shelves: Int, items: Int, rightToLeft: Bool = false) -> NumberWall {
    let shelf = { () -> CollectionLayoutSection in
      var shelf = Shelves.section(.fractionalWidth(0.5), .absolute(100))
      shelf.orthogonalScrollingBehavior = .continuous
      return shelf
    }()
    let sections = (0..<shelves).map { section in Array((section * 100_000)..<(section * 100_000 + items)) }
    let wall = NumberWall(sections, layout: CompositionalLayout { _, _ in shelf })
    if rightToLeft { wall.view.layoutDirection = .rightToLeft }
    wall.view.isCellPrefetchingEnabled = true
    wall.stage.runUntilIdle()
    return wall
  }

  private func prepared(_ wall: NumberWall, in shelf: Int) -> [Int] {
    wall.view.preparedCells.compactMap { ($0 as? NumberWall.Cell)?.number }
      .filter { $0 / 100_000 == shelf }.map { $0 % 100_000 }
  }

  private func wheel(_ wall: NumberWall, x: Double) {
    wall.stage.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: x, deltaY: 0)))
  }

  @Test(
    "Of a shelf that is not on screen yet its first items are prepared, however many it has", arguments: [20, 50_000])
  func coming(items: Int) {
    let wall = wall(10, items: items)
    #expect(wall.shown.map { $0 % 100_000 } == [0, 1, 0, 1, 0, 1])
    for shelf in 3..<6 { #expect(prepared(wall, in: shelf) == [0, 1], "a screen ahead") }
    #expect(prepared(wall, in: 6).isEmpty)
    let forced = wall.view.statistics.preparedForced
    wall.scroll(to: 60)
    wall.scroll(to: 130)
    wall.stage.runUntilIdle()
    #expect(wall.view.statistics.preparedForced == forced)
    #expect(prepared(wall, in: 6) == [0, 1] || prepared(wall, in: 6) == [0, 1, 2])
  }

  @Test("On screen a shelf's next items are prepared along its own axis, and nothing while none are to be")
  func ahead() {
    let wall = wall(1, items: 40)
    #expect(wall.shown == [0, 1] && prepared(wall, in: 0) == [2, 3])
    let forced = wall.view.statistics.preparedForced
    wheel(wall, x: 2)
    wall.stage.runUntilIdle()
    let first = wall.shown.first ?? 0
    #expect(first > 0 && wall.view.statistics.preparedForced == forced, "none of them was forced")
    let last = wall.shown.last ?? 0
    #expect(prepared(wall, in: 0).filter { $0 > last }.prefix(2) == [last + 1, last + 2])
    #expect(prepared(wall, in: 0).filter { $0 < first }.allSatisfy { $0 >= first - 2 })
    #expect(wall.stage.runUntilIdle() == 0)
  }

  @Test("Where one reads to the left the next items are those to the left")
  func mirrored() {
    let wall = wall(1, items: 40, rightToLeft: true)
    #expect(wall.frame(of: 0) == Rect(x: 200, y: 0, width: 200, height: 100))
    #expect(prepared(wall, in: 0) == [2, 3])
    let forced = wall.view.statistics.preparedForced
    wheel(wall, x: -2)
    wall.stage.runUntilIdle()
    let last = wall.shown.last ?? 0
    #expect(last >= 2 && wall.view.statistics.preparedForced == forced)
    #expect(prepared(wall, in: 0).filter { $0 > last }.prefix(2) == [last + 1, last + 2])
  }

  @Test("Heavy cells come in without a late frame while a shelf moves across")
  func heavy() {
    func late(_ preparesAhead: Bool) -> Int {
      let wall = wall(1, items: 400)
      wall.view.isCellPrefetchingEnabled = preparesAhead
      wall.view.addedCellCost = .milliseconds(18)
      for _ in 0..<12 {
        wheel(wall, x: 1)
        wall.stage.run(frames: 25)
      }
      return wall.stage.loop.history.hitchCount
    }
    #expect(late(false) >= 5)
    #expect(late(true) == 0)
  }

  @Test("Cells of shelves go back to one pool: their number is bounded whatever is scrolled")
  func bounded() {
    let wall = wall(30, items: 300)
    var mostSeen = wall.shown.count
    for round in 0..<60 {
      wheel(wall, x: Double(round % 7 - 2))
      wall.stage.run(frames: 8)
      mostSeen = max(mostSeen, wall.shown.count)
      wall.view.scroll(to: Double(round * 40 % 2_000), animated: round % 2 == 0)
      wall.stage.run(frames: 8)
      mostSeen = max(mostSeen, wall.shown.count)
    }
    let bound = mostSeen + KeepExtent.standard.maximumCells(visible: mostSeen)
    #expect(wall.view.statistics.created <= bound, "\(mostSeen)")
    #expect(wall.view.statistics.reused > bound)
  }
}
