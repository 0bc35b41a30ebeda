import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import CollectionUI

@Suite("Whatever the layout is, and becomes, an item is put down where it is held")
struct CarryPlacesTests {
  /// Presses a point and draws what is there to another one.
  private func draw(_ stage: WindowHarness, from start: Point, to end: Point) {
    stage.sendEvent(.pointerDown(start, button: .primary, clicks: 1, modifiers: []))
    stage.run(frames: 1)
    stage.sendEvent(.pointerMoved(Point(x: start.x, y: start.y + 5)))
    stage.run(frames: 1)
    stage.sendEvent(.pointerMoved(end))
    stage.run(frames: 2)
  }

  private func release(_ stage: WindowHarness, at point: Point) {
    stage.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    stage.runUntilIdle()
  }

  @Test("A section without items takes it, by its header")
  func emptySection() {
    let stack = StackStage([("a", [0, 1]), ("b", []), ("c", [2])], layout: StackLayout(hasHeaders: true))
    stack.source.reorderingHandlers.canReorderItem = { _ in true }
    // Headers at 0, 130 and 160; rows at 30, 80 and 190.
    draw(stack.stage, from: Point(x: 200, y: 55), to: Point(x: 200, y: 140))
    #expect(stack.view.indexPathOfInteractiveMovement == IndexPath(item: 0, section: 1))
    release(stack.stage, at: Point(x: 200, y: 140))
    #expect(stack.source.snapshot().itemIdentifiers(inSection: "b") == [0])
    draw(stack.stage, from: Point(x: 200, y: 135), to: Point(x: 200, y: 40))
    release(stack.stage, at: Point(x: 200, y: 40))
    #expect(stack.source.snapshot().itemIdentifiers(inSection: "a") == [0, 1])
  }

  @Test("The window grows, and is another layout's")
  func layouts() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    stage.stage.runUntilIdle()
    stage.stage.resize(to: Size(width: 500, height: 500))
    stage.stage.runUntilIdle()
    // Its middle stays in the hand.
    #expect(stage.motion.shown.last == "w1 155 x-50" && stage.view.indexPathOfInteractiveMovement?.item == 3)
    stage.view.collectionViewLayout = WordGrid.layout(columns: 2)
    stage.stage.runUntilIdle()
    // Half as wide, about the same middle.
    #expect(stage.motion.shown.last == "w1 155 x75")
    stage.move(130, 180)
    stage.stage.runUntilIdle()
    #expect(stage.view.indexPathOfInteractiveMovement?.item == 6)
    stage.release(130, 180)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w1") == 6 && stage.told.count == 1 && stage.stage.runUntilIdle() == 0)
  }

  @Test("Content jumps to elsewhere and back while it is held")
  func jumps() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    for offset in [2_000.0, 0, 4_700, 0] {
      stage.grid.scroll(to: offset)
      stage.stage.runUntilIdle()
      let path = stage.view.indexPathOfInteractiveMovement
      #expect(path?.item == Int((offset + 180) / 50), "\(offset): \(path as Any)")
    }
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w1") == 3)
  }

  @Test("Read from right to left")
  func rightToLeft() {
    let stage = CarryStage(WordGrid.words(0..<40), columns: 4)
    stage.view.layoutDirection = .rightToLeft
    stage.stage.runUntilIdle()
    stage.press(350, 25)
    stage.move(150, 130)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown.prefix(11).last == "w0")
    stage.release(150, 130)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w0") == 10)
  }

  @Test("Rows as high as their cells ask for", arguments: 0..<12)
  func selfSized(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 90)
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(44))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    let heights = (0..<60).map { _ in Double(Int.random(in: 20...110, using: &random)) }
    let wall = NumberWall(
      [Array(0..<60)], layout: CompositionalLayout(section: CollectionLayoutSection(group: group))
    ) { number, _ in Size(width: 400, height: heights[number]) }
    wall.source.reorderingHandlers.canReorderItem = { _ in true }
    for _ in 0..<6 {
      let start = Point(x: 200, y: Double.random(in: 10...290, using: &random))
      let end = Point(x: 200, y: Double.random(in: 70...230, using: &random))
      guard let item = wall.view.itemIndex(at: start), let number = wall.source.itemIdentifier(atFlatIndex: item) else {
        continue
      }
      let grip = (wall.frame(of: number)?.midY ?? 0) - start.y
      draw(wall.stage, from: start, to: end)
      wall.stage.runUntilIdle()
      guard let place = wall.view.indexPathOfInteractiveMovement?.item else { continue }
      // No neighbour's place would be nearer to where it is held: by how far the item would go there.
      let offset = wall.view.contentOffset
      let frame = wall.view.frameOfItem(at: IndexPath(item: place, section: 0)) ?? .zero
      let lack = frame.midY - offset - (end.y + grip)
      let neighbour = IndexPath(item: place + (lack < 0 ? 1 : -1), section: 0)
      if let other = wall.view.frameOfItem(at: neighbour), other.maxY - offset <= 300, other.minY >= offset {
        #expect(lack.magnitude <= (lack.magnitude - other.height).magnitude + 0.5, "\(seed): \(number)")
      }
      release(wall.stage, at: end)
      #expect(wall.source.snapshot().itemIdentifiers.firstIndex(of: number) == place)
      for number in wall.shown { #expect(wall.frame(of: number)?.height == heights[number]) }
    }
  }

  @Test("In a tree what is shown is what would be put down, after every step", arguments: 0..<12)
  func trees(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 500)
    let stage = CarryStage(sections: [[], []])
    for section in 0..<2 {
      var tree = DiffableDataSourceSectionSnapshot<String>()
      for root in 0..<4 {
        let name = "\(section)r\(root)"
        tree.append([name])
        tree.append((0..<Int.random(in: 0...3, using: &random)).map { "\(name)c\($0)" }, to: name)
        if random.chance(oneIn: 2) { tree.expand([name]) }
      }
      stage.source.apply(tree, to: section, animatingDifferences: false)
    }
    stage.stage.runUntilIdle()
    for _ in 0..<8 {
      let count = Double(stage.source.shownSnapshot().numberOfItems)
      stage.press(200, Double.random(in: 1..<min(299, 50 * count), using: &random))
      for _ in 0..<6 {
        stage.move(200, Double.random(in: 0...300, using: &random))
        guard let order = stage.source.draggedOrder() else { continue }
        let shown = stage.source.shownSnapshot()
        #expect(shown.itemIdentifiers == order.itemIdentifiers && shown.itemCounts == order.itemCounts, "\(seed)")
      }
      if random.chance(oneIn: 4) { stage.key(.escape) }
      stage.release(200, Double.random(in: 0...300, using: &random))
      stage.stage.runUntilIdle()
      #expect(stage.source.shownSnapshot().itemIdentifiers == stage.order)
    }
  }

  @Test("Once it is down, a scroll asks the layout as little as before, and nothing is arranged")
  func quiet() {
    let layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    let stack = StackStage([("a", Array(0..<400))], layout: layout)
    stack.source.reorderingHandlers.canReorderItem = { _ in true }
    stack.scroll(to: 1_010)
    func questions() -> Int {
      let before = layout.facts.now.questions
      for step in 1...6 { stack.scroll(to: 1_010 + Double(step)) }
      stack.scroll(to: 1_010)
      return layout.facts.now.questions - before
    }
    let usual = questions()
    draw(stack.stage, from: Point(x: 200, y: 55), to: Point(x: 200, y: 160))
    #expect(!stack.view.arrangement.isEmpty)
    release(stack.stage, at: Point(x: 200, y: 160))
    #expect(stack.source.snapshot().itemIdentifiers[21] != 21 && stack.view.arrangement.isEmpty)
    #expect(questions() == usual && usual <= 1)
    #expect(stack.view.arrangement.isEmpty)
  }

  @Test("A hand that goes on slowly loses no place on its way, though it is not asked about at every point")
  func slowly() {
    let stage = CarryStage()
    stage.press(200, 75)
    for y in Array(79...230) + Array((70...229).reversed()) {
      stage.move(200, Double(y))
      // On the line between two rows either is as near.
      guard y % 50 != 0 else { continue }
      #expect(stage.view.indexPathOfInteractiveMovement?.item == y / 50, "\(y)")
    }
    stage.key(.escape)
    stage.stage.runUntilIdle()
    #expect(stage.order == WordGrid.words(0..<100))
  }
}
