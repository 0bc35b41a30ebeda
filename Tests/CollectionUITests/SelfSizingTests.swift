import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Cells return their preferred size")
struct SelfSizingTests {
  /// Rows as wide as the view, with an estimated height of 50 points.
  private var rows: CompositionalLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CompositionalLayout(section: CollectionLayoutSection(group: group))
  }

  @Test("Visible items have their cells' sizes in the first frame, and no cell is missing")
  func firstFrame() {
    let grid = NumberGrid([Array(0..<100)], layout: rows) { number, _ in
      Size(width: 400, height: Double(20 + number % 3 * 10))
    }
    var top = 0.0
    for number in grid.shown {
      let frame = grid.frame(of: number)
      #expect(frame == Rect(x: 0, y: top, width: 400, height: Double(20 + number % 3 * 10)))
      top += frame?.height ?? 0
    }
    #expect(top >= 300)
    #expect(grid.view.statistics.frozenSizes == 0 && grid.view.statistics.refusedSizes == 0)
  }

  @Test("Visible items move exactly by the scroll distance while items are measured", arguments: 0..<6)
  func anchored(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let heights = (0..<500).map { _ in Double.random(in: 12...140, using: &generator).rounded() }
    let grid = NumberGrid([Array(0..<500)], layout: rows) { number, _ in Size(width: 400, height: heights[number]) }
    grid.scroll(to: 9_000)
    for _ in 0..<60 {
      let before = grid.cells.map { (number: $0.number, y: grid.view.origin(of: $0).y) }
      // Mostly up, where entering items have not been measured.
      let step = Double.random(in: -110...60, using: &generator).rounded()
      grid.scroll(to: grid.view.contentOffset + step)
      for (number, y) in before {
        guard let now = grid.frame(of: number), now.minY > 0 || y - step > 0 else { continue }
        #expect((now.minY - (y - step)).magnitude <= 0.5, "seed \(seed): \(number) moved")
      }
      for number in grid.shown { #expect(grid.frame(of: number)?.height == heights[number]) }
    }
  }

  @Test("Invalidating a cell's size measures it again, and its item stays in place")
  func invalidation() {
    var extra = 0.0
    let grid = NumberGrid([Array(0..<40)], layout: rows) { number, _ in
      Size(width: 400, height: number == 3 ? 30 + extra : 30)
    }
    extra = 45
    grid.cells.first { $0.number == 3 }?.invalidateIntrinsicContentSize()
    grid.harness.run(frames: 1)
    #expect(grid.frame(of: 3) == Rect(x: 0, y: 90, width: 400, height: 75))
    #expect(grid.frame(of: 4)?.minY == 165)
    extra = 10
    grid.source.reconfigureItems([3])
    grid.harness.run(frames: 1)
    #expect(grid.frame(of: 3)?.height == 40, "a reconfiguration measures it too")
  }

  @Test("Items have their preferred sizes after moves, resizes and layout changes")
  func otherContexts() {
    let grid = NumberGrid([Array(0..<40)], layout: rows) { number, _ in
      Size(width: 400, height: Double(20 + number % 4 * 15))
    }
    func expectSizes(_ context: String) {
      grid.harness.runUntilIdle()
      var top = 0.0
      for number in grid.shown {
        let frame = grid.frame(of: number)
        #expect(frame?.height == Double(20 + number % 4 * 15) && frame?.minY == top, "\(context): \(number)")
        top += frame?.height ?? 0
      }
      #expect(top >= 300)
    }
    grid.apply { $0.moveItem(1, afterItem: 4) }
    grid.apply { $0.moveItem(7, beforeItem: 0) }
    expectSizes("moved")
    grid.apply { $0.moveItem(30, beforeItem: 2) }
    expectSizes("from afar")
    grid.harness.resize(to: Size(width: 320, height: 300))
    expectSizes("narrower")
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(90))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    grid.view.collectionViewLayout = CompositionalLayout(section: CollectionLayoutSection(group: group))
    expectSizes("another layout")
    grid.view.invalidateLayout()
    expectSizes("laid out again")
  }

  @Test("A cell with an unstable size is frozen and counted, and the loop becomes idle")
  func unstableSizes() {
    let grid = NumberGrid([Array(0..<20)], layout: rows) { number, requestCount in
      Size(width: 400, height: number == 2 ? (requestCount.isMultiple(of: 2) ? 80 : 40) : 30)
    }
    for _ in 0..<12 {
      grid.cells.first { $0.number == 2 }?.invalidateIntrinsicContentSize()
      grid.harness.run(frames: 1)
    }
    #expect(grid.view.statistics.frozenSizes == 1)
    #expect(grid.frame(of: 2)?.height == 80)
    let frames = grid.harness.runUntilIdle()
    #expect(frames < 40, "took \(frames) frames")
  }

  @Test("A cell is expanded and collapsed any number of times")
  func expansion() {
    var isExpanded = false
    let grid = NumberGrid([Array(0..<20)], layout: rows) { number, _ in
      Size(width: 400, height: number == 2 && isExpanded ? 120 : 30)
    }
    for _ in 0..<12 {
      isExpanded.toggle()
      grid.cells.first { $0.number == 2 }?.invalidateIntrinsicContentSize()
      grid.harness.runUntilIdle()
      #expect(grid.frame(of: 2)?.height == (isExpanded ? 120 : 30))
    }
    #expect(grid.view.statistics.frozenSizes == 0)
  }

  @Test("A cell that grows in every frame, as a text that arrives, is not stopped")
  func growth() {
    var length = 0.0
    let grid = NumberGrid([Array(0..<20)], layout: rows) { number, _ in
      Size(width: 400, height: number == 2 ? 30 + length : 30)
    }
    for step in 1...60 {
      length = Double(step)
      grid.cells.first { $0.number == 2 }?.invalidateIntrinsicContentSize()
      grid.harness.run(frames: 1)
    }
    #expect(grid.frame(of: 2)?.height == 90)
    #expect(grid.view.statistics.frozenSizes == 0)
  }

  @Test("Reconfiguring an item whose size was fixed permits its cell to change it again")
  func reconfiguringFrozenItem() {
    var isStable = false
    let grid = NumberGrid([Array(0..<20)], layout: rows) { number, requestCount in
      Size(width: 400, height: number == 2 ? (isStable ? 55 : requestCount.isMultiple(of: 2) ? 80 : 40) : 30)
    }
    for _ in 0..<12 {
      grid.cells.first { $0.number == 2 }?.invalidateIntrinsicContentSize()
      grid.harness.run(frames: 1)
    }
    #expect(grid.view.statistics.frozenSizes == 1)
    isStable = true
    grid.source.reconfigureItems([2])
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 2)?.height == 55)
  }

  @Test("Invalid sizes are replaced by the layout's size", arguments: [.nan, -1.0, .infinity])
  func invalidSizes(length: Double) {
    let grid = NumberGrid([Array(0..<20)], layout: rows) { number, _ in
      number == 1 ? Size(width: length, height: length) : Size(width: 400, height: 50)
    }
    #expect(grid.frame(of: 1) == Rect(x: 0, y: 50, width: 400, height: 50))
    #expect(grid.view.statistics.refusedSizes > 0)
  }
}
