import CollectionUI
import ExampleSupport
import Foundation
import PictureServer
import Testing
import VitrineDiagnostics
import VitrineHosting
import VitrineTestSupport

@testable import vitrine_destinations

@Suite("The comparison of the six steps")
struct StepComparisonTests {
  static let results = Step.allCases.map { step in
    StepResult(
      step: step, hitchRatio: 12.3456 / Double(step.rawValue), longestHitch: 3.5, placeholderTime: 1_234.56,
      decodedOnRenderThread: 7)
  }

  @Test("The JSON report has an object with five values for each step")
  func json() throws {
    let text = StepReport(results: Self.results).json
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Double]]])
    let steps = try #require(object["steps"])
    #expect(object.count == 1 && steps.map { $0["step"] } == [1, 2, 3, 4, 5, 6])
    let names = ["step", "ratioMsPerS", "longestHitchMs", "placeholderCellMs", "decodedOnRenderThread"]
    #expect(steps.allSatisfy { Set($0.keys) == Set(names) })
    #expect(steps[0]["ratioMsPerS"] == 12.346 && steps[0]["placeholderCellMs"] == 1_234.6)
    #expect(StepReport(results: []).json.contains("\"steps\""))
    // The clock does not measure costs.
    let unmeasured = StepReport(results: [StepResult(step: .preparing)])
    #expect(
      unmeasured.json.contains("\"ratioMsPerS\": null,") && unmeasured.table.contains("  not measured  not measured  "))
  }

  @Test("The table has one line per step, with aligned columns")
  func table() {
    let lines = StepReport(results: Self.results).table.split(separator: "\n")
    #expect(lines.count == 7 && Set(lines.map(\.count)).count == 1 && lines.allSatisfy { $0.count <= 100 })
    for (step, line) in zip(Step.allCases, lines.dropFirst()) {
      #expect(line.contains(step.title) && line.contains("1235 ms") && line.hasSuffix(" 7"))
    }
  }

  @Test("On the virtual clock, only the first three steps decode on the render thread")
  func virtualClock() throws {
    var settings = DestinationsSettings()
    settings.comparesSteps = true
    settings.generatedCount = 4
    settings.generatedLongSide = 240
    settings.count = 60
    settings.hosting.clock = .virtual
    settings.hosting.duration = 1.2
    settings.hosting.size = Size(width: 480, height: 360)
    settings.common.script = .steady(speed: 1_200)
    let folder = NSTemporaryDirectory() + "vitrine-story-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    settings.common.trace = folder + "/trace.json"
    let context = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    let results = try StepComparison(settings, in: context).run()
    #expect(results.map(\.step) == Step.allCases)
    for step in 1...6 {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/trace-step-\(step).json"))
      let trace = try TraceChecker(bytes)
      #expect(trace.faults.isEmpty && trace.frames > 60 && trace.decodes > 4, "step \(step): \(trace.faults)")
    }
    let decodes = results.map(\.decodedOnRenderThread)
    #expect(decodes[..<3].allSatisfy { $0 > 4 } && decodes[3...].allSatisfy { $0 == 0 }, "\(decodes)")
    let placeholderTimes = results.map(\.placeholderTime)
    #expect(
      placeholderTimes[0] < placeholderTimes[5] && placeholderTimes[3] > placeholderTimes[4]
        && placeholderTimes[4] > placeholderTimes[5], "\(placeholderTimes)")
  }

  @Test(
    "On the cpu clock, the first step hitches more than the last"
  )
  func cpuClock() throws {
    let folder = NSTemporaryDirectory() + "vitrine-story-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // So small that several frames fit into the run on a slow machine, and so full of details that each decode is late.
    let size = PixelSize(width: 3_600, height: 2_400)
    for (name, bytes) in try DestinationsHarness.pictures(size: size, isDetailed: true) {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name + ".jpg"))
    }
    var settings = DestinationsSettings()
    settings.comparesSteps = true
    settings.folder = folder
    settings.count = 60
    settings.hosting.duration = 1
    settings.hosting.size = Size(width: 480, height: 360)
    settings.common.script = .steady(speed: 1_200)
    let context = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    let results = try StepComparison(settings, in: context).run()
    let ratios = results.compactMap(\.hitchRatio)
    // The difference depends on the machine, its sign does not.
    #expect(ratios.count == 6 && ratios[5] < ratios[0], "\(ratios)")
    #expect(try #require(results[0].longestHitch) > #require(results[5].longestHitch), "\(results)")
    let decodes = results.map(\.decodedOnRenderThread)
    // The number of pictures in a run depends on the machine.
    #expect(decodes[..<3].allSatisfy { $0 > 0 } && decodes[3...].allSatisfy { $0 == 0 }, "\(decodes)")
  }

  @Test("A comparison without scrolling throws an error")
  func withoutScrolling() throws {
    var settings = DestinationsSettings()
    settings.comparesSteps = true
    settings.generatedCount = 1
    settings.generatedLongSide = 64
    settings.count = 0
    settings.hosting.clock = .virtual
    settings.common.steps = [.wait(0.1)]
    settings.hosting.duration = 0.2
    let context = ProgramContext(
      launch: MonotonicClock.now(), interrupt: Interrupt(), console: Console(program: "test"))
    #expect(throws: HostError.self) { try StepComparison(settings, in: context).run() }
  }

  @Test("Options that cannot be combined with --story are refused")
  func invalidOptions() {
    let changes: [(inout DestinationsSettings) -> Void] = [
      { $0.common.trace = "-" }, { $0.common.record = "r" }, { $0.hosting.screenshot = "s" },
      { $0.hosting.frames = 3 },
      { $0.hosting.clock = .timer }, { $0.hosting.clock = .vsync }, { $0.isStepGiven = true },
      { $0.server.mode = .slow }, { $0.server.failurePercentage = 1 },
    ]
    for change in changes {
      var settings = DestinationsSettings()
      settings.comparesSteps = true
      change(&settings)
      #expect(throws: UsageError.self) { try settings.validate() }
    }
  }
}
