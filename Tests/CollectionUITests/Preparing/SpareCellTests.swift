import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("At rest the cells are made that a motion will need")
struct SpareCellTests {
  private func cells(_ grid: HeavyGrid) -> Int {
    let counts = grid.view.statistics
    return counts.visible + counts.waiting + counts.pooled
  }

  @Test("As many as are seen and may wait; a motion then makes none")
  func motion() {
    let grid = HeavyGrid(costs: DeclaredCosts(create: .milliseconds(9)))
    grid.view.applyScrollEvent(.jump(to: 25))
    grid.stage.run(frames: 60)
    let before = grid.view.statistics
    #expect(before.visible == 7 && before.pooled == 0)
    grid.stage.run(milliseconds: 1_000)
    // Seven are seen, and four screens may wait: around what is seen, and where a flick lands.
    #expect(cells(grid) == 35)
    #expect(grid.view.statistics.prepared == before.prepared, "nothing is configured for that")
    grid.view.applyScrollEvent(.flick(velocity: 20_000, accumulating: false), at: grid.stage.clock.now())
    grid.stage.run(frames: 200)
    grid.view.applyScrollEvent(.jump(to: 0))
    grid.stage.run(frames: 20)
    #expect(grid.view.statistics.created == 35)
  }

  @Test("No more than there are items, and none where nothing is prepared ahead or there is nothing to show")
  func bounds() {
    for count in [0, 3, 6, 14] {
      let grid = HeavyGrid(count: count)
      grid.stage.run(milliseconds: 1_000)
      #expect(cells(grid) == count)
    }
    let grid = HeavyGrid(preparesAhead: false)
    grid.stage.run(milliseconds: 1_000)
    #expect(cells(grid) == 6)
  }

  @Test("None while memory is short")
  func memory() {
    let grid = HeavyGrid()
    grid.stage.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 18)
    grid.stage.window.handleMemoryPressure()
    grid.stage.run(milliseconds: 1_000)
    #expect(grid.view.statistics.pooled == 0)
    // Ten seconds later, when it rests again.
    grid.stage.run(milliseconds: 11_000)
    grid.stage.sendEvent(.exposed)
    grid.stage.run(milliseconds: 1_000)
    #expect(cells(grid) == 30)
  }

  @Test("Of the kinds that are seen and wait, as many of each as there are; others make room")
  func kinds() {
    let (wide, tall) = (CellRegistration<WideCell, Int> { _, _, _ in }, CellRegistration<TallCell, Int> { _, _, _ in })
    var isTall: (Int) -> Bool = { $0 % 3 == 0 }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      isTall(item)
        ? view.dequeueConfiguredReusableCell(using: tall, for: path, item: item)
        : view.dequeueConfiguredReusableCell(using: wide, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<400))
    source.apply(snapshot)
    stage.run(milliseconds: 1_000)
    let (first, created) = (view.statistics, CountedCell.created)
    #expect(first.visible + first.waiting + first.pooled == 30)
    #expect(created[ObjectIdentifier(TallCell.self)] == 10 && created[ObjectIdentifier(WideCell.self)] == 20)
    // All others are of one kind: the pool's follow while nothing moves.
    isTall = { _ in true }
    view.applyScrollEvent(.jump(to: 5_025))
    stage.run(frames: 100)
    stage.run(milliseconds: 1_000)
    CountedCell.created = [:]
    view.applyScrollEvent(.flick(velocity: 20_000, accumulating: false), at: stage.clock.now())
    stage.run(frames: 200)
    #expect(CountedCell.created.isEmpty)
    CountedCell.created = [:]
  }

  @Test("The scarcest kind is the one that lacks most of its share; kinds without a share are other ones")
  func shares() {
    var pool = ReusePool<String>()
    #expect(pool.scarcestRegistration([:]) == nil && pool.dequeueCell(notIn: [:]) == nil)
    let shares = [7: 1, 3: 2, 5: 1]
    for _ in 0..<12 {
      if let kind = pool.scarcestRegistration(shares) { pool.enqueue("a cell", of: kind, keepingAtMost: .max) }
    }
    #expect([3, 5, 7].map { pool.count(of: $0) } == [6, 3, 3] && pool.dequeueCell(notIn: shares) == nil)
    pool.enqueue("another", of: 1, keepingAtMost: .max)
    #expect(pool.scarcestRegistration(shares) == 3 && pool.dequeueCell(notIn: shares) == "another" && pool.count == 12)
  }
}

/// Counts how many were made of each class.
private class CountedCell: CollectionViewCell {
  static var created: [ObjectIdentifier: Int] = [:]

  required init() {
    super.init()
    CountedCell.created[ObjectIdentifier(type(of: self)), default: 0] += 1
  }
}

private final class WideCell: CountedCell {}
private final class TallCell: CountedCell {}
