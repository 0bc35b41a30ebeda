import CollectionUI
import Testing
import VitrineHosting
import VitrineTestSupport

@testable import vitrine_emoji

@Suite("The emoji example")
struct EmojiExampleTests {
  @Test("The example has the name of its executable")
  func name() { #expect(EmojiExample.name == "emoji") }
}

@Suite("The loading indicator")
struct LoadingIndicatorTests {
  @Test("The highlight moves in steps while ratings load, and then the window is idle")
  func highlightSteps() throws {
    let emoji = try EmojiHarness()
    var phases: [Int?] = []
    for _ in 0..<12 {
      emoji.harness.run(frames: 1)
      phases.append(emoji.cell(0)?.loadingIndicator.phase)
      #expect(emoji.screen.animator.nextFrame.map { $0 > emoji.harness.clock.now() } == true)
    }
    // A frame takes 16 ms, a step 150 ms.
    #expect(Set(phases).count == 2)
    emoji.harness.runUntilIdle()
    #expect(emoji.screen.animator.nextFrame == nil && emoji.harness.runUntilIdle() == 0)
  }

  @Test("The window is idle between two steps of the highlight")
  func idleBetweenSteps() throws {
    let emoji = try EmojiHarness { $0.operationLimit = 1 }
    emoji.harness.run(frames: 2)
    let completed = emoji.counts.completed
    let before = emoji.harness.display.presentedFrames
    let start = emoji.harness.clock.now()
    emoji.harness.run(milliseconds: 3_000)
    let steps = Int((emoji.harness.clock.now() - start).milliseconds / 150)
    let frames = emoji.harness.display.presentedFrames - before
    // Each rating may need one frame to appear and one to render its text.
    #expect(frames >= steps - 1 && frames <= steps + 2 * (emoji.counts.completed - completed) + 4, "\(frames)")
    #expect(emoji.grid.waitingCount > 0)
  }

  @Test("With reduced motion, frames are drawn only for ratings")
  func reducedMotion() throws {
    let emoji = try EmojiHarness { $0.hosting.reducesMotion = true }
    emoji.harness.run(frames: 1)
    let waiting = emoji.cells.count
    #expect(waiting > 6 && emoji.screen.animator.nextFrame == nil)
    let frames = emoji.harness.runUntilIdle()
    #expect(emoji.cells.allSatisfy { $0.loadingIndicator.phase == nil && $0.rating != nil })
    // Each rating may need one frame to appear and one to render its text.
    #expect(frames <= 2 * emoji.counts.completed + 8)
  }

  @Test("The waiting time is summed over all cells")
  func waitingTime() throws {
    let emoji = try EmojiHarness { $0.operationLimit = 256 }
    emoji.harness.run(frames: 1)
    let delays = (0..<emoji.cells.count).compactMap { emoji.operation($0)?.delay.milliseconds }
    emoji.harness.runUntilIdle()
    let sum = delays.reduce(0, +)
    #expect(delays.count == emoji.cells.count)
    #expect(abs(emoji.screen.animator.waitingCellMilliseconds - sum) <= Double(delays.count) * 40)
  }
}
