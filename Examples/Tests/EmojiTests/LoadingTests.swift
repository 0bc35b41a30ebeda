import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineHosting
import VitrineTestSupport

@testable import vitrine_emoji

@Suite("Loading ratings while cells come and go")
struct LoadingTests {
  @Test("Displayed cells load their ratings, and items below are prefetched, the nearest first")
  func displayAndPrefetch() throws {
    let emoji = try EmojiHarness { $0.logsPrefetching = true }
    emoji.harness.run(frames: 2)
    #expect(emoji.cells.count >= 9 && emoji.cells.allSatisfy { $0.rating == nil && !$0.loadingIndicator.isHidden })
    #expect(emoji.cells.allSatisfy { $0.emoji.count == 1 })
    let visible = emoji.cells.count
    #expect(emoji.counts.started > visible && emoji.counts.completed == 0)
    // Before any scrolling, the prefetched items are those after the visible ones, in order.
    let first = try #require(emoji.logLines.first)
    let paths = (visible..<emoji.counts.started).map { "[0, \($0)]" }
    #expect(first == "Prefetch: [\(paths.joined(separator: ", "))]")
    #expect(emoji.operation(visible)?.state == .pending)
  }

  @Test("A visible cell shows its rating when it is loaded, and a prefetched rating without delay")
  func showing() throws {
    let emoji = try EmojiHarness()
    emoji.harness.runUntilIdle()
    #expect(emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji && $0.loadingIndicator.isHidden })
    let next = try #require(emoji.view.visibleCells.last?.itemIndex) + 1
    #expect(emoji.operation(next)?.state == .completed && emoji.operation(0) == nil)
    let before = emoji.counts
    #expect(before.ahead > 0 && before.shown == emoji.cells.count)
    emoji.view.applyScrollEvent(.jump(to: 120), at: emoji.harness.clock.now())
    emoji.harness.run(frames: 1)
    let cell = try #require(emoji.cell(next))
    #expect(cell.rating?.emoji == cell.emoji && emoji.operation(next) == nil)
    #expect(emoji.counts.shown > before.shown)
  }

  @Test("Each rating appears after its own delay")
  func delays() throws {
    let emoji = try EmojiHarness { $0.operationLimit = 256 }
    emoji.harness.run(frames: 1)
    let start = emoji.harness.clock.now()
    let delays = Dictionary(
      uniqueKeysWithValues: (0..<9).compactMap { item in
        emoji.operation(item).map { (item, $0.delay) }
      })
    #expect(delays.count == 9)
    for _ in 0..<60 {
      emoji.harness.run(frames: 1)
      for (item, delay) in delays {
        let passed = emoji.harness.clock.now() - start
        if passed < delay - .milliseconds(16) { #expect(emoji.cell(item)?.rating == nil) }
        if passed > delay + .milliseconds(33) { #expect(emoji.cell(item)?.rating != nil) }
      }
    }
  }

  @Test("A cell that leaves cancels its operation, and prefetching is cancelled for items that stay invisible")
  func cancelling() throws {
    let emoji = try EmojiHarness { $0.logsPrefetching = true }
    emoji.harness.run(frames: 1)
    let first = try #require(emoji.operation(0))
    let prefetched = try #require(emoji.operation(emoji.cells.count))
    emoji.jump(to: 20_000)
    #expect(first.state == .cancelled && prefetched.state == .cancelled)
    #expect(emoji.logLines.contains { $0.hasPrefix("Cancel prefetch: [[0, ") })
    #expect(emoji.counts.cancelled > emoji.cells.count && emoji.counts.completed == 0)
    emoji.harness.runUntilIdle()
    #expect(emoji.counts.running == 0 && emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji })
  }

  @Test("A reused cell never shows the rating of another emoji")
  func reuse() throws {
    let emoji = try EmojiHarness()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      emoji.jump(to: Double.random(in: 0...20_000, using: &random))
      emoji.harness.run(milliseconds: Double.random(in: 0...400, using: &random))
      for cell in emoji.cells { #expect(cell.rating == nil || cell.rating?.emoji == cell.emoji) }
    }
    #expect(emoji.counts.cancelled > 100 && emoji.counts.shown > 100)
  }

  @Test("A cell that was not reused keeps its rating and loads nothing")
  func returningCell() throws {
    let emoji = try EmojiHarness()
    emoji.harness.runUntilIdle()
    let cell = try #require(emoji.cell(0))
    emoji.jump(to: 200)
    #expect(emoji.cell(0) == nil)
    let started = emoji.counts.started
    emoji.jump(to: 0)
    #expect(emoji.cell(0) === cell && cell.rating != nil && emoji.operation(0) == nil)
    #expect(emoji.counts.started == started)
  }

  @Test(
    "After any scrolling: started = completed + cancelled + running, completed = shown + ahead + wasted",
    arguments: TestScale.seeds(0..<6), LoadingStep.allCases)
  func counts(seed: Int, step: LoadingStep) throws {
    let emoji = try EmojiHarness {
      $0.step = step
      $0.hosting.seed = UInt64(seed)
      $0.operationLimit = 6
    }
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let event: ScrollEvent =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .flick(velocity: Double.random(in: -9_000...9_000, using: &random), accumulating: false)
        case 1: .steady(velocity: Double.random(in: -3_000...3_000, using: &random))
        default: .jump(to: Double.random(in: 0...20_000, using: &random))
        }
      emoji.view.applyScrollEvent(event, at: emoji.harness.clock.now())
      emoji.harness.run(frames: Int.random(in: 1...20, using: &random))
      let counts = emoji.counts
      let operations = emoji.grid.loadingOperations.values
      #expect(operations.allSatisfy { $0.state == .pending || $0.state == .completed })
      #expect(counts.ahead == operations.count { $0.state == .completed })
      // Abandoned operations continue to run, and the grid no longer refers to them.
      let running = operations.count { $0.state == .pending }
      #expect(step == .cancellingAhead ? counts.running == running : counts.running >= running)
      #expect(min(counts.shown, counts.wasted, counts.ahead, counts.running) >= 0)
      #expect(step.cancelsOnDisplay || counts.cancelled == 0)
      #expect(emoji.grid.waitingCount == emoji.cells.count { $0.rating == nil })
    }
    emoji.view.applyScrollEvent(.stop, at: emoji.harness.clock.now())
    emoji.harness.run(milliseconds: 120_000)
    let counts = emoji.counts
    #expect(counts.running == 0 && counts.started == counts.completed + counts.cancelled)
    #expect(emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji })
    #expect(counts.shown >= emoji.cells.count)
  }

  @Test("Cancelling saves work, and prefetching saves waiting time")
  func steps() throws {
    func run(_ step: LoadingStep) throws -> (counts: OperationCounts, waited: Double) {
      let emoji = try EmojiHarness { $0.step = step }
      for speed in [900.0, 6_000, -400, 3_000] {
        emoji.view.applyScrollEvent(.steady(velocity: speed), at: emoji.harness.clock.now())
        emoji.harness.run(milliseconds: 1_500)
      }
      return (emoji.counts, emoji.screen.animator.waitingCellMilliseconds)
    }
    let runs = try LoadingStep.allCases.map(run)
    #expect(runs[0].counts.wasted + runs[0].counts.running > 3 * (runs[1].counts.wasted + runs[1].counts.running))
    #expect(runs[1].counts.cancelled > 0 && runs[1].counts.ahead == 0)
    #expect(runs[2].counts.wasted > runs[3].counts.wasted)
    #expect(runs[3].waited < runs[1].waited)
    #expect(runs[3].counts.cancelled > runs[2].counts.cancelled)
  }

  @Test("The bar shows the number of emoji and the queue's counts")
  func countsBar() throws {
    let emoji = try EmojiHarness()
    #expect(emoji.screen.countsBar.subtitle.hasPrefix("600 emoji"))
    emoji.harness.run(frames: 3)
    #expect(emoji.screen.countsBar.counts == emoji.counts && emoji.counts.started > 0)
    emoji.harness.runUntilIdle()
    #expect(emoji.screen.countsBar.counts == emoji.counts && emoji.counts.shown > 0)
  }

  @Test("A grid without items or with few items loads exactly these", arguments: [0, 1, 4])
  func fewItems(count: Int) throws {
    let emoji = try EmojiHarness { $0.itemCount = count }
    emoji.harness.runUntilIdle()
    #expect(emoji.cells.count == count && emoji.counts.shown == count && emoji.counts.started == count)
  }
}
