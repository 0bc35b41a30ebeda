import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("Data is prefetched and given up by identifier")
struct PrefetchTests {
  static func grid(_ count: Int) -> (WordGrid, PrefetchLog) {
    let grid = WordGrid([])
    let log = PrefetchLog()
    log.isThere = { [source = grid.source] in source.indexPath(for: $0) != nil }
    grid.source.prefetching = log
    grid.log.onChange = { [weak view = grid.log, weak log] in
      if let view { log?.note(shown: Array(view.displayed.values)) }
    }
    grid.apply { $0.appendItems(WordGrid.words(0..<count)) }
    grid.stage.runUntilIdle()
    return (grid, log)
  }

  @Test("Before any scrolling two screens below are announced, nearest first, and nothing on screen")
  func atFirst() {
    let (grid, log) = Self.grid(100)
    #expect(log.prefetches == [WordGrid.words(6..<18)])
    #expect(log.cancels.isEmpty)
    withExtendedLifetime(grid) {}
  }

  @Test("What there is not is not announced")
  func few() {
    let (grid, log) = Self.grid(9)
    #expect(log.prefetches == [WordGrid.words(6..<9)])
    grid.view.isPrefetchingEnabled = false
    grid.apply { $0.appendItems(WordGrid.words(9..<20)) }
    grid.stage.runUntilIdle()
    #expect(log.prefetches.count == 1)
  }

  @Test("Scrolling announces what comes next and gives up what is far behind")
  func scrolling() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.scroll(to: 500)
    // Those at 500 and below are on screen; those from 350 on are near, and were announced before.
    #expect(log.releases == [WordGrid.words(0..<6)])
    #expect(log.cancels == [["w6"]])
    #expect(log.prefetches == [WordGrid.words(18..<28)])
  }

  @Test("Appending below announces only what came within reach")
  func append() {
    let (grid, log) = Self.grid(10)
    log.forget()
    grid.apply { $0.appendItems(WordGrid.words(10..<100)) }
    grid.stage.runUntilIdle()
    #expect(log.prefetches == [WordGrid.words(10..<18)])
    #expect(log.cancels.isEmpty)
  }

  @Test("After an apply what was announced is compared by name: the deleted are given up, the kept not asked again")
  func deletion() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.apply { $0.deleteItems(["w2", "w8", "w9", "w50"]) }
    grid.stage.runUntilIdle()
    #expect(log.cancels == [["w8", "w9"]])
    #expect(log.releases == [["w2"]])
    #expect(log.prefetches == [["w18", "w19", "w20"]])
  }

  @Test("Items inserted ahead are announced, and those they push out of reach are given up")
  func insertion() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.apply { $0.insertItems(["a", "b"], afterItem: "w10") }
    grid.stage.runUntilIdle()
    #expect(log.cancels == [["w16", "w17"]])
    #expect(log.prefetches == [["a", "b"]])
  }

  @Test("Two applies before a frame count as one")
  func twoApplies() {
    let (grid, log) = Self.grid(100)
    log.forget()
    grid.apply { $0.deleteItems(["w7"]) }
    grid.apply { $0.insertItems(["w7"], afterItem: "w6") }
    grid.stage.runUntilIdle()
    #expect(log.cancels.isEmpty)
    #expect(log.prefetches.isEmpty)
    grid.apply { $0.deleteAllItems() }
    grid.stage.runUntilIdle()
    #expect(log.cancels == [WordGrid.words(6..<18)])
    #expect(log.releases == [WordGrid.words(0..<6)])
  }

  @Test(
    "Whatever happens, nothing is announced twice, given up in vain, or announced that is not there", arguments: 0..<10)
  func property(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 100)
    let (grid, log) = Self.grid(Int.random(in: 0...120, using: &generator))
    var next = 1_000
    for _ in 0..<120 {
      if generator.chance(oneIn: 2) {
        grid.view.scroll(to: Double.random(in: 0...4_000, using: &generator), animated: false)
      } else {
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...20, using: &generator)))
        next += 20
        grid.apply { CellLifeTests.edit(&$0, fresh: fresh, &generator) }
      }
      if generator.chance(oneIn: 3) { continue }
      grid.stage.run(frames: 1)
    }
    let counts = grid.view.prefetchStatistics
    #expect(counts.requested == log.requested && counts.cancelled == log.cancelled)
    grid.apply { $0.deleteAllItems() }
    grid.stage.runUntilIdle()
    #expect(log.wanted.isEmpty && log.seen.isEmpty, "all that was wanted is given up in the end")
  }
}
