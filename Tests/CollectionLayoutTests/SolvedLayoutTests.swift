import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Content anchors")
struct ContentAnchorTests {
  private func grid(_ columns: Int, width: Double, height: Double = 500, items: Int = 10_000) -> SolvedComposition {
    GridLayout(columns: .count(columns), columnSpacing: 4, rowSpacing: 4)
      .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: height)), for: ItemCounts([items]))
  }

  @Test("Converting an offset to an anchor and back returns the same offset")
  func roundTrip() {
    var random = SeededGenerator(seed: 81)
    for _ in 0..<2_000 {
      let grid = random.grid()
      let offset = Double.random(in: 0...max(1, grid.maximumOffset), using: &random)
      guard grid.itemCounts.total > 0, offset <= grid.maximumOffset else { continue }
      #expect((grid.offset(of: grid.anchor(at: offset)) - offset).magnitude < 1e-9)
    }
  }

  @Test("Resizing keeps the first visible item at the top edge of the viewport")
  func firstVisibleItemStays() throws {
    var random = SeededGenerator(seed: 82)
    for _ in 0..<1_000 {
      let before = grid(.random(in: 1...9, using: &random), width: .random(in: 300...1_500, using: &random))
      let after = grid(.random(in: 1...9, using: &random), width: .random(in: 300...1_500, using: &random))
      let offset = Double.random(in: 1...(before.maximumOffset - 2_000), using: &random)
      let anchor = before.anchor(at: offset)
      let item = try #require(before.firstItem(in: before.visibleRect(at: offset)))
      let moved = after.offset(of: anchor)
      guard moved < after.maximumOffset else { continue }
      let (old, new) = (before.frame(ofItem: item), after.frame(ofItem: item))
      // Either the distance between the top edges of the item and the viewport is the same, or the item is clipped at
      // the same fraction of its height.
      let oldShare = max(0, (offset - old.minY) / old.height)
      let newShare = max(0, (moved - new.minY) / new.height)
      #expect((oldShare - newShare).magnitude < 1e-9)
      #expect((max(0, old.minY - offset) - max(0, new.minY - moved)).magnitude < 1e-9)
      #expect(after.visibleRect(at: moved).intersects(new))
    }
  }

  @Test("A stored anchor does not drift through repeated resizes")
  func anchorDoesNotDrift() {
    let anchor = grid(7, width: 900).anchor(at: 20_000)
    let before = grid(7, width: 900).offset(of: anchor)
    for width in stride(from: 900.0, through: 300, by: -1) { _ = grid(5, width: width).offset(of: anchor) }
    #expect(grid(7, width: 900).offset(of: anchor) == before)
    #expect((before - 20_000).magnitude < 1e-9)
  }

  @Test("Inserting thousands of items before the anchored item moves nothing on screen")
  func insertionsAbove() throws {
    let before = grid(6, width: 800)
    let offset = 12_345.0
    guard case .item(var anchor) = before.anchor(at: offset) else {
      Issue.record("the offset is not the beginning")
      return
    }
    let top = before.frame(ofItem: anchor.item).minY - offset
    anchor.item += 6_000
    let after = grid(6, width: 800, items: 16_000)
    let moved = after.offset(of: .item(anchor))
    #expect((after.frame(ofItem: anchor.item).minY - moved - top).magnitude < 1e-9)
    #expect(moved - offset == 1_000 * before.rowLength)
  }

  @Test("The anchor at the start of the content is the start")
  func start() {
    for offset in [0.0, -30, .nan] { #expect(grid(4, width: 800).anchor(at: offset) == .start) }
    #expect(grid(2, width: 300).offset(of: .start) == 0)
  }

  @Test("The offset of an anchor is clamped to the content")
  func clampsToContent() {
    let anchor = grid(3, width: 800).anchor(at: 200_000)
    let short = grid(3, width: 800, items: 40)
    #expect(short.offset(of: anchor) == short.maximumOffset)
    #expect(grid(3, width: 800, items: 2).offset(of: anchor) == 0)
  }

  @Test("An item can be aligned with the start, the center or the end of the viewport")
  func alignments() {
    let grid = grid(5, width: 800)
    let frame = grid.frame(ofItem: 5_003)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .leading))) == frame.minY)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .center))) == frame.midY - 250)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .trailing))) == frame.maxY - 500)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .leading, points: 20))) == frame.minY - 20)
    #expect(grid.offset(of: .item(ItemAnchor(item: 0, alignment: .trailing))) == 0)
    #expect(grid.offset(of: .item(ItemAnchor(item: 9_999, alignment: .leading))) == grid.maximumOffset)
  }

  @Test("Revealing an item scrolls by the smallest possible distance")
  func revealing() {
    let grid = grid(5, width: 800)
    let frame = grid.frame(ofItem: 5_003)
    #expect(grid.offset(revealingItem: 5_003, from: frame.minY - 100) == frame.minY - 100)
    #expect(grid.offset(revealingItem: 5_003, from: 0) == frame.maxY - 500)
    #expect(grid.offset(revealingItem: 5_003, from: 0, margin: 8) == frame.maxY - 492)
    #expect(grid.offset(revealingItem: 5_003, from: 1e9, margin: 8) == frame.minY - 8)
    let low = self.grid(1, width: 800, height: 200)
    #expect(low.offset(revealingItem: 7, from: 0) == low.frame(ofItem: 7).minY)
  }
}

// MARK: - Focus navigation

@Suite("Keyboard focus navigation")
struct NavigationTests {
  /// A grid with four columns of 100 points, a row length of 110 points, and sections of 10, 0, 3 and 6 items.
  private var grid: SolvedComposition {
    GridLayout(columns: .count(4), rowSpacing: 10)
      .solved(
        in: LayoutEnvironment(containerSize: Size(width: 400, height: 330)), for: ItemCounts([10, 0, 3, 6]))
  }

  @Test("Next and previous follow the reading order across rows and sections")
  func reading() {
    #expect(grid.item(from: 3, .next) == 4)
    #expect(grid.item(from: 10, .previous) == 9)
    #expect(grid.item(from: 0, .previous) == nil)
    #expect(grid.item(from: 18, .next) == nil)
    #expect(grid.item(from: 7, .first) == 0)
    #expect(grid.item(from: 7, .last) == 18)
    #expect(grid.item(from: 0, .first) == nil)
    #expect(grid.item(from: 18, .last) == nil)
  }

  @Test("Up and down move to the nearest item of the adjacent row")
  func rows() {
    #expect(grid.item(from: 1, .down) == 5)
    #expect(grid.item(from: 5, .up) == 1)
    #expect(grid.item(from: 7, .down) == 9)
    #expect(grid.item(from: 9, .down) == 11)
    #expect(grid.item(from: 11, .up) == 9)
    #expect(grid.item(from: 2, .up) == nil)
    #expect(grid.item(from: 17, .down) == nil)
    #expect(grid.item(from: 16, .down) == 18)
  }

  @Test("Moving past a short row returns to the original column")
  func remembersColumn() {
    let across = grid.middle(of: grid.frame(ofItem: 7))
    #expect(grid.item(from: 7, .down, across: across) == 9)
    #expect(grid.item(from: 9, .down, across: across) == 12)
    #expect(grid.item(from: 12, .down, across: across) == 16)
    #expect(grid.item(from: 16, .up, across: across) == 12)
    #expect(grid.item(from: 12, .up, across: across) == 9)
    #expect(grid.item(from: 9, .up, across: across) == 7)
  }

  @Test("Paging moves by at least one row and at most to the first or last row")
  func pages() {
    #expect(grid.item(from: 1, .pageDown(220)) == 9)
    #expect(grid.item(from: 1, .pageDown(5)) == 5)
    #expect(grid.item(from: 1, .pageDown(1e9)) == 18)
    #expect(grid.item(from: 17, .pageDown(1e9)) == nil)
    #expect(grid.item(from: 14, .pageUp(220)) == 9)
    #expect(grid.item(from: 14, .pageUp(200)) == 9)
    #expect(grid.item(from: 14, .pageUp(199)) == 11)
    #expect(grid.item(from: 1, .pageDown(250)) == 9)
    #expect(grid.item(from: 1, .pageDown(219)) == 5)
    #expect(grid.item(from: 14, .pageUp(-3)) == 11)
    #expect(grid.item(from: 14, .pageUp(1e9)) == 1)
    #expect(grid.item(from: 1, .pageUp(300)) == nil)
  }

  @Test("Moving down and up again returns to the original item in any grid")
  func downAndUp() {
    var random = SeededGenerator(seed: 91)
    for _ in 0..<600 {
      let grid = random.grid()
      for index in 0..<grid.itemCounts.total {
        let frame = grid.frame(ofItem: index)
        let below = grid.item(from: index, .down)
        if let below {
          #expect(grid.frame(ofItem: below).minY > frame.minY)
          let back = grid.item(from: below, .up, across: grid.middle(of: frame))
          #expect(back == index)
        } else {
          #expect((index..<grid.itemCounts.total).allSatisfy { grid.frame(ofItem: $0).minY == frame.minY })
        }
      }
    }
  }

  @Test("Moving into an orthogonal section selects a visible item")
  func intoOrthogonalSection() throws {
    var strip = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 10)
    strip.orthogonalScrollingBehavior = .continuous
    var rows = CollectionLayoutSection.grid(columns: .count(3), heightRatio: 0.5)
    rows.contentInsetsReference = .none
    let sections = [rows, strip, rows]
    // The orthogonal section spans 200 to 400, next to the first item of the rows.
    var composition = CompositionalLayout { section, _ in sections[section] }.solved(
      in: LayoutEnvironment(
        containerSize: Size(width: 400, height: 600), contentInsets: Insets(top: 0, left: 200, bottom: 0, right: 0)),
      for: ItemCounts([3, 200_000, 3]))
    composition.setOrthogonalOffset(1_000, ofSection: 1)
    let window = try #require(composition.orthogonalSection(1)?.frame)
    let first = composition.firstItem(in: window)
    #expect(first ?? 0 > 3)
    #expect(composition.item(from: 0, .down) == first)
    #expect(composition.item(from: 200_003, .up) == first)
  }
}

// MARK: - Moved items

@Suite("The frame of an item after a move")
struct MovedFrameTests {
  /// Returns a layout with sections of several kinds.
  ///
  /// - Parameter kinds: The kind of each section: 0 for rows of a fixed height, 1 for self-sizing rows, 2 for a grid, 3
  ///   for rows that scroll orthogonally.
  private func rules(_ kinds: [Int], isHorizontal: Bool) -> CompositionalLayout {
    let configuration = CompositionalLayout.Configuration(
      scrollDirection: isHorizontal ? .horizontal : .vertical, interSectionSpacing: 7)
    return CompositionalLayout(configuration: configuration) { section, _ in
      let along = kinds[section] == 1 ? CollectionLayoutDimension.estimated(40) : .absolute(36)
      let full = CollectionLayoutDimension.fractionalWidth(1)
      let size =
        isHorizontal
        ? CollectionLayoutSize(width: along, height: .fractionalHeight(1))
        : CollectionLayoutSize(width: full, height: along)
      let item = CollectionLayoutItem(layoutSize: size)
      let group: CollectionLayoutGroup =
        isHorizontal ? .horizontal(layoutSize: size, subitems: [item]) : .vertical(layoutSize: size, subitems: [item])
      var rows = CollectionLayoutSection(group: group)
      if kinds[section] == 2 { rows = .grid(columns: .count(3), columnSpacing: 4, rowSpacing: 5, heightRatio: 0.5) }
      rows.interGroupSpacing = 3
      rows.contentInsets = DirectionalEdgeInsets(top: 4, leading: 6, bottom: 8, trailing: 10)
      if kinds[section] == 3 { rows.orthogonalScrollingBehavior = .continuous }
      rows.isHiddenWhenEmpty = section % 2 == 0
      return rows
    }
  }

  @Test("The predicted frame equals the frame after the move, and the layout is unchanged", arguments: 0..<60)
  func matchesMovedItem(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 3)
    let isHorizontal = random.chance(oneIn: 3)
    let kinds = (0..<4).map { _ in Int.random(in: 0...(isHorizontal ? 1 : 3), using: &random) }
    let counts = (0..<4).map { _ in random.chance(oneIn: 4) ? 0 : Int.random(in: 1...12, using: &random) }
    guard counts.contains(where: { $0 > 0 }) else { return }
    let environment = LayoutEnvironment(
      containerSize: Size(width: 320, height: 480),
      scale: DisplayScale(pixelsPerPoint: random.chance(oneIn: 2) ? 1 : 1.5),
      layoutDirection: random.chance(oneIn: 3) ? .rightToLeft : .leftToRight)
    var layout: any SolvedLayout = rules(kinds, isHorizontal: isHorizontal).solved(
      in: environment, for: ItemCounts(counts))
    for index in 0..<layout.itemCounts.total where random.chance(oneIn: 2) {
      let length = Double(Int.random(in: 12...90, using: &random))
      _ = layout.setPreferredSize(Size(width: length, height: length), ofItem: index)
    }
    while !layout.areFramesFinal { _ = layout.finalizeFrames(itemBudget: 1_000) }
    for _ in 0..<30 {
      let index = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let section = Int.random(in: -1...4, using: &random)
      let newItem = Int.random(in: -1...13, using: &random)
      let before = (0..<layout.itemCounts.total).map { layout.frame(ofItem: $0) }
      let predicted = layout.frame(ofItem: index, movedTo: section, at: newItem)
      #expect(before == (0..<layout.itemCounts.total).map { layout.frame(ofItem: $0) })
      guard let from = layout.itemCounts.position(of: index),
        let update = LayoutUpdate(moving: from, to: (section, newItem), in: layout.itemCounts)
      else {
        #expect(predicted == nil)
        continue
      }
      let size = layout.frame(ofItem: index).size
      var moved = layout
      moved.invalidate(.items(update))
      guard let new = moved.itemCounts.index(section: section, item: newItem) else { continue }
      if moved.usesPreferredSize(ofItem: new) { _ = moved.setPreferredSize(size, ofItem: new) }
      #expect(predicted == moved.frame(ofItem: new), "\(seed): \(index) to \(section), \(newItem)")
    }
  }

  @Test("Self-sizing rows keep their heights in a predicted move")
  func measured() {
    var layout: any SolvedLayout = rules([1], isHorizontal: false)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 320, height: 480)), for: ItemCounts([4]))
    for (item, height) in [20.0, 30, 50, 70].enumerated() {
      _ = layout.setPreferredSize(Size(width: 0, height: height), ofItem: item)
    }
    // The top inset is 4, and the spacing between rows is 3.
    #expect(layout.frame(ofItem: 0, movedTo: 0, at: 2) == Rect(x: 6, y: 4 + 30 + 3 + 50 + 3, width: 304, height: 20))
    #expect(layout.frame(ofItem: 3, movedTo: 0, at: 0) == Rect(x: 6, y: 4, width: 304, height: 70))
  }
}

// MARK: - Item counts

@Suite("Item counts")
struct ItemCountsTests {
  @Test("Index paths and indexes are inverse")
  func inverse() {
    var random = SeededGenerator(seed: 71)
    for _ in 0..<300 {
      let counts = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: -1...6, using: &random) }
      let items = ItemCounts(counts)
      #expect(items.numberOfSections == counts.count)
      #expect(items.total == counts.reduce(0) { $0 + max(0, $1) })
      var index = 0
      for (section, count) in counts.enumerated() {
        #expect(items.items(inSection: section) == index..<(index + max(0, count)))
        for item in 0..<max(0, count) {
          #expect(items.index(section: section, item: item) == index)
          let position = items.position(of: index)
          #expect(position?.section == section && position?.item == item)
          index += 1
        }
        #expect(items.index(section: section, item: max(0, count)) == nil)
      }
      #expect(items.position(of: index) == nil && items.position(of: -1) == nil)
      #expect(items.index(section: counts.count, item: 0) == nil && items.index(section: -1, item: 0) == nil)
    }
  }

  @Test("The total number of items is limited")
  func maximumTotal() {
    let items = ItemCounts([.max, 5, .min, .max])
    #expect(items.total == ItemCounts.maximumTotal)
    #expect(items.items(inSection: 1).isEmpty && items.items(inSection: 3).isEmpty)
  }
}
