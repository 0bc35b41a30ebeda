import ExampleSupport
import Foundation
import FramePacing
import Geometry
import Hosting
import PictureServer
import TestSupport
import Testing

@testable import vitrine_destinations

@Suite("The story: six steps on one scroll")
struct StoryTests {
  static let chapters = Step.allCases.map { step in
    StoryChapter(
      step: step, hitchRatio: 12.3456 / Double(step.rawValue), longestHitch: 3.5, placeholderTime: 1_234.56,
      decodedOnRenderThread: 7)
  }

  @Test("As JSON, an object a step with its figures")
  func json() throws {
    let text = StoryText(chapters: Self.chapters).json
    let whole = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Double]]])
    let steps = try #require(whole["steps"])
    #expect(whole.count == 1 && steps.map { $0["step"] } == [1, 2, 3, 4, 5, 6])
    let names = ["step", "ratioMsPerS", "longestHitchMs", "placeholderCellMs", "decodedOnRenderThread"]
    #expect(steps.allSatisfy { Set($0.keys) == Set(names) })
    #expect(steps[0]["ratioMsPerS"] == 12.346 && steps[0]["placeholderCellMs"] == 1_234.6)
    #expect(StoryText(chapters: []).json.contains("\"steps\""))
  }

  @Test("As a table, a line a step, its columns below each other")
  func table() {
    let lines = StoryText(chapters: Self.chapters).table.split(separator: "\n")
    #expect(lines.count == 7 && Set(lines.map(\.count)).count == 1 && lines.allSatisfy { $0.count <= 100 })
    for (step, line) in zip(Step.allCases, lines.dropFirst()) {
      #expect(line.contains(step.title) && line.contains("1235 ms") && line.hasSuffix(" 7"))
    }
  }

  @Test("Told on the virtual clock: who decodes while drawing, and who waits for how long")
  func told() throws {
    var settings = DestinationsSettings()
    settings.tellsStory = true
    settings.paintedCount = 4
    settings.paintedSide = 240
    settings.count = 60
    settings.hosting.clock = .virtual
    settings.hosting.duration = 1.2
    settings.hosting.size = Size(width: 480, height: 360)
    settings.hosting.script = .steady(speed: 1_200)
    let surroundings = ExampleSurroundings(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    let chapters = try Story(settings, in: surroundings).run()
    #expect(chapters.map(\.step) == Step.allCases)
    let decodes = chapters.map(\.decodedOnRenderThread)
    #expect(decodes[..<3].allSatisfy { $0 > 4 } && decodes[3...].allSatisfy { $0 == 0 }, "\(decodes)")
    let waits = chapters.map(\.placeholderTime)
    #expect(waits[0] < waits[5] && waits[3] > waits[4] && waits[4] > waits[5], "\(waits)")
    // On this clock nothing costs anything but what is declared.
    #expect(chapters.allSatisfy { $0.hitchRatio == 0 })
  }

  @Test("What does not go with it is refused")
  func refused() {
    let changes: [(inout DestinationsSettings) -> Void] = [
      { $0.hosting.trace = "t" }, { $0.hosting.screenshot = "s" }, { $0.hosting.frames = 3 },
      { $0.hosting.clock = .timer }, { $0.hosting.clock = .vsync }, { $0.isStepGiven = true },
      { $0.answering.manner = .slow }, { $0.answering.failurePercentage = 1 },
    ]
    for change in changes {
      var settings = DestinationsSettings()
      settings.tellsStory = true
      change(&settings)
      #expect(throws: UsageError.self) { try settings.validate() }
    }
  }
}
