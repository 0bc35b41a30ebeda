import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Views, items and sections of size zero")
struct EmptyContentTests {
  @Test("A view of size zero creates no cell, and keeps the target of a scroll until it has a size")
  func emptyView() {
    let grid = WordGrid(WordGrid.words(0..<100), size: .zero)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    #expect(grid.shown.isEmpty && grid.view.statistics.created == 0 && grid.harness.runUntilIdle() == 0)
    grid.view.scrollToItem(at: IndexPath(item: 50, section: 0), at: .centeredVertically, animated: false)
    grid.harness.runUntilIdle()
    grid.harness.resize(to: Size(width: 400, height: 300))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 2_375 && grid.shown == WordGrid.words(47..<54))
  }

  @Test(
    "A view that was scrolled to an item before it is in a window displays that item and the selection",
    arguments: [false, true])
  func beforeWindow(isAnimated: Bool) {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let registrations = Registrations()
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<100))
    source.apply(snapshot)
    view.scrollToItem(at: IndexPath(item: 50, section: 0), at: .top, animated: isAnimated)
    view.selectItem(at: IndexPath(item: 51, section: 0), animated: false)
    let harness = registrations.makeHarness(of: view)
    harness.runUntilIdle()
    #expect(view.visibleCells.compactMap { ($0 as? WordCell)?.word } == (50..<56).map { "word \($0)" })
    #expect(view.visibleCells.map(\.isSelected) == [false, true, false, false, false, false])
  }

  @Test("Sections without items have headers, and items can be inserted into them and deleted")
  func emptySections() {
    let stack = NumberStack([("a", []), ("b", [1, 2]), ("c", [])], layout: StackLayout(hasHeaders: true))
    #expect(stack.shownHeaders == ["a 0 at 0", "b 2 at 30", "c 0 at 160"])
    DemonstrationSwitches(stack.view).isCellPrefetchingEnabled = true
    stack.apply(animated: true) {
      $0.appendItems([5], toSection: "a")
      $0.deleteItems([1, 2])
    }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["a 1 at 0", "b 0 at 80", "c 0 at 110"] && stack.shown == [5])
    stack.apply(animated: true) { $0.deleteAllItems() }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["a 0 at 0", "b 0 at 30", "c 0 at 60"] && stack.shown.isEmpty)
  }

  @Test("Rows of height zero are displayed at their positions, and can be deleted")
  func emptyRows() {
    let facts = StackLayout.Facts(heights: [50, 0, 0, 50, 0, 50])
    let stack = NumberStack([("a", Array(0..<6))], layout: StackLayout(facts: facts))
    #expect(stack.view.contentLength == 150 && stack.shown.filter { [0, 3, 5].contains($0) } == [0, 3, 5])
    stack.apply(animated: true) { $0.deleteItems([1, 4]) }
    stack.harness.runUntilIdle()
    let counts = stack.view.statistics
    #expect(stack.view.itemCount == 4 && counts.visible == stack.view.visibleCells.count)
    stack.view.scrollToItem(at: IndexPath(item: 1, section: 0), at: .centeredVertically, animated: true)
    stack.harness.runUntilIdle()
    #expect(stack.view.contentOffset == 0)
  }

  @Test("Invalid numbers from a section's visible items handler are replaced with those of the layout, and counted")
  func invalidHandlerNumbers() {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(50))
    for (number, refused) in [(Double.nan, 6), (.infinity, 6), (-.infinity, 6), (-5, 6), (0.5, 0)] {
      var section = CollectionLayoutSection(
        group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
      section.visibleItemsInvalidationHandler = { items, _, _ in
        for index in items.indices {
          items[index].alpha = number
          items[index].scale = number
        }
      }
      let grid = NumberGrid([Array(0..<30)], layout: CompositionalLayout(section: section))
      #expect(grid.view.statistics.refusedNumbers == refused && grid.shown == Array(0..<6), "\(number)")
    }
  }
}
