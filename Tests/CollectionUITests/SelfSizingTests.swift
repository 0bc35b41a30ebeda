import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("Cells tell the size that they prefer")
struct SelfSizingTests {
  /// Rows as wide as the view, 50 points high until their cells were asked.
  private var rows: CompositionalLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CompositionalLayout(section: CollectionLayoutSection(group: group))
  }

  @Test("What is on screen has the cells' sizes in the first frame, and no cell is missing")
  func firstFrame() {
    let wall = NumberWall([Array(0..<100)], layout: rows) { number, _ in
      Size(width: 400, height: Double(20 + number % 3 * 10))
    }
    var top = 0.0
    for number in wall.shown {
      let frame = wall.frame(of: number)
      #expect(frame == Rect(x: 0, y: top, width: 400, height: Double(20 + number % 3 * 10)))
      top += frame?.height ?? 0
    }
    #expect(top >= 300)
    #expect(wall.view.statistics.frozenSizes == 0 && wall.view.statistics.refusedSizes == 0)
  }

  @Test("What is seen moves as far as the content is scrolled and no further", arguments: 0..<6)
  func anchored(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let heights = (0..<500).map { _ in Double.random(in: 12...140, using: &generator).rounded() }
    let wall = NumberWall([Array(0..<500)], layout: rows) { number, _ in Size(width: 400, height: heights[number]) }
    wall.scroll(to: 9_000)
    for _ in 0..<60 {
      let before = wall.cells.map { (number: $0.number, y: wall.view.origin(of: $0).y) }
      // Mostly up, where everything that enters has not been asked yet.
      let step = Double.random(in: -110...60, using: &generator).rounded()
      wall.scroll(to: wall.view.contentOffset + step)
      for (number, y) in before {
        guard let now = wall.frame(of: number), now.minY > 0 || y - step > 0 else { continue }
        #expect((now.minY - (y - step)).magnitude <= 0.5, "seed \(seed): \(number) moved")
      }
      for number in wall.shown { #expect(wall.frame(of: number)?.height == heights[number]) }
    }
  }

  @Test("A cell whose content changed is asked again and its item stays in place")
  func invalidation() {
    var extra = 0.0
    let wall = NumberWall([Array(0..<40)], layout: rows) { number, _ in
      Size(width: 400, height: number == 3 ? 30 + extra : 30)
    }
    extra = 45
    wall.cells.first { $0.number == 3 }?.invalidateIntrinsicContentSize()
    wall.stage.run(frames: 1)
    #expect(wall.frame(of: 3) == Rect(x: 0, y: 90, width: 400, height: 75))
    #expect(wall.frame(of: 4)?.minY == 165)
    extra = 10
    wall.source.reconfigureItems([3])
    wall.stage.run(frames: 1)
    #expect(wall.frame(of: 3)?.height == 40, "a reconfigure asks as well")
  }

  @Test("Moved, in a window of another width and in another layout, items have the sizes that they ask for")
  func elsewhere() {
    let wall = NumberWall([Array(0..<40)], layout: rows) { number, _ in
      Size(width: 400, height: Double(20 + number % 4 * 15))
    }
    func expectSizes(_ what: String) {
      wall.stage.runUntilIdle()
      var top = 0.0
      for number in wall.shown {
        let frame = wall.frame(of: number)
        #expect(frame?.height == Double(20 + number % 4 * 15) && frame?.minY == top, "\(what): \(number)")
        top += frame?.height ?? 0
      }
      #expect(top >= 300)
    }
    wall.apply { $0.moveItem(1, afterItem: 4) }
    wall.apply { $0.moveItem(7, beforeItem: 0) }
    expectSizes("moved")
    wall.apply { $0.moveItem(30, beforeItem: 2) }
    expectSizes("from afar")
    wall.stage.resize(to: Size(width: 320, height: 300))
    expectSizes("narrower")
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(90))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    wall.view.collectionViewLayout = CompositionalLayout(section: CollectionLayoutSection(group: group))
    expectSizes("another layout")
    wall.view.invalidateLayout()
    expectSizes("anew")
  }

  @Test("A cell that never makes up its mind is frozen, counted, and the loop comes to rest")
  func restless() {
    let wall = NumberWall([Array(0..<20)], layout: rows) { number, asked in
      Size(width: 400, height: number == 2 ? (asked.isMultiple(of: 2) ? 80 : 40) : 30)
    }
    for _ in 0..<12 {
      wall.cells.first { $0.number == 2 }?.invalidateIntrinsicContentSize()
      wall.stage.run(frames: 1)
    }
    #expect(wall.view.statistics.frozenSizes == 1)
    #expect(wall.frame(of: 2)?.height == 80)
    let frames = wall.stage.runUntilIdle()
    #expect(frames < 40, "took \(frames) frames")
  }

  @Test("Sizes that cannot be meant count as the layout's own", arguments: [.nan, -1.0, .infinity])
  func hostile(length: Double) {
    let wall = NumberWall([Array(0..<20)], layout: rows) { number, _ in
      number == 1 ? Size(width: length, height: length) : Size(width: 400, height: 50)
    }
    #expect(wall.frame(of: 1) == Rect(x: 0, y: 50, width: 400, height: 50))
    #expect(wall.view.statistics.refusedSizes > 0)
  }
}
