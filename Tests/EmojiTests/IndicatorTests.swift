import FramePacing
import Hosting
import Rendering
import TestSupport
import Testing
import Views

@testable import vitrine_emoji

@Suite("What stands in the stars' place")
struct IndicatorTests {
  @Test("The light wanders in steps while something loads, and then the window rests")
  func wandering() throws {
    let emoji = try EmojiStage()
    var phases: [Int?] = []
    for _ in 0..<12 {
      emoji.stage.run(frames: 1)
      phases.append(emoji.cell(0)?.loadingIndicator.phase)
      #expect(emoji.screen.pulse.nextFrame.map { $0 > emoji.stage.clock.now() } == true)
    }
    // A frame takes 16 ms, a step 150.
    #expect(Set(phases).count == 2)
    emoji.stage.runUntilIdle()
    #expect(emoji.screen.pulse.nextFrame == nil && emoji.stage.runUntilIdle() == 0)
  }

  @Test("The window rests between two steps of the light")
  func resting() throws {
    let emoji = try EmojiStage { $0.operations = 1 }
    emoji.stage.run(frames: 2)
    let completed = emoji.counts.completed
    let before = emoji.stage.display.presentedFrames
    let start = emoji.stage.clock.now()
    emoji.stage.run(milliseconds: 3_000)
    let steps = Int((emoji.stage.clock.now() - start).milliseconds / 150)
    let frames = emoji.stage.display.presentedFrames - before
    // Each rating may ask for a frame, and for another one where its picture has to be drawn.
    #expect(frames >= steps - 1 && frames <= steps + 2 * (emoji.counts.completed - completed) + 4, "\(frames)")
    #expect(emoji.grid.waitingCount > 0)
  }

  @Test("With reduced motion nothing moves, and frames come with ratings alone")
  func reducedMotion() throws {
    let emoji = try EmojiStage { $0.hosting.reducesMotion = true }
    emoji.stage.run(frames: 1)
    let waiting = emoji.cells.count
    #expect(waiting > 6 && emoji.screen.pulse.nextFrame == nil)
    let frames = emoji.stage.runUntilIdle()
    #expect(emoji.cells.allSatisfy { $0.loadingIndicator.phase == nil && $0.rating != nil })
    // Each result may ask for a frame, and for another one where its picture has to be drawn.
    #expect(frames <= 2 * emoji.counts.completed + 8)
  }

  @Test("How long cells wait is counted: every cell for its own time")
  func waiting() throws {
    let emoji = try EmojiStage { $0.operations = 256 }
    emoji.stage.run(frames: 1)
    let delays = (0..<emoji.cells.count).compactMap { emoji.operation($0)?.delay.milliseconds }
    emoji.stage.runUntilIdle()
    let sum = delays.reduce(0, +)
    #expect(delays.count == emoji.cells.count)
    #expect(abs(emoji.screen.pulse.waitingCellMilliseconds - sum) <= Double(delays.count) * 40)
  }
}
