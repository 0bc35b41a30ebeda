import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The order of preparation, frame by frame, on a clock that advances only by declared costs")
struct PreparationPriorityTests {
  /// Returns a grid with rows of 50 points in a window 300 points high, scrolled down to item 40, idle and with no
  /// prepared cells.
  private func makeGrid(cost: Double = 0) -> WordGrid {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(cost)
    grid.scroll(to: 1_990)
    grid.scroll(to: 2_000)
    grid.harness.runUntilIdle()
    grid.clearLog()
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    return grid
  }

  /// Returns the items prepared in each of the next frames.
  private func itemsPrepared(inFrames count: Int, of grid: WordGrid) -> [[Int]] {
    (0..<count).map { _ in
      grid.clearLog()
      grid.harness.run(frames: 1)
      return grid.providerCalls.compactMap { Int($0.dropFirst()) }
    }
  }

  @Test("While idle, one screen ahead and then half a screen behind are prepared, nearest first")
  func idle() {
    #expect(itemsPrepared(inFrames: 2, of: makeGrid()) == [[46, 47, 48, 49, 50, 51, 39, 38, 37], []])
  }

  @Test("During steady scrolling, the nearest cells are prepared first, at most two a frame and in time")
  func steadyScrolling() {
    let grid = makeGrid(cost: 9)
    grid.view.applyScrollEvent(.steady(velocity: 500), at: grid.harness.clock.now())
    let order = itemsPrepared(inFrames: 40, of: grid)
    #expect(order.allSatisfy { $0.count <= 2 }, "9 of 16 ms, and one more after the presentation")
    let items = order.flatMap(\.self)
    let ahead = items.filter { $0 > 45 }
    #expect(ahead == Array(46..<(46 + ahead.count)) && ahead.count >= 12)
    #expect(items.filter { $0 < 45 }.allSatisfy { $0 < 40 })
    #expect(grid.harness.loop.history.hitchCount == 0)
  }

  @Test("During a flick, cells visible within frames come first, then the landing position, then the path backwards")
  func flick() throws {
    let grid = makeGrid()
    grid.view.applyScrollEvent(.flick(velocity: 4_000, accumulating: false), at: grid.harness.clock.now())
    let landing = Int(grid.view.scroll.projectedOffset / 50)
    let order = try #require(itemsPrepared(inFrames: 1, of: grid).first)
    let first = try #require(order.firstIndex(of: landing))
    let soon = Array(order[..<first])
    #expect(!soon.isEmpty && soon == Array(46..<(46 + soon.count)), "\(order)")
    let region = Array(order[first...].prefix(7))
    #expect(region == Array(landing..<(landing + 7)))
    let path = Array(order[(first + 7)...].prefix { $0 < landing && $0 > 45 })
    #expect(path == [landing - 1, landing - 2, landing - 3], "half a screen: earlier items pass by too fast")
    #expect(grid.harness.loop.history.hitchCount == 0)
    let forced = grid.view.statistics.preparedForced
    grid.harness.runUntilIdle()
    #expect(grid.view.statistics.preparedForced == forced, "no cell was forced until it landed")
  }

  @Test("After a confirmed direction change, items behind are prepared first")
  func directionChange() {
    let grid = makeGrid(cost: 9)
    _ = itemsPrepared(inFrames: 30, of: grid)
    grid.view.applyScrollEvent(.jump(to: 1_996))
    #expect(
      itemsPrepared(inFrames: 1, of: grid) == [[36]],
      "four points back are no direction change: half a screen is prepared behind, as before")
    grid.view.applyScrollEvent(.jump(to: 1_985))
    let order = itemsPrepared(inFrames: 8, of: grid).flatMap(\.self)
    #expect(order.prefix(3) == [35, 34, 33], "continues behind the prepared cells: \(order)")
    #expect(grid.view.preparedCells.compactMap(\.itemIndex).filter { $0 > 45 }.allSatisfy { $0 <= 49 })
  }
}

// MARK: - Spare cells

@Suite("While idle, the cells that scrolling will need are created")
struct SpareCellTests {
  private func cellCount(_ grid: HeavyGrid) -> Int {
    let counts = grid.view.statistics
    return counts.visible + counts.waiting + counts.pooled
  }

  @Test("As many cells are created as may be visible and waiting, and scrolling creates none")
  func createdWhileIdle() {
    let grid = HeavyGrid(costs: DeclaredCosts(create: .milliseconds(9)))
    grid.view.applyScrollEvent(.jump(to: 25))
    grid.harness.run(frames: 60)
    let before = grid.view.statistics
    #expect(before.visible == 7 && before.pooled == 0)
    grid.harness.run(milliseconds: 1_000)
    // Seven cells are visible, and four screens may wait: around the visible ones and at the landing position of a
    // flick.
    #expect(cellCount(grid) == 35)
    #expect(grid.view.statistics.prepared == before.prepared, "no cell is configured")
    grid.view.applyScrollEvent(.flick(velocity: 20_000, accumulating: false), at: grid.harness.clock.now())
    grid.harness.run(frames: 200)
    grid.view.applyScrollEvent(.jump(to: 0))
    grid.harness.run(frames: 20)
    #expect(grid.view.statistics.created == 35)
  }

  @Test("No more cells are created than there are items, and none without preparation")
  func maximumCount() {
    for count in [0, 3, 6, 14] {
      let grid = HeavyGrid(count: count)
      grid.harness.run(milliseconds: 1_000)
      #expect(cellCount(grid) == count)
    }
    let grid = HeavyGrid(preparesAhead: false)
    grid.harness.run(milliseconds: 1_000)
    #expect(cellCount(grid) == 6)
  }

  @Test("No cells are created under memory pressure")
  func memoryPressure() {
    let grid = HeavyGrid()
    grid.harness.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 18)
    grid.harness.window.handleMemoryPressure()
    grid.harness.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 0)
    // After ten seconds, when the loop is idle again.
    grid.harness.run(milliseconds: 11_000)
    grid.harness.sendEvent(.exposed)
    grid.harness.run(milliseconds: 1_000)
    #expect(cellCount(grid) == 30)
  }

  @Test("Cells are created in the proportion of the visible and waiting registrations, and others are evicted")
  func registrations() {
    let (wide, tall) = (CellRegistration<WideCell, Int> { _, _, _ in }, CellRegistration<TallCell, Int> { _, _, _ in })
    var isTall: (Int) -> Bool = { $0 % 3 == 0 }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      isTall(item)
        ? view.dequeueConfiguredReusableCell(using: tall, for: path, item: item)
        : view.dequeueConfiguredReusableCell(using: wide, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<400))
    source.apply(snapshot)
    harness.run(milliseconds: 1_000)
    let (first, created) = (view.statistics, CountedCell.created)
    #expect(first.visible + first.waiting + first.pooled == 30)
    #expect(created[ObjectIdentifier(TallCell.self)] == 10 && created[ObjectIdentifier(WideCell.self)] == 20)
    // All other items use one registration. The pool adapts while idle.
    isTall = { _ in true }
    view.applyScrollEvent(.jump(to: 5_025))
    harness.run(frames: 100)
    harness.run(milliseconds: 1_000)
    CountedCell.created = [:]
    view.applyScrollEvent(.flick(velocity: 20_000, accumulating: false), at: harness.clock.now())
    harness.run(frames: 200)
    #expect(CountedCell.created.isEmpty)
    CountedCell.created = [:]
  }

  @Test("The scarcest registration lacks most of its share, and cells of registrations without a share are evicted")
  func scarcestRegistration() {
    var pool = ReusePool<String>()
    #expect(pool.scarcestRegistration([:]) == nil && pool.dequeueCell(notIn: [:]) == nil)
    let shares = [7: 1, 3: 2, 5: 1]
    for _ in 0..<12 {
      if let registration = pool.scarcestRegistration(shares) {
        pool.enqueue("a cell", of: registration, keepingAtMost: .max)
      }
    }
    #expect([3, 5, 7].map { pool.count(of: $0) } == [6, 3, 3] && pool.dequeueCell(notIn: shares) == nil)
    pool.enqueue("another", of: 1, keepingAtMost: .max)
    #expect(pool.scarcestRegistration(shares) == 3 && pool.dequeueCell(notIn: shares) == "another" && pool.count == 12)
  }
}

/// A cell that counts the created instances of each class.
private class CountedCell: CollectionViewCell {
  static var created: [ObjectIdentifier: Int] = [:]

  required init() {
    super.init()
    CountedCell.created[ObjectIdentifier(type(of: self)), default: 0] += 1
  }
}

private final class WideCell: CountedCell {}
private final class TallCell: CountedCell {}
