import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The view scrolls while an item is dragged near an edge")
struct MovementAutoscrollTests {
  @Test(
    "Scrolling follows the frame clock in both directions up to the ends, and stops when the pointer leaves the edge")
  func bothEdges() {
    let movement = MovementHarness()
    movement.press(200, 125)
    movement.move(200, 299)
    let start = movement.harness.clock.now()
    movement.motion.run(30)
    let seconds = (movement.harness.clock.now() - start).seconds
    let offset = movement.view.contentOffset
    #expect(abs(offset - 1_200 * seconds) < 40, "\(offset) in \(seconds) s")
    #expect(movement.motion.top(of: "w2") == 274, "it stays beneath the pointer")
    let path = movement.view.indexPathOfInteractiveMovement
    #expect(path.map { abs(Double($0.item) * 50 - offset - 274) < 60 } == true, "its target follows: \(path as Any)")
    movement.move(200, 150)
    movement.motion.run(2)
    let stopped = movement.view.contentOffset
    movement.harness.runUntilIdle()
    #expect(
      movement.view.contentOffset == stopped && movement.harness.runUntilIdle() == 0,
      "a pointer at rest produces no frames")
    movement.move(200, 1)
    movement.motion.run(120)
    #expect(movement.view.contentOffset == 0)
    movement.release(200, 1)
    movement.harness.runUntilIdle()
    #expect(movement.order.first == "w2" && movement.view.scroll.phase(at: movement.harness.clock.now()) == .idle)
  }

  @Test(
    "An item pressed near an edge scrolls only after the pointer moves to the edge, and dropping it stops the scroll")
  func pressNearEdge() {
    let movement = MovementHarness()
    movement.press(200, 290)
    movement.move(195, 290)
    movement.motion.run(20)
    #expect(movement.view.contentOffset == 0)
    movement.move(195, 299)
    movement.motion.run(10)
    #expect(movement.view.contentOffset > 50)
    movement.release(195, 299)
    let offset = movement.view.contentOffset
    movement.harness.runUntilIdle()
    #expect(movement.view.contentOffset == offset)
  }

  @Test("The dragged item is displayed beneath the pointer, even if its target is far outside the viewport")
  func refusedTarget() {
    let movement = MovementHarness()
    let cell = movement.grid.cell(of: "w1")
    movement.log.target = { _, current, _ in current }
    movement.press(200, 75)
    movement.move(200, 299)
    movement.motion.run(60)
    #expect(movement.view.contentOffset > 600)
    let visible = movement.view.visibleRange
    #expect(
      visible.lowerBound >= 12 && visible.count <= 7, "only the visible items, not all up to its target: \(visible)")
    movement.motion.apply(animated: false) { $0.appendItems(["new"]) }
    #expect(movement.view.visibleRange.lowerBound >= 12)
    #expect(movement.motion.shown.last == "w1 274" && movement.grid.cell(of: "w1") === cell)
    movement.release(200, 299)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.isEmpty && movement.grid.cell(of: "w1") == nil)
    movement.grid.scroll(to: 0)
    movement.harness.runUntilIdle()
    #expect(movement.motion.shown.prefix(2) == ["w0 0", "w1 50"])
  }

  @Test("Away from the edges the offset does not change, even if items before the viewport are reordered")
  func awayFromEdges() {
    let movement = MovementHarness()
    movement.grid.scroll(to: 1_025)
    movement.press(200, 140)
    movement.move(200, 70)
    movement.harness.runUntilIdle()
    #expect(movement.view.contentOffset == 1_025 && movement.view.indexPathOfInteractiveMovement?.item == 22)
    movement.key(.escape)
    movement.harness.runUntilIdle()
    #expect(movement.view.contentOffset == 1_025 && movement.motion.top(of: "w23") == 125)
  }

  @Test("Wheel scrolling continues during the movement, and updates the target")
  func wheel() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 150)
    movement.send(.wheel(WheelInput(location: Point(x: 200, y: 150), deltaX: 0, deltaY: -5, modifiers: [])))
    movement.harness.runUntilIdle()
    let offset = movement.view.contentOffset
    #expect(offset > 100 && movement.motion.shown.last == "w1 125")
    movement.release(200, 150)
    movement.harness.runUntilIdle()
    let top = movement.order.firstIndex(of: "w1").map { Double($0) * 50 - offset }
    #expect(top.map { abs($0 - 125) <= 25 } == true)
  }

  @Test("The edges are those of the content area within the insets")
  func insets() {
    let movement = MovementHarness()
    movement.view.contentInset = Insets(top: 40, left: 0, bottom: 50, right: 0)
    movement.harness.runUntilIdle()
    let start = movement.view.contentOffset
    // The second row, whose center is 75 points below the inset.
    movement.press(200, 115)
    movement.move(200, 180)
    movement.motion.run(20)
    #expect(movement.view.contentOffset == start, "64 points from the lower inset")
    movement.move(200, 240)
    movement.motion.run(20)
    #expect(movement.view.contentOffset > start + 100)
    movement.move(200, 45)
    movement.motion.run(120)
    #expect(movement.view.contentOffset == start && start == -40)
    movement.release(200, 45)
    movement.harness.runUntilIdle()
    #expect(movement.order.first == "w1")
  }

  @Test("Dragging into another orthogonal section scrolls that section and stops the first one")
  func twoOrthogonalSections() {
    let movement = MovementHarness(sections: [WordGrid.words(0..<20), WordGrid.words(20..<40), ["row"]])
    var shelf = TestLayouts.section(.fractionalWidth(0.5), .absolute(100))
    shelf.orthogonalScrollingBehavior = .continuous
    let rows = TestLayouts.section(.fractionalWidth(1), .absolute(40))
    let orthogonal = shelf
    movement.view.collectionViewLayout = CompositionalLayout { section, _ in section < 2 ? orthogonal : rows }
    movement.harness.runUntilIdle()
    movement.press(100, 50)
    movement.move(399, 50)
    movement.motion.run(20)
    #expect(movement.view.indexPathOfInteractiveMovement?.section == 0)
    movement.move(399, 150)
    movement.motion.run(40)
    let path = movement.view.indexPathOfInteractiveMovement
    #expect(path?.section == 1 && (path?.item ?? 0) > 2, "\(path as Any)")
    movement.move(200, 150)
    movement.motion.run(2)
    movement.release(200, 150)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.count == 1 && movement.source.snapshot().itemIdentifiers(inSection: 1).contains("w0"))
    #expect(
      movement.harness.runUntilIdle() == 0 && !movement.view.isTracked, "no orthogonal section is tracked any more")
  }

  @Test("An orthogonal section scrolls beneath its own dragged item")
  func orthogonalSection() {
    let movement = MovementHarness(sections: [WordGrid.words(0..<20), ["row"]])
    movement.view.collectionViewLayout = TestLayouts.orthogonal(.continuous)
    movement.harness.runUntilIdle()
    // Pages of 200 points on the cross axis.
    movement.press(100, 50)
    movement.move(399, 50)
    movement.motion.run(40)
    let first = movement.view.indexPathOfInteractiveMovement
    #expect(first?.section == 0 && (first?.item ?? 0) > 2, "\(first as Any)")
    #expect(movement.motion.shown.last?.contains("x299") == true, "\(movement.motion.shown)")
    movement.release(399, 50)
    movement.harness.runUntilIdle()
    #expect(movement.order.firstIndex(of: "w0") == first?.item && movement.transactions.count == 1)
  }
}
