import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineTestSupport

@Suite("The drop position is the one at which the item is nearest to the drag location")
struct DropPositionFinderTests {
  private let environment = LayoutEnvironment(containerSize: Size(width: 400, height: 600))

  /// Returns a list with rows of 40 points below headers of 30 points.
  private func list(_ counts: [Int]) -> any SolvedLayout {
    var list = CollectionLayoutListConfiguration(appearance: .plain)
    list.rowHeight = .absolute(40)
    list.headerMode = .supplementary
    list.headerHeight = 30
    list.headerTopPadding = 0
    list.showsSeparators = false
    return CompositionalLayout.list(using: list).solved(in: environment, for: ItemCounts(counts))
  }

  private func position(_ section: Int, _ item: Int) -> ItemPosition { ItemPosition(section: section, item: item) }

  /// Returns the first proposed position.
  private func firstPosition(of item: Int, at location: Point, in layout: any SolvedLayout) -> ItemPosition? {
    var finder = DropPositionFinder(of: item, in: layout, at: location, viewport: layout.visibleRect(at: 0))
    return finder.next()
  }

  /// Returns the final position for a drag location that does not change.
  private func finalPosition(of item: Int, at location: Point, in layout: any SolvedLayout) -> ItemPosition {
    var walk = DropPositionWalk(item, layout)
    while walk.step(towards: location) {}
    return walk.position
  }

  @Test("In a list, an item swaps with its neighbor once it passes the middle of the neighbor")
  func neighbor() {
    let layout = list([5])
    // Rows start at 30, so the middle of the second row is at 90.
    #expect(finalPosition(of: 1, at: Point(x: 200, y: 109), in: layout) == position(0, 1))
    #expect(finalPosition(of: 1, at: Point(x: 200, y: 111), in: layout) == position(0, 2))
    #expect(finalPosition(of: 1, at: Point(x: 200, y: 69), in: layout) == position(0, 0))
    #expect(finalPosition(of: 1, at: Point(x: 200, y: -500), in: layout) == position(0, 0))
    #expect(finalPosition(of: 1, at: Point(x: 200, y: 5_000), in: layout) == position(0, 4))
  }

  @Test("An item can be dropped before the first item, after the last one, and into an empty section")
  func sections() {
    let layout = list([2, 0, 3])
    // Headers at 0, 110 and 140; rows at 30, 70 and 170, 210, 250.
    #expect(finalPosition(of: 0, at: Point(x: 200, y: 118), in: layout) == position(1, 0))
    #expect(finalPosition(of: 0, at: Point(x: 200, y: 160), in: layout) == position(2, 0))
    #expect(finalPosition(of: 0, at: Point(x: 200, y: 280), in: layout) == position(2, 3))
    #expect(finalPosition(of: 4, at: Point(x: 200, y: 135), in: layout) == position(0, 2))
  }

  @Test("In a grid, the item moves directly to the cell at the drag location, in any row and column")
  func grid() {
    let layout = GridLayout(columns: .count(4), heightRatio: 1).solved(in: environment, for: ItemCounts([16]))
    let target = layout.frame(ofItem: 14)
    let location = Point(x: target.midX + 10, y: target.midY - 10)
    #expect(firstPosition(of: 1, at: location, in: layout) == position(0, 14))
  }

  @Test("Within the unaffected distance, no position is better", arguments: 0..<20)
  func unaffectedDistance(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 11)
    let grid = GridLayout(columns: .count(Int.random(in: 1...4, using: &random)), heightRatio: 0.5)
    let layout: any SolvedLayout =
      random.chance(oneIn: 2)
      ? list([Int.random(in: 2...20, using: &random)]) : grid.solved(in: environment, for: ItemCounts([24]))
    for _ in 0..<20 {
      let item = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let location = Point(x: Double.random(in: 0...400, using: &random), y: Double.random(in: 0...600, using: &random))
      var finder = DropPositionFinder(of: item, in: layout, at: location, viewport: layout.visibleRect(at: 0))
      guard finder.next() == nil else { continue }
      #expect(finder.unaffectedDistance >= 0)
      for _ in 0..<10 {
        let distance = finder.unaffectedDistance * Double.random(in: 0..<0.7, using: &random)
        let nearby = Point(
          x: location.x + (random.chance(oneIn: 2) ? distance : -distance),
          y: location.y + (random.chance(oneIn: 2) ? distance : -distance))
        #expect(
          firstPosition(of: item, at: nearby, in: layout) == nil, "\(seed): \(item) from \(location) to \(nearby)")
      }
    }
  }

  @Test("A refused position is followed by the next one, and a replacement counts only if it is better")
  func refusal() {
    let layout = GridLayout(columns: .count(4), heightRatio: 1).solved(in: environment, for: ItemCounts([16]))
    let target = layout.frame(ofItem: 9)
    var finder = DropPositionFinder(
      of: 0, in: layout, at: Point(x: target.midX, y: target.midY + 1), viewport: layout.visibleRect(at: 0))
    var proposed: [ItemPosition] = []
    while let position = finder.next() { proposed.append(position) }
    #expect(proposed.first == position(0, 9) && proposed.count == 3 && Set(proposed).count == 3)
    #expect(finder.isBetter(position(0, 5)) && !finder.isBetter(position(0, 0)) && !finder.isBetter(position(0, 16)))
  }

  @Test("Positions outside the viewport are not proposed")
  func outsideViewport() {
    let layout = list([200])
    let location = Point(x: 200, y: 5_000)
    #expect(firstPosition(of: 3, at: location, in: layout) == position(0, 14), "the last visible row")
  }

  @Test(
    "For a constant drag location the steps end, and each one moves the item nearer, whatever the sizes",
    arguments: 0..<60)
  func convergence(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 40)
    let heights = (0..<4).map { _ in Double(Int.random(in: 12...180, using: &random)) }
    let columns = (0..<4).map { _ in Int.random(in: 1...4, using: &random) }
    let counts = (0..<4).map { _ in random.chance(oneIn: 4) ? 0 : Int.random(in: 1...9, using: &random) }
    guard counts.contains(where: { $0 > 0 }) else { return }
    let rules = CompositionalLayout { section, _ in
      let item = CollectionLayoutItem(
        layoutSize: CollectionLayoutSize(
          width: .fractionalWidth(1 / Double(columns[section])), height: .absolute(heights[section])))
      let row = CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(heights[section]))
      var rows = CollectionLayoutSection(
        group: .horizontal(layoutSize: row, repeatingSubitem: item, count: columns[section]))
      rows.boundarySupplementaryItems = [
        CollectionLayoutBoundarySupplementaryItem(
          layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(24)), elementKind: "header",
          alignment: .top)
      ]
      return rows
    }
    let layout = rules.solved(in: environment, for: ItemCounts(counts))
    for _ in 0..<20 {
      let item = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let location = Point(
        x: Double.random(in: -50...450, using: &random), y: Double.random(in: -50...650, using: &random))
      var walk = DropPositionWalk(item, layout)
      var steps = 0
      while walk.step(towards: location) {
        steps += 1
        #expect(walk.matchesPrediction && walk.isNearer, "\(seed): \(item) to \(location), step \(steps)")
        guard steps < 60 else { break }
      }
      #expect(steps < 60, "\(seed): \(item) to \(location) never ends")
    }
  }
}

/// The successive drop positions of a dragged item for a drag location.
private struct DropPositionWalk {
  private var layout: any SolvedLayout
  private var item: Int
  /// Whether the item is at the frame that the last step predicted.
  private(set) var matchesPrediction = true
  /// Whether the last step moved the item nearer to the drag location.
  private(set) var isNearer = true

  init(_ item: Int, _ layout: any SolvedLayout) {
    self.item = item
    self.layout = layout
  }

  var position: ItemPosition {
    let position = layout.itemCounts.position(of: item) ?? (section: -1, item: -1)
    return ItemPosition(section: position.section, item: position.item)
  }

  /// Moves the item to the next better position, and returns whether there is one.
  mutating func step(towards location: Point) -> Bool {
    var finder = DropPositionFinder(of: item, in: layout, at: location, viewport: layout.visibleRect(at: 0))
    guard let position = finder.next(), let from = layout.itemCounts.position(of: item),
      let update = LayoutUpdate(moving: from, to: (position.section, position.item), in: layout.itemCounts),
      let predicted = layout.frame(ofItem: item, movedTo: position.section, at: position.item)
    else { return false }
    let before = distance(to: location)
    layout.invalidate(.items(update))
    guard let next = layout.itemCounts.index(section: position.section, item: position.item) else { return false }
    item = next
    matchesPrediction = layout.frame(ofItem: item) == predicted
    isNearer = distance(to: location) <= before - DropPositionFinder.minimumImprovement
    return true
  }

  private func distance(to location: Point) -> Double {
    let frame = layout.frame(ofItem: item)
    let (x, y) = (frame.midX - location.x, frame.midY - location.y)
    return (x * x + y * y).squareRoot()
  }
}
