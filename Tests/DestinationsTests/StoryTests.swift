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
    // A clock on which no frame can be late.
    let unseen = StoryText(chapters: [StoryChapter(step: .preparing)])
    #expect(unseen.json.contains("\"ratioMsPerS\": null,") && unseen.table.contains("  not measured  not measured  "))
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
    let folder = NSTemporaryDirectory() + "vitrine-story-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    settings.hosting.trace = folder + "/trace.json"
    let surroundings = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    let chapters = try Story(settings, in: surroundings).run()
    #expect(chapters.map(\.step) == Step.allCases)
    for step in 1...6 {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/trace-step-\(step).json"))
      let trace = try TraceChecker(bytes)
      #expect(trace.faults.isEmpty && trace.frames > 60 && trace.decodes > 4, "step \(step): \(trace.faults)")
    }
    let decodes = chapters.map(\.decodedOnRenderThread)
    #expect(decodes[..<3].allSatisfy { $0 > 4 } && decodes[3...].allSatisfy { $0 == 0 }, "\(decodes)")
    let waits = chapters.map(\.placeholderTime)
    #expect(waits[0] < waits[5] && waits[3] > waits[4] && waits[4] > waits[5], "\(waits)")
  }

  @Test(
    "Told by the time that the thread that draws has worked: late frames where it decodes, hardly any where it does not"
  )
  func worked() throws {
    let folder = NSTemporaryDirectory() + "vitrine-story-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let size = PixelSize(width: 3_000, height: 2_000)
    for (name, bytes) in try DestinationsBench.pictures(size: size) {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name + ".jpg"))
    }
    var settings = DestinationsSettings()
    settings.tellsStory = true
    settings.folder = folder
    settings.count = 60
    settings.hosting.duration = 1.5
    settings.hosting.size = Size(width: 480, height: 360)
    settings.hosting.script = .steady(speed: 1_200)
    let surroundings = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    let chapters = try Story(settings, in: surroundings).run()
    let ratios = chapters.compactMap(\.hitchRatio)
    // By how much depends on the machine; that it is less does not.
    #expect(ratios.count == 6 && ratios[5] < ratios[0], "\(ratios)")
    #expect(try #require(chapters[0].longestHitch) > #require(chapters[5].longestHitch), "\(chapters)")
    let decodes = chapters.map(\.decodedOnRenderThread)
    // How many fit into the run depends on the machine.
    #expect(decodes[..<3].allSatisfy { $0 > 0 } && decodes[3...].allSatisfy { $0 == 0 }, "\(decodes)")
  }

  @Test("Where nothing is scrolled that is told, and not that there were no late frames")
  func still() throws {
    var settings = DestinationsSettings()
    settings.tellsStory = true
    settings.paintedCount = 1
    settings.paintedSide = 64
    settings.count = 0
    settings.hosting.clock = .virtual
    settings.hosting.steps = [.wait(0.1)]
    settings.hosting.duration = 0.2
    let surroundings = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    #expect(throws: HostError.self) { try Story(settings, in: surroundings).run() }
  }

  @Test("What does not go with it is refused")
  func refused() {
    let changes: [(inout DestinationsSettings) -> Void] = [
      { $0.hosting.trace = "-" }, { $0.hosting.record = "r" }, { $0.hosting.screenshot = "s" },
      { $0.hosting.frames = 3 },
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
