import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Data is prefetched and cancelled by item identifier")
struct DataPrefetchingTests {
  static func makeGrid(_ count: Int) -> (WordGrid, PrefetchLog) {
    let grid = WordGrid([])
    let log = PrefetchLog()
    log.itemExists = { [source = grid.source] in source.indexPath(for: $0) != nil }
    grid.source.prefetching = log
    grid.log.onChange = { [weak view = grid.log, weak log] in
      if let view { log?.recordDisplayed(Array(view.displayed.values)) }
    }
    grid.apply { $0.appendItems(WordGrid.words(0..<count)) }
    grid.harness.runUntilIdle()
    return (grid, log)
  }

  @Test("Before any scrolling, two screens below are prefetched, nearest first, without the visible items")
  func initialPrefetch() {
    let (grid, log) = Self.makeGrid(100)
    #expect(log.prefetches == [WordGrid.words(6..<18)])
    #expect(log.cancels.isEmpty)
    withExtendedLifetime(grid) {}
  }

  @Test("Only existing items are prefetched")
  func fewItems() {
    let (grid, log) = Self.makeGrid(9)
    #expect(log.prefetches == [WordGrid.words(6..<9)])
    grid.view.isPrefetchingEnabled = false
    grid.apply { $0.appendItems(WordGrid.words(9..<20)) }
    grid.harness.runUntilIdle()
    #expect(log.prefetches.count == 1)
  }

  @Test("Scrolling prefetches the next items and cancels those far behind")
  func scrolling() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.scroll(to: 500)
    // Items from offset 500 on are visible. Those from 350 on are near and were prefetched before.
    #expect(log.releases == [WordGrid.words(0..<6)])
    #expect(log.cancels == [["w6"]])
    #expect(log.prefetches == [WordGrid.words(18..<28)])
  }

  @Test("Appending items prefetches only those in range")
  func append() {
    let (grid, log) = Self.makeGrid(10)
    log.clearLog()
    grid.apply { $0.appendItems(WordGrid.words(10..<100)) }
    grid.harness.runUntilIdle()
    #expect(log.prefetches == [WordGrid.words(10..<18)])
    #expect(log.cancels.isEmpty)
  }

  @Test("After an apply, deleted items are cancelled and remaining ones are not prefetched again")
  func deletion() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.apply { $0.deleteItems(["w2", "w8", "w9", "w50"]) }
    grid.harness.runUntilIdle()
    #expect(log.cancels == [["w8", "w9"]])
    #expect(log.releases == [["w2"]])
    #expect(log.prefetches == [["w18", "w19", "w20"]])
  }

  @Test("Inserted items ahead are prefetched, and items pushed out of range are cancelled")
  func insertion() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.apply { $0.insertItems(["a", "b"], afterItem: "w10") }
    grid.harness.runUntilIdle()
    #expect(log.cancels == [["w16", "w17"]])
    #expect(log.prefetches == [["a", "b"]])
  }

  @Test("Two applies before a frame count as one")
  func twoApplies() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.apply { $0.deleteItems(["w7"]) }
    grid.apply { $0.insertItems(["w7"], afterItem: "w6") }
    grid.harness.runUntilIdle()
    #expect(log.cancels.isEmpty)
    #expect(log.prefetches.isEmpty)
    grid.apply { $0.deleteAllItems() }
    grid.harness.runUntilIdle()
    #expect(log.cancels == [WordGrid.words(6..<18)])
    #expect(log.releases == [WordGrid.words(0..<6)])
  }

  @Test(
    "Random operations never prefetch an item twice, cancel it in vain, or prefetch an unknown item",
    arguments: TestScale.seeds(0..<10))
  func randomOperations(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 100)
    let (grid, log) = Self.makeGrid(Int.random(in: 0...120, using: &generator))
    var next = 1_000
    for _ in 0..<120 {
      if generator.chance(oneIn: 2) {
        grid.view.scroll(to: Double.random(in: 0...4_000, using: &generator), animated: false)
      } else {
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...20, using: &generator)))
        next += 20
        grid.apply { CellReuseTests.applyRandomEdit(to: &$0, fresh: fresh, &generator) }
      }
      if generator.chance(oneIn: 3) { continue }
      grid.harness.run(frames: 1)
    }
    let counts = grid.view.prefetchStatistics
    #expect(counts.requested == log.requestedCount && counts.cancelled == log.cancelledCount)
    grid.apply { $0.deleteAllItems() }
    grid.harness.runUntilIdle()
    #expect(log.pendingItems.isEmpty && log.displayedItems.isEmpty, "all prefetched items are cancelled in the end")
  }
}

// MARK: - Index paths

@Suite("Data is prefetched and cancelled by index path")
struct PathPrefetchingTests {
  static func makeGrid(_ count: Int) -> (WordGrid, PathPrefetchLog) {
    let grid = WordGrid(WordGrid.words(0..<count))
    let log = PathPrefetchLog()
    log.word = { [source = grid.source] in source.itemIdentifier(for: $0) }
    grid.view.prefetchDataSource = log
    grid.harness.runUntilIdle()
    return (grid, log)
  }

  @Test("Before any scrolling, items are prefetched once, nearest first")
  func initialPrefetch() {
    let (grid, log) = Self.makeGrid(100)
    #expect(log.lines == ["+" + (6..<18).map(String.init).joined(separator: ",")])
    #expect(grid.view.prefetchStatistics == PrefetchStatistics(requested: 12, cancelled: 0))
  }

  @Test("An item whose index path changes is cancelled and prefetched again, and others are not")
  func applies() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.apply { $0.deleteItems(["w10"]) }
    #expect(log.lines == ["-10,11,12,13,14,15,16,17"], "items before it are not cancelled")
    grid.harness.runUntilIdle()
    #expect(log.lines.last == "+10,11,12,13,14,15,16,17")
    #expect(log.requests[IndexPath(item: 10, section: 0)] == "w11")
    #expect(log.requests.count == 12)
  }

  @Test("Reloading all data cancels all prefetches")
  func reloadData() {
    let (grid, log) = Self.makeGrid(100)
    log.clearLog()
    grid.source.applySnapshotUsingReloadData(grid.source.snapshot())
    grid.harness.runUntilIdle()
    #expect(log.lines == ["-6,7,8,9,10,11,12,13,14,15,16,17", "+6,7,8,9,10,11,12,13,14,15,16,17"])
  }

  @Test("Disabling prefetching or replacing the data source cancels all prefetches")
  func disabledOrReplaced() {
    let (grid, log) = Self.makeGrid(20)
    log.clearLog()
    grid.view.isPrefetchingEnabled = false
    grid.harness.runUntilIdle()
    #expect(log.lines == ["-6,7,8,9,10,11,12,13,14,15,16,17"] && log.requests.isEmpty)
    grid.view.isPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    #expect(log.requests.count == 12)
    let other = CollectionView(layout: WordGrid.layout(columns: 1))
    let source = DiffableDataSource<Int, String>(collectionView: grid.view) { _, _, _ in CollectionViewCell() }
    #expect(log.requests.isEmpty, "another data source has other items")
    withExtendedLifetime((other, source)) {}
  }

  @Test("A prefetch is never used for another item over random applies and scrolls", arguments: 0..<8)
  func randomOperations(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 7_000)
    let (grid, log) = Self.makeGrid(80)
    var next = 1_000
    for _ in 0..<100 {
      if generator.chance(oneIn: 2) {
        grid.view.scroll(to: Double.random(in: 0...4_000, using: &generator), animated: false)
      } else {
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...10, using: &generator)))
        next += 20
        grid.apply { CellReuseTests.applyRandomEdit(to: &$0, fresh: fresh, &generator) }
      }
      if generator.chance(oneIn: 3) { continue }
      grid.harness.run(frames: 1)
      let shown = grid.shown.compactMap { word in grid.source.indexPath(for: word).map { ($0, word) } }
      log.removeRequests(forDisplayed: shown)
      for (path, word) in log.requests { #expect(grid.source.itemIdentifier(for: path) == word) }
    }
  }
}

// MARK: - Order

@Suite("The order of prefetching follows the scroll trajectory")
struct PrefetchOrderTests {
  /// Records the numbers that were prefetched and cancelled.
  private final class Log: DataPrefetching {
    var prefetches: [[Int]] = []
    var cancels: [[Int]] = []
    func prefetchItems(_ items: [Int]) { prefetches.append(items) }
    func cancelPrefetchingItems(_ items: [Int]) { cancels.append(items) }
  }

  @Test("A flick prefetches its landing position before the items passed on the way")
  func flick() throws {
    let (grid, log) = DataPrefetchingTests.makeGrid(2_000)
    log.clearLog()
    grid.view.applyScrollEvent(.flick(velocity: 6_000, accumulating: false), at: grid.harness.clock.now())
    grid.harness.run(frames: 1)
    let landing = Int(grid.view.scroll.projectedOffset / WordGrid.rowHeight)
    let first = try #require(log.prefetches.first)
    // Items visible within a frame or two are first, then the screen where the content stops.
    let landingIndex = try #require(first.firstIndex(of: "w\(landing + 1)"))
    let passedIndex = try #require(first.firstIndex(of: "w19"))
    #expect(landingIndex < passedIndex)
    #expect(!first.contains("w\(landing / 2)"), "items that are only passed are skipped until they are near")
    grid.harness.runUntilIdle()
    #expect(grid.shown.allSatisfy { word in log.prefetches.joined().contains(word) })
  }

  @Test("A direction change prefetches items behind, nearest first, and jitter does not")
  func directionChange() {
    let (grid, log) = DataPrefetchingTests.makeGrid(200)
    grid.scroll(to: 3_000)
    grid.harness.runUntilIdle()
    log.clearLog()
    grid.scroll(to: 2_996)
    #expect(log.prefetches == [["w56"]] && log.cancels.isEmpty, "only one item is new in range")
    grid.scroll(to: 2_980)
    grid.harness.runUntilIdle()
    #expect(log.prefetches.last == WordGrid.words(47..<56).reversed())
    #expect(log.cancels.joined().contains("w77"))
  }

  @Test("An orthogonal section prefetches the items next to the visible ones only")
  func orthogonalSection() throws {
    let layout = TestLayouts.orthogonal(.continuous)
    let grid = NumberGrid([Array(0..<1_000_000), Array(2_000_000..<2_000_040)], layout: layout)
    let log = Log()
    grid.source.prefetching = log
    grid.harness.runUntilIdle()
    #expect(grid.shown == [0, 1] + Array(2_000_000..<2_000_005))
    let announced = try #require(log.prefetches.first)
    #expect(announced.count < 40)
    #expect(Array(announced.prefix(1)) == [2] && announced.contains(5) && !announced.contains(6))
    #expect(announced.contains(2_000_005))
    log.prefetches = []
    grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 2, deltaY: 0)))
    grid.harness.runUntilIdle()
    let last = try #require(grid.shown.first { $0 < 1_000_000 })
    #expect(last > 0)
    #expect(log.prefetches.joined().contains(last + 5))
    #expect(log.prefetches.joined().allSatisfy { $0 < 1_000_000 }, "the main axis did not move")
  }

  @Test("Nothing is prefetched while a snapshot is pending")
  func pendingSnapshot() {
    let (grid, actions) = FrameActions.makeGrid(40)
    let log = PrefetchLog()
    grid.source.prefetching = log
    grid.harness.runUntilIdle()
    log.recordDisplayed(grid.shown)
    log.clearLog()
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(100..<300_000))
        snapshot.deleteItems(["w30"])
        grid.source.apply(snapshot)
        grid.view.scroll(to: 1_000, animated: false)
      }
    ]
    grid.harness.run(frames: 1)
    #expect(grid.view.itemCount == 40 && log.prefetches.isEmpty)
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount > 40 && !log.prefetches.isEmpty)
    #expect(!log.prefetches.joined().contains("w30"))
  }

  @Test("An apply in a prefetch handler is performed after all calls")
  func applyInHandler() {
    let (grid, log) = DataPrefetchingTests.makeGrid(100)
    var isFirst = true
    log.onPrefetch = { _ in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.deleteItems(["w70"]) }
      grid.view.prefetchDataSource = nil
    }
    grid.scroll(to: 3_000)
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 99 && !grid.shown.contains("w70"))
  }
}
