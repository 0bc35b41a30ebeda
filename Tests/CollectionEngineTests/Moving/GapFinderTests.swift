import CollectionEngine
import CollectionLayout
import DiffableData
import Geometry
import TestSupport
import Testing

@Suite("An item that is carried is meant to be where it would stand nearest to the hand")
struct GapFinderTests {
  private let room = LayoutEnvironment(containerSize: Size(width: 400, height: 600))

  /// Rows of 40 points under headers of 30.
  private func list(_ counts: [Int]) -> any SolvedLayout {
    var list = CollectionLayoutListConfiguration(appearance: .plain)
    list.rowHeight = .absolute(40)
    list.headerMode = .supplementary
    list.headerHeight = 30
    list.headerTopPadding = 0
    list.showsSeparators = false
    return CompositionalLayout.list(using: list).solved(in: room, for: ItemCounts(counts))
  }

  private func place(_ section: Int, _ item: Int) -> ItemPosition { ItemPosition(section: section, item: item) }

  /// The first place that is told.
  private func first(of item: Int, at hand: Point, in layout: any SolvedLayout) -> ItemPosition? {
    var finder = DropPositionFinder(of: item, in: layout, at: hand, viewport: layout.visibleRect(at: 0))
    return finder.next()
  }

  /// Follows a still hand to the end.
  private func end(of item: Int, at hand: Point, in layout: any SolvedLayout) -> ItemPosition {
    var walk = GapWalk(item, layout)
    while walk.step(towards: hand) {}
    return walk.place
  }

  @Test("In a list it changes places with a neighbour from that one's middle on")
  func neighbour() {
    let layout = list([5])
    // Rows begin at 30: the second one's middle is at 90.
    #expect(end(of: 1, at: Point(x: 200, y: 109), in: layout) == place(0, 1))
    #expect(end(of: 1, at: Point(x: 200, y: 111), in: layout) == place(0, 2))
    #expect(end(of: 1, at: Point(x: 200, y: 69), in: layout) == place(0, 0))
    #expect(end(of: 1, at: Point(x: 200, y: -500), in: layout) == place(0, 0))
    #expect(end(of: 1, at: Point(x: 200, y: 5_000), in: layout) == place(0, 4))
  }

  @Test("Across sections: before the first item, behind the last, and where there is none")
  func sections() {
    let layout = list([2, 0, 3])
    // Headers at 0, 110 and 140; rows at 30, 70 and 170, 210, 250.
    #expect(end(of: 0, at: Point(x: 200, y: 118), in: layout) == place(1, 0))
    #expect(end(of: 0, at: Point(x: 200, y: 160), in: layout) == place(2, 0))
    #expect(end(of: 0, at: Point(x: 200, y: 280), in: layout) == place(2, 3))
    #expect(end(of: 4, at: Point(x: 200, y: 135), in: layout) == place(0, 2))
  }

  @Test("In a grid it goes to the cell beneath it at once, to any row and column")
  func grid() {
    let layout = GridLayout(columns: .count(4), heightRatio: 1).solved(in: room, for: ItemCounts([16]))
    let target = layout.frame(ofItem: 14)
    let hand = Point(x: target.midX + 10, y: target.midY - 10)
    #expect(first(of: 1, at: hand, in: layout) == place(0, 14))
  }

  @Test("Where nothing is better, nothing is within reach either", arguments: 0..<20)
  func reach(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 11)
    let grid = GridLayout(columns: .count(Int.random(in: 1...4, using: &random)), heightRatio: 0.5)
    let layout: any SolvedLayout =
      random.chance(oneIn: 2)
      ? list([Int.random(in: 2...20, using: &random)]) : grid.solved(in: room, for: ItemCounts([24]))
    for _ in 0..<20 {
      let item = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let hand = Point(x: Double.random(in: 0...400, using: &random), y: Double.random(in: 0...600, using: &random))
      var finder = DropPositionFinder(of: item, in: layout, at: hand, viewport: layout.visibleRect(at: 0))
      guard finder.next() == nil else { continue }
      #expect(finder.unaffectedDistance >= 0)
      for _ in 0..<10 {
        let way = finder.unaffectedDistance * Double.random(in: 0..<0.7, using: &random)
        let near = Point(
          x: hand.x + (random.chance(oneIn: 2) ? way : -way), y: hand.y + (random.chance(oneIn: 2) ? way : -way))
        #expect(first(of: item, at: near, in: layout) == nil, "\(seed): \(item) from \(hand) to \(near)")
      }
    }
  }

  @Test("A place that is refused is followed by the next; one that is named instead counts where it is better")
  func refusal() {
    let layout = GridLayout(columns: .count(4), heightRatio: 1).solved(in: room, for: ItemCounts([16]))
    let target = layout.frame(ofItem: 9)
    var finder = DropPositionFinder(
      of: 0, in: layout, at: Point(x: target.midX, y: target.midY + 1), viewport: layout.visibleRect(at: 0))
    var told: [ItemPosition] = []
    while let place = finder.next() { told.append(place) }
    #expect(told.first == place(0, 9) && told.count == 3 && Set(told).count == 3)
    #expect(finder.isBetter(place(0, 5)) && !finder.isBetter(place(0, 0)) && !finder.isBetter(place(0, 16)))
  }

  @Test("What is not on screen is not meant")
  func screen() {
    let layout = list([200])
    let hand = Point(x: 200, y: 5_000)
    #expect(first(of: 3, at: hand, in: layout) == place(0, 14), "the last of the rows that are seen")
  }

  @Test("A still hand ends in one place, each step nearer, whatever sizes items have", arguments: 0..<60)
  func law(seed: UInt64) {
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
    let layout = rules.solved(in: room, for: ItemCounts(counts))
    for _ in 0..<20 {
      let item = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let hand = Point(x: Double.random(in: -50...450, using: &random), y: Double.random(in: -50...650, using: &random))
      var walk = GapWalk(item, layout)
      var steps = 0
      while walk.step(towards: hand) {
        steps += 1
        #expect(walk.isWhereItSaid && walk.cameNearer, "\(seed): \(item) to \(hand), step \(steps)")
        guard steps < 60 else { break }
      }
      #expect(steps < 60, "\(seed): \(item) to \(hand) never ends")
    }
  }
}
