import CollectionUI
import ExampleSupport
import Testing
import VitrineTestSupport

@testable import vitrine_layouts

@Suite("Cards in layouts of a client")
struct CardListTests {
  private func harness(_ layout: CardLayout, items: Int = 2_000) -> (list: CardList, harness: WindowHarness) {
    let list = CardList(layout, itemCount: items, theme: .dark)
    let harness = WindowHarness(root: list.view, size: Size(width: 800, height: 600))
    harness.window.addParticipant(list.view)
    harness.runUntilIdle()
    return (list, harness)
  }

  private func cards(_ list: CardList) -> [(id: Int, cell: CardCell)] {
    list.view.visibleCells.compactMap { cell in
      guard let cell = cell as? CardCell, let index = cell.itemIndex,
        let id = list.dataSource.displayedSnapshot().itemIdentifier(section: 0, item: index)
      else { return nil }
      return (id, cell)
    }
  }

  @Test("The example has the name of its executable")
  func name() { #expect(LayoutsExample.name == "layouts") }

  @Test(
    "Visible cards have the sizes that they prefer, also after updates and jumps",
    arguments: [CardLayout.masonry, .circles])
  func sizes(_ layout: CardLayout) {
    let (list, harness) = harness(layout)
    for step in 0..<6 {
      if step % 2 == 1 {
        list.view.applyScrollEvent(.jump(to: Double(step) * 1_500), at: harness.clock.now())
      } else {
        list.updateVisibleCards()
      }
      harness.runUntilIdle()
      let cards = cards(list)
      #expect(cards.count >= 8)
      for (id, cell) in cards {
        let size = cell.frame.size
        #expect(layout == .masonry ? size.height == Card(id: id).height : size.width == Card(id: id).diameter.rounded())
      }
    }
    #expect(list.view.layoutWarnings.isEmpty && list.view.statistics.refusedNumbers == 0)
    // Three inserted, two removed.
    #expect(list.view.itemCount == 2_001)
  }

  @Test("Cards of a column do not overlap while an update is animated")
  func animation() {
    let (list, harness) = harness(.masonry)
    list.view.applyScrollEvent(.jump(to: 3_000), at: harness.clock.now())
    harness.runUntilIdle()
    let before = cards(list).map(\.id)
    list.updateVisibleCards()
    harness.run(frames: 2)
    #expect(cards(list).contains { $0.id >= 2_000 })
    harness.runUntilIdle()
    let after = cards(list)
    #expect(Set(after.map(\.id)).intersection(before).count >= before.count / 2)
    for (index, one) in after.enumerated() {
      #expect(after[..<index].allSatisfy { !$0.cell.frame.intersects(one.cell.frame) })
    }
  }

  @Test("A list without cards, and with fewer than an update needs", arguments: CardLayout.allCases)
  func fewCards(_ layout: CardLayout) {
    for count in [0, 3] {
      let (list, harness) = harness(layout, items: count)
      list.updateVisibleCards()
      harness.runUntilIdle()
      // Of a carousel, one card is in the middle, and one beside it.
      #expect(list.view.itemCount == count || layout == .carousel)
      #expect(list.view.visibleCells.count == min(count, layout == .carousel ? 2 : 3))
    }
  }

  @Test("Updates are performed at equal intervals")
  func periodicUpdates() {
    let list = CardList(.masonry, itemCount: 500, theme: .dark)
    let harness = WindowHarness(root: list.view, size: Size(width: 800, height: 600))
    harness.window.addParticipant(PeriodicUpdater(list, interval: .milliseconds(500)))
    harness.window.addParticipant(list.view)
    harness.run(milliseconds: 2_200)
    #expect(list.view.updateStatistics.structural >= 4)
  }
}
