@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A dragged item is dropped at the pointer in any layout, even if the layout changes")
struct MovementLayoutTests {
  /// Presses at a point and drags the item there to another point.
  private func drag(_ harness: WindowHarness, from start: Point, to end: Point) {
    harness.sendEvent(.pointerDown(start, button: .primary, clicks: 1, modifiers: []))
    harness.run(frames: 1)
    harness.sendEvent(.pointerMoved(Point(x: start.x, y: start.y + 5)))
    harness.run(frames: 1)
    harness.sendEvent(.pointerMoved(end))
    harness.run(frames: 2)
  }

  private func release(_ harness: WindowHarness, at point: Point) {
    harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    harness.runUntilIdle()
  }

  @Test("A section without items receives an item through its header")
  func emptySection() {
    let stack = NumberStack([("a", [0, 1]), ("b", []), ("c", [2])], layout: StackLayout(hasHeaders: true))
    stack.source.reorderingHandlers.canReorderItem = { _ in true }
    // Headers at 0, 130 and 160; rows at 30, 80 and 190.
    drag(stack.harness, from: Point(x: 200, y: 55), to: Point(x: 200, y: 140))
    #expect(stack.view.indexPathOfInteractiveMovement == IndexPath(item: 0, section: 1))
    release(stack.harness, at: Point(x: 200, y: 140))
    #expect(stack.source.snapshot().itemIdentifiers(inSection: "b") == [0])
    drag(stack.harness, from: Point(x: 200, y: 135), to: Point(x: 200, y: 40))
    release(stack.harness, at: Point(x: 200, y: 40))
    #expect(stack.source.snapshot().itemIdentifiers(inSection: "a") == [0, 1])
  }

  @Test("The movement continues after the window is resized and the layout is replaced")
  func layoutChange() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    movement.harness.runUntilIdle()
    movement.harness.resize(to: Size(width: 500, height: 500))
    movement.harness.runUntilIdle()
    // Its center stays beneath the pointer.
    #expect(movement.motion.shown.last == "w1 155 x-50" && movement.view.indexPathOfInteractiveMovement?.item == 3)
    movement.view.collectionViewLayout = WordGrid.layout(columns: 2)
    movement.harness.runUntilIdle()
    // Half as wide, with the same center.
    #expect(movement.motion.shown.last == "w1 155 x75")
    movement.move(130, 180)
    movement.harness.runUntilIdle()
    #expect(movement.view.indexPathOfInteractiveMovement?.item == 6)
    movement.release(130, 180)
    movement.harness.runUntilIdle()
    #expect(
      movement.order.firstIndex(of: "w1") == 6 && movement.transactions.count == 1
        && movement.harness.runUntilIdle() == 0)
  }

  @Test("The target follows when the content jumps during the movement")
  func contentJumps() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    for offset in [2_000.0, 0, 4_700, 0] {
      movement.grid.scroll(to: offset)
      movement.harness.runUntilIdle()
      let path = movement.view.indexPathOfInteractiveMovement
      #expect(path?.item == Int((offset + 180) / 50), "\(offset): \(path as Any)")
    }
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.order.firstIndex(of: "w1") == 3)
  }

  @Test("The movement works in a right-to-left layout")
  func rightToLeft() {
    let movement = MovementHarness(WordGrid.words(0..<40), columns: 4)
    movement.view.layoutDirection = .rightToLeft
    movement.harness.runUntilIdle()
    movement.press(350, 25)
    movement.move(150, 130)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown.prefix(11).last == "w0")
    movement.release(150, 130)
    movement.harness.runUntilIdle()
    #expect(movement.order.firstIndex(of: "w0") == 10)
  }

  @Test("The movement works with self-sized rows", arguments: TestScale.seeds(0..<12))
  func selfSizedRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 90)
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(44))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    let heights = (0..<60).map { _ in Double(Int.random(in: 20...110, using: &random)) }
    let grid = NumberGrid(
      [Array(0..<60)], layout: CompositionalLayout(section: CollectionLayoutSection(group: group))
    ) { number, _ in Size(width: 400, height: heights[number]) }
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    for _ in 0..<6 {
      let start = Point(x: 200, y: Double.random(in: 10...290, using: &random))
      let end = Point(x: 200, y: Double.random(in: 70...230, using: &random))
      guard let item = grid.view.itemIndex(at: start), let number = grid.source.itemIdentifier(atFlatIndex: item) else {
        continue
      }
      let pointerOffset = (grid.frame(of: number)?.midY ?? 0) - start.y
      drag(grid.harness, from: start, to: end)
      grid.harness.runUntilIdle()
      guard let index = grid.view.indexPathOfInteractiveMovement?.item else { continue }
      // No adjacent index would be closer to the pointer, given the distance that the item would move.
      let offset = grid.view.contentOffset
      let frame = grid.view.frameOfItem(at: IndexPath(item: index, section: 0)) ?? .zero
      let distance = frame.midY - offset - (end.y + pointerOffset)
      let adjacent = IndexPath(item: index + (distance < 0 ? 1 : -1), section: 0)
      if let other = grid.view.frameOfItem(at: adjacent), other.maxY - offset <= 300, other.minY >= offset {
        #expect(distance.magnitude <= (distance.magnitude - other.height).magnitude + 0.5, "\(seed): \(number)")
      }
      release(grid.harness, at: end)
      #expect(grid.source.snapshot().itemIdentifiers.firstIndex(of: number) == index)
      for number in grid.shown { #expect(grid.frame(of: number)?.height == heights[number]) }
    }
  }

  @Test(
    "In an outline, the displayed order is the one that a drop would commit, after every step",
    arguments: TestScale.seeds(0..<12))
  func outlines(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 500)
    let movement = MovementHarness(sections: [[], []])
    for section in 0..<2 {
      var tree = DiffableDataSourceSectionSnapshot<String>()
      for root in 0..<4 {
        let name = "\(section)r\(root)"
        tree.append([name])
        tree.append((0..<Int.random(in: 0...3, using: &random)).map { "\(name)c\($0)" }, to: name)
        if random.chance(oneIn: 2) { tree.expand([name]) }
      }
      movement.source.apply(tree, to: section, animatingDifferences: false)
    }
    movement.harness.runUntilIdle()
    for _ in 0..<8 {
      let count = Double(movement.source.displayedSnapshot().numberOfItems)
      movement.press(200, Double.random(in: 1..<min(299, 50 * count), using: &random))
      for _ in 0..<6 {
        movement.move(200, Double.random(in: 0...300, using: &random))
        guard let order = movement.source.draggedOrder() else { continue }
        let shown = movement.source.displayedSnapshot()
        #expect(shown.itemIdentifiers == order.itemIdentifiers && shown.itemCounts == order.itemCounts, "\(seed)")
      }
      if random.chance(oneIn: 4) { movement.key(.escape) }
      movement.release(200, Double.random(in: 0...300, using: &random))
      movement.harness.runUntilIdle()
      #expect(movement.source.displayedSnapshot().itemIdentifiers == movement.order)
    }
  }

  @Test("After a drop, scrolling queries the layout as often as before, and no adjustment is left")
  func queriesAfterDrop() {
    let layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    let stack = NumberStack([("a", Array(0..<400))], layout: layout)
    stack.source.reorderingHandlers.canReorderItem = { _ in true }
    stack.scroll(to: 1_010)
    func queryCount() -> Int {
      let before = layout.facts.current.itemQueries
      for step in 1...6 { stack.scroll(to: 1_010 + Double(step)) }
      stack.scroll(to: 1_010)
      return layout.facts.current.itemQueries - before
    }
    let expected = queryCount()
    drag(stack.harness, from: Point(x: 200, y: 55), to: Point(x: 200, y: 160))
    #expect(stack.view.visibleItemController.isAdjusted)
    release(stack.harness, at: Point(x: 200, y: 160))
    #expect(stack.source.snapshot().itemIdentifiers[21] != 21 && !stack.view.visibleItemController.isAdjusted)
    #expect(queryCount() == expected && expected <= 1)
    #expect(!stack.view.visibleItemController.isAdjusted)
  }

  @Test("A slow pointer passes every target, although the target is not computed at every point")
  func slowPointer() {
    let movement = MovementHarness()
    movement.press(200, 75)
    for y in Array(79...230) + Array((70...229).reversed()) {
      movement.move(200, Double(y))
      // On the boundary of two rows both are equally close.
      guard y % 50 != 0 else { continue }
      #expect(movement.view.indexPathOfInteractiveMovement?.item == y / 50, "\(y)")
    }
    movement.key(.escape)
    movement.harness.runUntilIdle()
    #expect(movement.order == WordGrid.words(0..<100))
  }
}
