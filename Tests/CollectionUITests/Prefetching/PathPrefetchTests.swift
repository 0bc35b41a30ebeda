import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Testing
import Views

@Suite("Data is prefetched by index path for those who have nothing else")
struct PathPrefetchTests {
  static func grid(_ count: Int) -> (WordGrid, PathPrefetchLog) {
    let grid = WordGrid(WordGrid.words(0..<count))
    let log = PathPrefetchLog()
    log.word = { [source = grid.source] in source.itemIdentifier(for: $0) }
    grid.view.prefetchDataSource = log
    grid.stage.runUntilIdle()
    return (grid, log)
  }

  @Test("It is told once before any scrolling, the nearest first")
  func atFirst() {
    let (grid, log) = Self.grid(100)
    #expect(log.lines == ["+" + (6..<18).map(String.init).joined(separator: ",")])
    #expect(grid.view.prefetchStatistics == PrefetchStatistics(requested: 12, cancelled: 0))
  }

  @Test("An item whose path changes is given up at the old one and asked for at the new one; the others go on")
  func applies() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.apply { $0.deleteItems(["w10"]) }
    #expect(log.lines == ["-10,11,12,13,14,15,16,17"], "those before it go on")
    grid.stage.runUntilIdle()
    #expect(log.lines.last == "+10,11,12,13,14,15,16,17")
    #expect(log.requests[IndexPath(item: 10, section: 0)] == "w11")
    #expect(log.requests.count == 12)
  }

  @Test("Other data altogether gives up everything")
  func reload() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.source.applySnapshotUsingReloadData(grid.source.snapshot())
    grid.stage.runUntilIdle()
    #expect(log.lines == ["-6,7,8,9,10,11,12,13,14,15,16,17", "+6,7,8,9,10,11,12,13,14,15,16,17"])
  }

  @Test("Whoever is not told any more is told to give up first")
  func leaving() {
    let (grid, log) = Self.grid(20)
    log.forget()
    grid.view.isPrefetchingEnabled = false
    grid.stage.runUntilIdle()
    #expect(log.lines == ["-6,7,8,9,10,11,12,13,14,15,16,17"] && log.requests.isEmpty)
    grid.view.isPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    #expect(log.requests.count == 12)
    let other = CollectionView(layout: WordGrid.layout(columns: 1))
    let source = DiffableDataSource<Int, String>(collectionView: grid.view) { _, _, _ in CollectionViewCell() }
    #expect(log.requests.isEmpty, "another data source has other items")
    withExtendedLifetime((other, source)) {}
  }

  @Test("A request is never taken for another item, whatever is applied and scrolled", arguments: 0..<8)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 7_000)
    let (grid, log) = Self.grid(80)
    var next = 1_000
    for _ in 0..<100 {
      if generator.chance(oneIn: 2) {
        grid.view.scroll(to: Double.random(in: 0...4_000, using: &generator), animated: false)
      } else {
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...10, using: &generator)))
        next += 20
        grid.apply { CellLifeTests.edit(&$0, fresh: fresh, &generator) }
      }
      if generator.chance(oneIn: 3) { continue }
      grid.stage.run(frames: 1)
      let shown = grid.shown.compactMap { word in grid.source.indexPath(for: word).map { ($0, word) } }
      log.take(shown)
      for (path, word) in log.requests { #expect(grid.source.itemIdentifier(for: path) == word) }
    }
  }
}
