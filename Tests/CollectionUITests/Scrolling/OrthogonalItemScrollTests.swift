import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("A section that scrolls across is scrolled to an item of unknown width")
struct OrthogonalItemScrollTests {
  /// A section of items with an estimated width, above rows.
  private func makeGrid(
    estimate: Double, widths: [Double], direction: LayoutDirection = .leftToRight, rowWidth: Double = 1
  ) -> NumberGrid {
    let size = CollectionLayoutSize(width: .estimated(estimate), height: .absolute(100))
    var strip = CollectionLayoutSection(
      group: .horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
    strip.orthogonalScrollingBehavior = .continuous
    let (first, rows) = (strip, TestLayouts.section(.fractionalWidth(rowWidth), .absolute(40)))
    let grid = NumberGrid(
      [Array(widths.indices), Array(1_000..<1_050)],
      layout: CompositionalLayout { section, _ in section == 0 ? first : rows },
      preferredSize: { number, _ in number < 1_000 ? Size(width: widths[number % widths.count], height: 100) : nil })
    grid.view.layoutDirection = direction
    grid.harness.runUntilIdle()
    return grid
  }

  private func widths(_ random: inout SeededGenerator, count: Int = 120) -> [Double] {
    (0..<count).map { _ in Double.random(in: 20...240, using: &random).rounded() }
  }

  @Test("It is where it was asked for", arguments: 0..<12)
  func arrival(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let estimate: Double = [15, 60, 130, 390].randomElement(using: &random) ?? 60
    let direction: LayoutDirection = random.chance(oneIn: 3) ? .rightToLeft : .leftToRight
    let grid = makeGrid(estimate: estimate, widths: widths(&random), direction: direction)
    for _ in 0..<5 {
      let item = Int.random(in: 30..<90, using: &random)
      let position: ScrollPosition = [.left, .right, .centeredHorizontally].randomElement(using: &random) ?? .left
      let isAnimated = random.chance(oneIn: 2)
      grid.view.scrollToItem(at: IndexPath(item: item, section: 0), at: position, animated: isAnimated)
      grid.harness.runUntilIdle()
      let frame = grid.frame(of: item)
      let actual =
        position == .left ? frame?.minX : position == .right ? frame.map { $0.maxX - 400 } : frame.map { $0.midX - 200 }
      #expect((actual ?? 1e3).magnitude <= 1, "seed \(seed): \(item) to \(position), \(String(describing: frame))")
    }
  }

  @Test("It never runs backwards", arguments: 0..<12)
  func monotonic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let estimate: Double = [15, 60, 130, 390].randomElement(using: &random) ?? 60
    let grid = makeGrid(estimate: estimate, widths: widths(&random))
    var last = 0
    for _ in 0..<4 {
      let item = Int.random(in: 0..<110, using: &random)
      grid.view.scrollToItem(at: IndexPath(item: item, section: 0), at: .left, animated: true)
      var before: [Int: Double] = [:]
      for _ in 0..<60 {
        grid.harness.run(frames: 1)
        let now = Dictionary(grid.cells.filter { $0.number < 1_000 }.map { ($0.number, grid.view.origin(of: $0).x) }) {
          a, _ in a
        }
        for (number, x) in now {
          guard let former = before[number] else { continue }
          #expect(
            item >= last ? x <= former : x >= former, "seed \(seed), to \(item): \(number) from \(former) to \(x)")
        }
        before = now
      }
      last = item
    }
  }

  @Test("It stays where it is while items before it are inserted and resized")
  func staying() {
    var random = SeededGenerator(seed: 3)
    let grid = makeGrid(estimate: 60, widths: widths(&random))
    grid.view.scrollToItem(at: IndexPath(item: 50, section: 0), at: .left, animated: false)
    grid.harness.runUntilIdle()
    grid.apply(animated: false) { $0.insertItems([900, 901, 902], beforeItem: 10) }
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 50)?.minX == 0)
    grid.apply(animated: false) { $0.deleteItems([12, 13]) }
    grid.harness.resize(to: Size(width: 500, height: 300))
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 50)?.minX == 0)
  }

  @Test("It stops if the item is deleted or leaves the section", arguments: [true, false])
  func deletedItem(isDeleted: Bool) {
    var random = SeededGenerator(seed: 3)
    let grid = makeGrid(estimate: 60, widths: widths(&random))
    grid.view.scrollToItem(at: IndexPath(item: 90, section: 0), at: .left, animated: true)
    grid.harness.run(frames: 5)
    let before = grid.cells.filter { $0.number < 1_000 && $0.number != 90 }.map { grid.view.origin(of: $0).x }
    grid.apply(animated: false) {
      if isDeleted { $0.deleteItems([90]) } else { $0.moveItem(90, afterItem: 1_001) }
    }
    grid.harness.runUntilIdle()
    let after = grid.cells.filter { $0.number < 1_000 && $0.number != 90 }.map { grid.view.origin(of: $0).x }
    #expect(before.count > 1 && after == before)
  }

  @Test("A section of pages stops at a page if the item is deleted")
  func deletedItemOfPages() {
    var section = TestLayouts.section(.fractionalWidth(1), .absolute(100))
    section.orthogonalScrollingBehavior = .paging
    let grid = NumberGrid([Array(0..<60)], layout: CompositionalLayout { [section] _, _ in section })
    grid.harness.runUntilIdle()
    grid.view.scrollToItem(at: IndexPath(item: 40, section: 0), at: .left, animated: true)
    grid.harness.run(frames: 5)
    grid.apply(animated: false) { $0.deleteItems([40]) }
    grid.harness.runUntilIdle()
    let shown = grid.cells.map { grid.view.origin(of: $0).x }
    #expect(shown.contains(0) && !shown.contains { $0 > 0 && $0 < 400 })
  }

  @Test("It stays where it is when the item that it was scrolled to moves to another section")
  func movedToOtherSection() {
    var random = SeededGenerator(seed: 3)
    let grid = makeGrid(estimate: 60, widths: widths(&random), rowWidth: 0.5)
    grid.view.scrollToItem(at: IndexPath(item: 50, section: 0), at: .right, animated: false)
    grid.harness.runUntilIdle()
    let before = grid.frame(of: 49)
    grid.apply(animated: false) { $0.moveItem(50, afterItem: 1_001) }
    grid.harness.runUntilIdle()
    #expect(before != nil && grid.frame(of: 49) == before)
  }
}
