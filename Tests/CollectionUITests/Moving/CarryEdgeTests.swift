import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Content goes on beneath an item that is held near an edge")
struct CarryEdgeTests {
  @Test("Down and up by the clock of the frames, to the ends, and not a frame longer than it is held there")
  func edges() {
    let stage = CarryStage()
    stage.press(200, 125)
    stage.move(200, 299)
    let start = stage.stage.clock.now()
    stage.motion.run(30)
    let seconds = (stage.stage.clock.now() - start).seconds
    let offset = stage.view.contentOffset
    #expect(abs(offset - 1_200 * seconds) < 40, "\(offset) in \(seconds) s")
    #expect(stage.motion.top(of: "w2") == 274, "it stays in the hand")
    let path = stage.view.indexPathOfInteractiveMovement
    #expect(path.map { abs(Double($0.item) * 50 - offset - 274) < 60 } == true, "its place goes along: \(path as Any)")
    stage.move(200, 150)
    stage.motion.run(2)
    let stopped = stage.view.contentOffset
    stage.stage.runUntilIdle()
    #expect(stage.view.contentOffset == stopped && stage.stage.runUntilIdle() == 0, "a still hand makes no frames")
    stage.move(200, 1)
    stage.motion.run(120)
    #expect(stage.view.contentOffset == 0)
    stage.release(200, 1)
    stage.stage.runUntilIdle()
    #expect(stage.order.first == "w2" && stage.view.scroll.phase(at: stage.stage.clock.now()) == .idle)
  }

  @Test("Taken near an edge, nothing moves until the hand goes there; let go at an edge, nothing moves any more")
  func taken() {
    let stage = CarryStage()
    stage.press(200, 290)
    stage.move(195, 290)
    stage.motion.run(20)
    #expect(stage.view.contentOffset == 0)
    stage.move(195, 299)
    stage.motion.run(10)
    #expect(stage.view.contentOffset > 50)
    stage.release(195, 299)
    let offset = stage.view.contentOffset
    stage.stage.runUntilIdle()
    #expect(stage.view.contentOffset == offset)
  }

  @Test("It is shown in the hand also where the place that is kept for it is far off screen")
  func refused() {
    let stage = CarryStage()
    let cell = stage.grid.cell(of: "w1")
    stage.log.target = { _, current, _ in current }
    stage.press(200, 75)
    stage.move(200, 299)
    stage.motion.run(60)
    #expect(stage.view.contentOffset > 600)
    let seen = stage.view.visibleRange
    #expect(seen.lowerBound >= 12 && seen.count <= 7, "what is seen, and not all up to its place: \(seen)")
    stage.motion.apply(animated: false) { $0.appendItems(["new"]) }
    #expect(stage.view.visibleRange.lowerBound >= 12)
    #expect(stage.motion.shown.last == "w1 274" && stage.grid.cell(of: "w1") === cell)
    stage.release(200, 299)
    stage.stage.runUntilIdle()
    #expect(stage.told.isEmpty && stage.grid.cell(of: "w1") == nil)
    stage.grid.scroll(to: 0)
    stage.stage.runUntilIdle()
    #expect(stage.motion.shown.prefix(2) == ["w0 0", "w1 50"])
  }

  @Test("Away from the edges the offset stays, also where items change places before what is seen first")
  func held() {
    let stage = CarryStage()
    stage.grid.scroll(to: 1_025)
    stage.press(200, 140)
    stage.move(200, 70)
    stage.stage.runUntilIdle()
    #expect(stage.view.contentOffset == 1_025 && stage.view.indexPathOfInteractiveMovement?.item == 22)
    stage.key(.escape)
    stage.stage.runUntilIdle()
    #expect(stage.view.contentOffset == 1_025 && stage.motion.top(of: "w23") == 125)
  }

  @Test("A wheel goes on meanwhile, and the item takes part")
  func wheel() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 150)
    stage.send(.wheel(WheelInput(location: Point(x: 200, y: 150), deltaX: 0, deltaY: -5, modifiers: [])))
    stage.stage.runUntilIdle()
    let offset = stage.view.contentOffset
    #expect(offset > 100 && stage.motion.shown.last == "w1 125")
    stage.release(200, 150)
    stage.stage.runUntilIdle()
    let place = stage.order.firstIndex(of: "w1").map { Double($0) * 50 - offset }
    #expect(place.map { abs($0 - 125) <= 25 } == true)
  }

  @Test("Edges are those of what is seen beside the content's inset")
  func insets() {
    let stage = CarryStage()
    stage.view.contentInset = Insets(top: 40, left: 0, bottom: 50, right: 0)
    stage.stage.runUntilIdle()
    let start = stage.view.contentOffset
    // The second row: its middle is 75 below the inset.
    stage.press(200, 115)
    stage.move(200, 180)
    stage.motion.run(20)
    #expect(stage.view.contentOffset == start, "64 points from the lower inset")
    stage.move(200, 240)
    stage.motion.run(20)
    #expect(stage.view.contentOffset > start + 100)
    stage.move(200, 45)
    stage.motion.run(120)
    #expect(stage.view.contentOffset == start && start == -40)
    stage.release(200, 45)
    stage.stage.runUntilIdle()
    #expect(stage.order.first == "w1")
  }

  @Test("From one strip into another: that goes on, and the first one comes to rest")
  func strips() {
    let stage = CarryStage(sections: [WordGrid.words(0..<20), WordGrid.words(20..<40), ["row"]])
    var shelf = Shelves.section(.fractionalWidth(0.5), .absolute(100))
    shelf.orthogonalScrollingBehavior = .continuous
    let rows = Shelves.section(.fractionalWidth(1), .absolute(40))
    let strip = shelf
    stage.view.collectionViewLayout = CompositionalLayout { section, _ in section < 2 ? strip : rows }
    stage.stage.runUntilIdle()
    stage.press(100, 50)
    stage.move(399, 50)
    stage.motion.run(20)
    #expect(stage.view.indexPathOfInteractiveMovement?.section == 0)
    stage.move(399, 150)
    stage.motion.run(40)
    let path = stage.view.indexPathOfInteractiveMovement
    #expect(path?.section == 1 && (path?.item ?? 0) > 2, "\(path as Any)")
    stage.move(200, 150)
    stage.motion.run(2)
    stage.release(200, 150)
    stage.stage.runUntilIdle()
    #expect(stage.told.count == 1 && stage.source.snapshot().itemIdentifiers(inSection: 1).contains("w0"))
    #expect(stage.stage.runUntilIdle() == 0 && !stage.view.isTracked, "no strip is held any more")
  }

  @Test("A section that scrolls across goes on beneath its own item")
  func strip() {
    let stage = CarryStage(sections: [WordGrid.words(0..<20), ["row"]])
    stage.view.collectionViewLayout = Shelves.layout(.continuous)
    stage.stage.runUntilIdle()
    // Pages of 200 points across.
    stage.press(100, 50)
    stage.move(399, 50)
    stage.motion.run(40)
    let first = stage.view.indexPathOfInteractiveMovement
    #expect(first?.section == 0 && (first?.item ?? 0) > 2, "\(first as Any)")
    #expect(stage.motion.shown.last?.contains("x299") == true, "\(stage.motion.shown)")
    stage.release(399, 50)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w0") == first?.item && stage.told.count == 1)
  }
}
