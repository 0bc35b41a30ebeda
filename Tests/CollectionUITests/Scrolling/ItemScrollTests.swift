import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Scrolling to an item arrives where it was asked to, whatever sizes become known on the way")
struct ItemScrollTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  private static func height(of number: Int) -> Double { Double(31 + number * 37 % 89) }

  private func makeList(_ count: Int = 500, estimate: Double = 50, header: Double? = nil) -> NumberGrid {
    NumberGrid(
      [Array(0..<count)], layout: TestLayouts.measuredRows(estimate: estimate, header: header),
      preferredSize: { number, _ in Size(width: 400, height: ItemScrollTests.height(of: number)) },
      headerHeight: header.map { _ in { _ in 33 } })
  }

  @Test("A self-sized item is at the top after an animated scroll", arguments: [20.0, 50, 300])
  func animatedToTop(estimate: Double) {
    let list = makeList(estimate: estimate)
    list.view.scrollToItem(at: path(100), at: .top, animated: true)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 100) == Rect(x: 0, y: 0, width: 400, height: Self.height(of: 100)))
  }

  @Test("All of an appended item is visible after an animated scroll to its bottom", arguments: [5.0, 44, 400])
  func animatedToAppendedItem(estimate: Double) {
    let list = makeList(40, estimate: estimate)
    list.view.scrollToItem(at: path(39), at: .bottom, animated: false)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 39)?.maxY == 300)
    list.apply { $0.appendItems([1_000]) }
    list.view.scrollToItem(at: path(40), at: .bottom, animated: true)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 1_000)?.maxY == 300)
  }

  @Test("An item at the top is below the pinned header of its section", arguments: [false, true])
  func pinnedHeader(isAnimated: Bool) {
    for item in [1, 60, 200] {
      let list = makeList(header: 20)
      list.view.scrollToItem(at: path(item), at: .top, animated: isAnimated)
      list.harness.runUntilIdle()
      #expect(list.frame(of: item)?.minY == 33, "item \(item)")
    }
  }
}
