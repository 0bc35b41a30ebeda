import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("The prefetch controller, without a view")
struct PrefetchControllerTests {
  @Test("In slack, the items around the viewport are prepared, the nearest first, until nothing is left")
  func order() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.runSlack()
    let configured = host.takeLog()
    #expect(configured.prefix(2) == ["configure 26", "configure 27"], "a list is expected to scroll on")
    host.runSlack()
    #expect(!host.prefetch.hasWork)
    #expect(host.cells.waitingCells.allSatisfy { !(20..<26).contains($0.itemIndex ?? 0) })
  }

  @Test("A step that does not fit before the deadline is not begun")
  func refusal() {
    let host = CellHostDouble()
    host.meter.setClock(host.clock)
    host.cost = .milliseconds(9)
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.runSlack(remaining: .milliseconds(2))
    #expect(host.takeLog() == [] && host.prefetch.hasWork)
    host.runSlack(remaining: .milliseconds(12))
    #expect(host.takeLog().count == 1)
  }

  @Test("While an update is waiting, or prefetching is disabled, nothing is prepared")
  func pending() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.hasPendingUpdate = true
    host.runSlack()
    #expect(host.takeLog() == [])
    host.hasPendingUpdate = false
    host.prefetch.isCellPrefetchingEnabled = false
    host.runSlack()
    #expect(host.takeLog() == [])
  }

  @Test("Cells wait around the viewport only, and when memory is short around less of it")
  func window() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    host.runSlack()
    let usual = host.cells.waitingCells.count
    #expect(host.prefetch.canWait(27) && !host.prefetch.canWait(90))
    host.prefetch.releaseMemory()
    #expect(host.cells.waitingCells.count < usual && host.cells.pooledCount == 0)
  }

  @Test("A step that was deferred until after presenting is forgotten by an update")
  func deferredStep() {
    let host = CellHostDouble()
    host.meter.setClock(host.clock)
    host.cost = .milliseconds(9)
    host.scroll(to: 1_000)
    let budget = host.beginFrame(remaining: .milliseconds(2), isPresentBlocking: false)
    for _ in 0..<100 where !host.prefetch.prepareInSlack(budget) { break }
    #expect(host.prefetch.hasDeferredSteps)
    _ = host.takeLog()
    host.apply(.deleting(0, of: 100))
    #expect(!host.prefetch.hasDeferredSteps && !host.prefetch.prepareAfterPresent(budget))
    #expect(host.takeLog() == [])
  }

  nonisolated static let seeds = TestScale.seeds(0..<12)

  @Test("After random scrolls, exactly the items in the window have a cell, each prepared once", arguments: seeds)
  func coverage(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let host = CellHostDouble()
    for step in 0..<40 {
      let before = host.itemsWithCells
      let isFar = random.chance(oneIn: 4)
      let next =
        isFar ? .random(in: 0...4_700, using: &random) : host.contentOffset + .random(in: -200...200, using: &random)
      host.scroll(to: max(0, min(4_700, next.rounded())))
      let retained = before.intersection(host.itemsWithCells)
      host.runSlackUntilDone()
      let expected = (0..<100).filter { host.cells.displayedCell(at: $0) != nil || host.prefetch.canWait($0) }
      #expect(host.itemsWithCells == Set(expected), "step \(step)")
      let configured = host.takeConfigured()
      #expect(Set(configured).count == configured.count, "step \(step)")
      #expect(retained.isDisjoint(with: configured), "step \(step)")
      #expect(host.cells.isBalanced)
    }
  }

  @Test("Once the cost of cells is known, no step ends after the deadline", arguments: seeds)
  func deadlines(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let host = CellHostDouble()
    host.meter.setClock(host.clock)
    host.cost = .milliseconds(.random(in: 1...8, using: &random))
    host.scroll(to: 1_000)
    var prepared = 0
    for frame in 0..<60 {
      if frame % 4 == 3 {
        host.scroll(to: max(0, min(4_700, host.contentOffset + .random(in: -300...300, using: &random))))
      }
      _ = host.takeLog()
      let remaining = FrameDuration.milliseconds(.random(in: 0...14, using: &random))
      let deadline = host.clock.now() + remaining
      host.runSlack(remaining: remaining)
      let count = host.takeLog().count
      #expect(count == 0 || host.clock.now() <= deadline, "frame \(frame)")
      prepared += count
    }
    #expect(prepared > 10)
  }

  @Test("After random updates, the same items have cells as in a new controller", arguments: seeds)
  func updateLaw(seed: Int) {
    UpdateLaw.check(seed: seed) { _, _, counts in
      let host = CellHostDouble()
      host.solution = ControllerHostDouble.layout(of: counts.total)
      return host
    } _: { host, map in
      // The update arrives while cells of the frame's list are still to be prepared.
      host.scroll(to: 800)
      let budget = host.beginFrame()
      for _ in 0..<6 { _ = host.prefetch.prepareInSlack(budget) }
      host.apply(map)
      _ = host.takeLog()
      for _ in 0..<100 where !host.prefetch.prepareInSlack(budget) { break }
      for item in host.takeConfigured() { #expect(host.prefetch.canWait(item)) }
    } _: { host in
      // Forward, because the window is longer ahead.
      for offset in [0, 500.0] { host.scroll(to: offset) }
      host.runSlackUntilDone()
      return host.itemsWithCells
    }
  }
}
