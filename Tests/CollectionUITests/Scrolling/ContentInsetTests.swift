import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Content insets limit the content's position and keep visible items in place")
struct CollectionViewInsetTests {
  private func makeGrid(_ count: Int = 100) -> WordGrid {
    let grid = WordGrid(WordGrid.words(0..<count))
    grid.view.contentInset = Insets(top: 60, bottom: 40)
    grid.harness.runUntilIdle()
    return grid
  }

  @Test("Content starts below the top inset, and cells are visible in the inset while scrolling")
  func initialOffset() {
    let grid = makeGrid()
    #expect(grid.view.contentOffset == -60 && grid.origins["w0"]?.y == 60)
    grid.scroll(to: 25)
    #expect(grid.shown.first == "w0" && grid.origins["w0"]?.y == -25)
    grid.scroll(to: .infinity)
    #expect(grid.view.contentOffset == 4_740 && grid.origins["w99"]?.y == 210)
  }

  @Test("Items are scrolled to positions within the insets and stay there")
  func scrollPositions() {
    let grid = makeGrid()
    func y(_ item: Int, _ position: ScrollPosition) -> Double? {
      grid.view.scrollToItem(at: IndexPath(item: item, section: 0), at: position, animated: false)
      grid.harness.run(frames: 1)
      return grid.origins["w\(item)"]?.y
    }
    #expect(y(30, .top) == 60)
    #expect(y(30, .centeredVertically) == 135)
    #expect(y(29, .bottom) == 210)
    #expect(y(30, .nearest) == 210)
    #expect(y(20, .nearest) == 60)
    #expect(y(30, .bottom) == 210)
    grid.apply { $0.insertItems(WordGrid.words(200..<210), beforeItem: "w3") }
    grid.harness.runUntilIdle()
    #expect(grid.origins["w30"]?.y == 210)
    grid.view.scrollToItem(at: IndexPath(item: 50, section: 0), alignment: .center, animated: true)
    grid.harness.runUntilIdle()
    #expect(grid.origins["w40"]?.y == 135)
  }

  @Test(
    "The first item below the inset stays in place through updates at any offset", arguments: [-40.0, 0, 130, 4_730])
  func anchors(offset: Double) {
    let grid = makeGrid()
    grid.scroll(to: offset)
    let before = grid.origins
    grid.apply { $0.insertItems(WordGrid.words(200..<203), beforeItem: "w0") }
    grid.harness.runUntilIdle()
    AnchorTests.expectUnmoved(grid, before.filter { $0.value.y >= 10 }, "inserted above")
    grid.apply { $0.appendItems(WordGrid.words(300..<310)) }
    grid.harness.runUntilIdle()
    AnchorTests.expectUnmoved(grid, before.filter { $0.value.y >= 10 }, "appended")
    grid.apply { $0.deleteItems(WordGrid.words(200..<203)) }
    grid.harness.runUntilIdle()
    AnchorTests.expectUnmoved(grid, before, "deleted above")
    #expect(grid.view.contentOffset == offset)
  }

  @Test("Items inserted at the start are visible if the content is at the start")
  func insertAtStart() {
    let grid = makeGrid()
    grid.apply { $0.insertItems(["new"], beforeItem: "w0") }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == -60 && grid.origins["new"]?.y == 60)
  }

  @Test("In a right-to-left layout, content starts at the right inset")
  func rightToLeft() {
    var section = TestLayouts.section(.absolute(100), .fractionalHeight(1))
    section.interGroupSpacing = 0
    var layout = CompositionalLayout(section: section)
    layout.configuration.scrollDirection = .horizontal
    let grid = NumberGrid([Array(0..<50)], layout: layout)
    grid.view.layoutDirection = .rightToLeft
    grid.harness.runUntilIdle()
    grid.view.contentInset = Insets(left: 30, right: 20)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.maxX == 380)
    grid.scroll(to: 2_000)
    let frame = grid.frame(of: 27)
    grid.apply { $0.insertItems([100, 101], beforeItem: 0) }
    grid.harness.runUntilIdle()
    #expect(frame != nil && grid.frame(of: 27) == frame)
    grid.scroll(to: -1_000)
    #expect(grid.frame(of: 49)?.minX == 30)
  }

  @Test("Pinned headers stay inside the inset, or at the distance that is set, and the content does not move")
  func pinnedHeaders() throws {
    var section = TestLayouts.section(.fractionalWidth(1), .absolute(50))
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(20)), elementKind: "header",
      alignment: .top)
    header.pinToVisibleBounds = true
    let grid = NumberGrid([Array(0..<50)], layout: CompositionalLayout(section: section))
    let registration = SupplementaryRegistration<CollectionReusableView>(elementKind: "header") { _, _, _ in }
    grid.source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
    section.boundarySupplementaryItems = [header]
    grid.view.collectionViewLayout = CompositionalLayout(section: section)
    grid.view.contentInset = Insets(top: 60, bottom: 40)
    grid.harness.runUntilIdle()
    func top() throws -> Double {
      try #require(grid.view.visibleSupplementaryViews(ofKind: "header").first).frameInWindow.minY
    }
    #expect(try top() == 60)
    grid.scroll(to: 200)
    let first = grid.frame(of: 10)
    #expect(try top() == 60)
    for inset in [35.0, 0, 60] {
      grid.view.pinningInset = inset
      grid.harness.run(frames: 1)
      #expect(try top() == inset)
    }
    grid.scroll(to: 210)
    #expect(try top() == 60)
    grid.view.pinningInset = nil
    grid.scroll(to: 200)
    #expect(try top() == 60 && grid.frame(of: 10) == first)
    let refused = grid.view.statistics.refusedNumbers
    grid.view.pinningInset = -.infinity
    #expect(grid.view.pinningInset == nil && grid.view.statistics.refusedNumbers == refused + 1)
  }

  @Test("Invalid numbers are counted")
  func invalidNumbers() {
    let grid = makeGrid()
    grid.view.contentOffset = .nan
    grid.view.contentInset.top = -4
    grid.view.setContentOffset(-.infinity, animated: true)
    #expect(grid.view.statistics.refusedNumbers == 3)
    #expect(grid.view.contentInset.top == 0)
  }
}

@Suite("Content pulled beyond its ends")
struct OverscrollTests {
  private func touch(_ phase: TouchInput.Phase, _ y: Double, on harness: WindowHarness) {
    harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
    harness.run(frames: 1)
  }

  private func pull(_ harness: WindowHarness, from start: Double, to end: Double) {
    touch(.began, start, on: harness)
    touch(.moved, start + (end > start ? 10 : -10), on: harness)
    touch(.moved, end, on: harness)
  }

  @Test("Overscroll moves the visible items, requests no other items and creates no cells")
  func visibleItems() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let shown = grid.shown
    let created = grid.view.statistics.created
    pull(grid.harness, from: 20, to: 250)
    #expect(grid.view.contentOffset < -60)
    #expect(shown.starts(with: grid.shown) && !grid.shown.isEmpty)
    touch(.ended, 250, on: grid.harness)
    grid.harness.runUntilIdle()
    #expect(grid.shown == shown && grid.view.contentOffset == 0)
    grid.view.scroll(to: 1e9, animated: false)
    grid.harness.run(frames: 1)
    let last = grid.shown
    pull(grid.harness, from: 280, to: 40)
    #expect(last.reversed().starts(with: grid.shown.reversed()) && grid.shown.last == "w199")
    touch(.ended, 40, on: grid.harness)
    grid.harness.runUntilIdle()
    #expect(grid.shown == last && grid.view.statistics.created <= created + 2 * shown.count)
  }

  @Test("Updates during overscroll move no visible item")
  func updates() throws {
    let grid = NumberGrid([Array(0..<40)], layout: TestLayouts.orthogonal(.none))
    grid.view.scroll(to: 1e9, animated: false)
    grid.harness.run(frames: 1)
    pull(grid.harness, from: 280, to: 100)
    let before = try #require(grid.frame(of: 39))
    grid.apply { $0.appendItems(Array(40..<60)) }
    grid.harness.run(frames: 1)
    #expect(grid.frame(of: 39) == before)
    grid.harness.run(frames: 5)
    touch(.ended, 100, on: grid.harness)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 39) == before, "it is within the content now")
    grid.view.scroll(to: 1e9, animated: false)
    grid.harness.run(frames: 1)
    pull(grid.harness, from: 280, to: 100)
    let last = try #require(grid.frame(of: 59))
    grid.apply { $0.deleteItems(Array(1..<5)) }
    grid.harness.run(frames: 1)
    #expect(((grid.frame(of: 59)?.minY ?? 0) - last.minY).magnitude <= 1)
    touch(.ended, 100, on: grid.harness)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 59)?.maxY == 300)
  }

  @Test("Frames of the bounce back do not prepare cells")
  func bounceBack() {
    let grid = WordGrid(WordGrid.words(0..<200))
    pull(grid.harness, from: 20, to: 40)
    touch(.ended, 40, on: grid.harness)
    grid.harness.run(frames: 1)
    let statistics = grid.view.statistics
    grid.harness.runUntilIdle()
    #expect(grid.view.statistics.prepared == statistics.prepared && grid.view.contentOffset == 0)
  }

  @Test("With reduced motion, content does not move beyond its ends")
  func reducedMotion() {
    let grid = WordGrid(WordGrid.words(0..<200))
    pull(grid.harness, from: 20, to: 250)
    #expect(grid.view.contentOffset < 0)
    grid.view.reducesMotion = true
    touch(.moved, 260, on: grid.harness)
    #expect(grid.view.contentOffset == 0)
    touch(.ended, 260, on: grid.harness)
    grid.view.reducesMotion = false
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0 && grid.view.scrollTuning.bounces)
  }
}
