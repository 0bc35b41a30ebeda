import CollectionEngine
import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Hosting
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import vitrine_emoji

@Suite("Ratings are loaded while cells come and go")
struct LoadingTests {
  @Test("Cells that come on screen begin to load, and what will be seen soon is loaded ahead, the nearest first")
  func beginning() throws {
    let emoji = try EmojiStage { $0.logs = true }
    emoji.stage.run(frames: 2)
    #expect(emoji.cells.count >= 9 && emoji.cells.allSatisfy { $0.rating == nil && !$0.loadingIndicator.isHidden })
    #expect(emoji.cells.allSatisfy { $0.emoji.count == 1 })
    let visible = emoji.cells.count
    #expect(emoji.counts.started > visible && emoji.counts.completed == 0)
    // Before any scrolling: all that is announced lies behind what is on screen, in its order.
    let first = try #require(emoji.lines.first)
    let paths = (visible..<emoji.counts.started).map { "[0, \($0)]" }
    #expect(first == "Prefetch: [\(paths.joined(separator: ", "))]")
    #expect(emoji.operation(visible)?.state == .underWay)
  }

  @Test("The rating of a cell on screen is shown when it is there; one loaded ahead is shown at once")
  func handingOver() throws {
    let emoji = try EmojiStage()
    emoji.stage.runUntilIdle()
    #expect(emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji && $0.loadingIndicator.isHidden })
    let ahead = try #require(emoji.view.visibleCells.last?.itemIndex) + 1
    #expect(emoji.operation(ahead)?.state == .completed && emoji.operation(0) == nil)
    let before = emoji.counts
    #expect(before.ahead > 0 && before.shown == emoji.cells.count)
    emoji.view.applyScrollEvent(.jump(to: 120), at: emoji.stage.clock.now())
    emoji.stage.run(frames: 1)
    let cell = try #require(emoji.cell(ahead))
    #expect(cell.rating?.emoji == cell.emoji && emoji.operation(ahead) == nil)
    #expect(emoji.counts.shown > before.shown)
  }

  @Test("Results arrive at the request and the delay of each")
  func delays() throws {
    let emoji = try EmojiStage { $0.operations = 256 }
    emoji.stage.run(frames: 1)
    let start = emoji.stage.clock.now()
    let delays = Dictionary(
      uniqueKeysWithValues: (0..<9).compactMap { item in
        emoji.operation(item).map { (item, $0.delay) }
      })
    #expect(delays.count == 9)
    for _ in 0..<60 {
      emoji.stage.run(frames: 1)
      for (item, delay) in delays {
        let passed = emoji.stage.clock.now() - start
        if passed < delay - .milliseconds(16) { #expect(emoji.cell(item)?.rating == nil) }
        if passed > delay + .milliseconds(33) { #expect(emoji.cell(item)?.rating != nil) }
      }
    }
  }

  @Test("A cell that leaves cancels its operation, and what was loaded ahead of what is never seen is cancelled too")
  func cancelling() throws {
    let emoji = try EmojiStage { $0.logs = true }
    emoji.stage.run(frames: 1)
    let first = try #require(emoji.operation(0))
    let ahead = try #require(emoji.operation(emoji.cells.count))
    emoji.jump(to: 20_000)
    #expect(first.state == .cancelled && ahead.state == .cancelled)
    #expect(emoji.lines.contains { $0.hasPrefix("Cancel prefetch: [[0, ") })
    #expect(emoji.counts.cancelled > emoji.cells.count && emoji.counts.completed == 0)
    emoji.stage.runUntilIdle()
    #expect(emoji.counts.running == 0 && emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji })
  }

  @Test("A cell that is used again shows no rating of another emoji, whatever arrives late")
  func reuse() throws {
    let emoji = try EmojiStage()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      emoji.jump(to: Double.random(in: 0...20_000, using: &random))
      emoji.stage.run(milliseconds: Double.random(in: 0...400, using: &random))
      for cell in emoji.cells { #expect(cell.rating == nil || cell.rating?.emoji == cell.emoji) }
    }
    #expect(emoji.counts.cancelled > 100 && emoji.counts.shown > 100)
  }

  @Test("A cell that waited since it was on screen shows its rating still, and loads nothing")
  func waitingCells() throws {
    let emoji = try EmojiStage()
    emoji.stage.runUntilIdle()
    let cell = try #require(emoji.cell(0))
    emoji.jump(to: 200)
    #expect(emoji.cell(0) == nil)
    let started = emoji.counts.started
    emoji.jump(to: 0)
    #expect(emoji.cell(0) === cell && cell.rating != nil && emoji.operation(0) == nil)
    #expect(emoji.counts.started == started)
  }

  @Test(
    "Whatever is scrolled: started = completed + cancelled + running, completed = shown + ahead + wasted",
    arguments: Array(0..<6), LoadingStep.allCases)
  func counts(seed: Int, step: LoadingStep) throws {
    let emoji = try EmojiStage {
      $0.step = step
      $0.hosting.seed = UInt64(seed)
      $0.operations = 6
    }
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let event: ScrollEvent =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .flick(velocity: Double.random(in: -9_000...9_000, using: &random), accumulating: false)
        case 1: .steady(velocity: Double.random(in: -3_000...3_000, using: &random))
        default: .jump(to: Double.random(in: 0...20_000, using: &random))
        }
      emoji.view.applyScrollEvent(event, at: emoji.stage.clock.now())
      emoji.stage.run(frames: Int.random(in: 1...20, using: &random))
      let counts = emoji.counts
      let kept = emoji.grid.loadingOperations.values
      #expect(kept.allSatisfy { $0.state == .underWay || $0.state == .completed })
      #expect(counts.ahead == kept.count { $0.state == .completed })
      // Those that were abandoned run on, and nobody keeps them.
      let running = kept.count { $0.state == .underWay }
      #expect(step == .cancellingAhead ? counts.running == running : counts.running >= running)
      #expect(min(counts.shown, counts.wasted, counts.ahead, counts.running) >= 0)
      #expect(step.cancelsOnDisplay || counts.cancelled == 0)
      #expect(emoji.grid.waitingCount == emoji.cells.count { $0.rating == nil })
    }
    emoji.view.applyScrollEvent(.stop, at: emoji.stage.clock.now())
    emoji.stage.run(milliseconds: 120_000)
    let counts = emoji.counts
    #expect(counts.running == 0 && counts.started == counts.completed + counts.cancelled)
    #expect(emoji.cells.allSatisfy { $0.rating?.emoji == $0.emoji })
    #expect(counts.shown >= emoji.cells.count)
  }

  @Test("Cancelling spares work that nobody sees, and loading ahead spares cells their waiting")
  func steps() throws {
    func run(_ step: LoadingStep) throws -> (counts: OperationCounts, waited: Double) {
      let emoji = try EmojiStage { $0.step = step }
      for speed in [900.0, 6_000, -400, 3_000] {
        emoji.view.applyScrollEvent(.steady(velocity: speed), at: emoji.stage.clock.now())
        emoji.stage.run(milliseconds: 1_500)
      }
      return (emoji.counts, emoji.screen.pulse.waitingCellMilliseconds)
    }
    let runs = try LoadingStep.allCases.map(run)
    #expect(runs[0].counts.wasted + runs[0].counts.running > 3 * (runs[1].counts.wasted + runs[1].counts.running))
    #expect(runs[1].counts.cancelled > 0 && runs[1].counts.ahead == 0)
    #expect(runs[2].counts.wasted > runs[3].counts.wasted)
    #expect(runs[3].waited < runs[1].waited)
    #expect(runs[3].counts.cancelled > runs[2].counts.cancelled)
  }

  @Test("The bar counts as the queue does, and says what to install where the system has no emoji in colour")
  func bar() throws {
    let emoji = try EmojiStage()
    // The stage paints type in blocks.
    #expect(emoji.screen.bar.subtitle.contains("fonts-noto-color-emoji"))
    emoji.stage.run(frames: 3)
    #expect(emoji.screen.bar.counts == emoji.counts && emoji.counts.started > 0)
    emoji.stage.runUntilIdle()
    #expect(emoji.screen.bar.counts == emoji.counts && emoji.counts.shown > 0)
  }

  @Test("Without items, and with fewer than fill the window", arguments: [0, 1, 4])
  func fewItems(count: Int) throws {
    let emoji = try EmojiStage { $0.items = count }
    emoji.stage.runUntilIdle()
    #expect(emoji.cells.count == count && emoji.counts.shown == count && emoji.counts.started == count)
  }
}
