import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Where an item would stand is asked without moving it")
struct MovedFrameTests {
  /// Sections of several kinds: rows of one height, rows that are measured, a grid, and a strip that scrolls across.
  private func rules(_ kinds: [Int], isSideways: Bool) -> CompositionalLayout {
    let configuration = CompositionalLayout.Configuration(
      scrollDirection: isSideways ? .horizontal : .vertical, interSectionSpacing: 7)
    return CompositionalLayout(configuration: configuration) { section, _ in
      let along = kinds[section] == 1 ? CollectionLayoutDimension.estimated(40) : .absolute(36)
      let full = CollectionLayoutDimension.fractionalWidth(1)
      let size =
        isSideways
        ? CollectionLayoutSize(width: along, height: .fractionalHeight(1))
        : CollectionLayoutSize(width: full, height: along)
      let item = CollectionLayoutItem(layoutSize: size)
      let group: CollectionLayoutGroup =
        isSideways ? .horizontal(layoutSize: size, subitems: [item]) : .vertical(layoutSize: size, subitems: [item])
      var rows = CollectionLayoutSection(group: group)
      if kinds[section] == 2 { rows = .grid(columns: .count(3), columnSpacing: 4, rowSpacing: 5, heightRatio: 0.5) }
      rows.interGroupSpacing = 3
      rows.contentInsets = DirectionalInsets(top: 4, leading: 6, bottom: 8, trailing: 10)
      if kinds[section] == 3 { rows.orthogonalScrollingBehavior = .continuous }
      rows.isHiddenWhenEmpty = section % 2 == 0
      return rows
    }
  }

  @Test("It is where it stands once it was moved, and nothing else changes", arguments: 0..<60)
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 3)
    let isSideways = random.chance(oneIn: 3)
    let kinds = (0..<4).map { _ in Int.random(in: 0...(isSideways ? 1 : 3), using: &random) }
    let counts = (0..<4).map { _ in random.chance(oneIn: 4) ? 0 : Int.random(in: 1...12, using: &random) }
    guard counts.contains(where: { $0 > 0 }) else { return }
    let environment = LayoutEnvironment(
      containerSize: Size(width: 320, height: 480),
      scale: DisplayScale(pixelsPerPoint: random.chance(oneIn: 2) ? 1 : 1.5),
      layoutDirection: random.chance(oneIn: 3) ? .rightToLeft : .leftToRight)
    var layout: any SolvedLayout = rules(kinds, isSideways: isSideways).solved(in: environment, for: ItemCounts(counts))
    for index in 0..<layout.itemCounts.total where random.chance(oneIn: 2) {
      let length = Double(Int.random(in: 12...90, using: &random))
      _ = layout.setPreferredSize(Size(width: length, height: length), ofItem: index)
    }
    while !layout.isSettled { _ = layout.refine(atMost: 1_000) }
    for _ in 0..<30 {
      let index = Int.random(in: 0..<layout.itemCounts.total, using: &random)
      let section = Int.random(in: -1...4, using: &random)
      let place = Int.random(in: -1...13, using: &random)
      let before = (0..<layout.itemCounts.total).map { layout.frame(ofItem: $0) }
      let said = layout.frame(ofItem: index, movedTo: section, at: place)
      #expect(before == (0..<layout.itemCounts.total).map { layout.frame(ofItem: $0) })
      guard let from = layout.itemCounts.position(of: index),
        let update = LayoutUpdate(moving: from, to: (section, place), in: layout.itemCounts)
      else {
        #expect(said == nil)
        continue
      }
      let size = layout.frame(ofItem: index).size
      var moved = layout
      moved.invalidate(.items(update))
      guard let new = moved.itemCounts.index(section: section, item: place) else { continue }
      if moved.asksForSize(ofItem: new) { _ = moved.setPreferredSize(size, ofItem: new) }
      #expect(said == moved.frame(ofItem: new), "\(seed): \(index) to \(section), \(place)")
    }
  }

  @Test("Measured rows keep their heights where one of them moves")
  func measured() {
    var layout: any SolvedLayout = rules([1], isSideways: false)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 320, height: 480)), for: ItemCounts([4]))
    for (item, height) in [20.0, 30, 50, 70].enumerated() {
      _ = layout.setPreferredSize(Size(width: 0, height: height), ofItem: item)
    }
    // The inset is 4, the space between rows 3.
    #expect(layout.frame(ofItem: 0, movedTo: 0, at: 2) == Rect(x: 6, y: 4 + 30 + 3 + 50 + 3, width: 304, height: 20))
    #expect(layout.frame(ofItem: 3, movedTo: 0, at: 0) == Rect(x: 6, y: 4, width: 304, height: 70))
  }
}
