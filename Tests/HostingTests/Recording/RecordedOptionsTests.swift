import Foundation
import Testing

@testable import Hosting

@Suite("A recording's settings stand before those of the command line")
struct RecordedOptionsTests {
  static let table = OptionTable(HostingOptions.table)

  /// Parses a command line with a recording in a file of its own.
  private func parse(
    _ words: [String], replaying recording: Recording, of program: String = "test"
  ) throws -> HostingOptions {
    let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
    try RecordingWriter.bytes(of: recording).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Self.table.parse(
      (["--replay", path] + words).map { Array($0.utf8) }, into: HostingOptions(), hosting: \.self, of: program
    ).settings
  }

  @Test("Without a word more all is as recorded, without a window, on the virtual clock")
  func plain() throws {
    let options = try parse(
      [],
      replaying: RecordingReaderTests.recording(
        options: [ParsedOption("--seed", "3"), ParsedOption("--reduce-motion"), ParsedOption("--cell-cost", "2.5")]))
    #expect(options.seed == 3 && options.reducesMotion && options.cellCost == 2.5)
    #expect(options.isHeadless && options.clock == .virtual)
    #expect(options.loadedReplay?.overridden == [])
    #expect(options.loadedReplay?.operands == [Array("a".utf8)])
  }

  @Test("Every option that writes a file stays out of a recording, with what only goes with it")
  func writing() {
    let words = ["--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--record", "--cache-dir"]
    let given = words.map { ParsedOption($0, "8") } + [ParsedOption("--seed", "3")]
    #expect(RecordedOptions.settings(given: given, settled: []) == [ParsedOption("--seed", "3")])
    #expect(RecordedOptions.overrides(given: [ParsedOption("--trace-hitch", "8")], recorded: []).isEmpty)
  }

  @Test("What is told otherwise counts, and is named once; what says the same, or where results go, is none")
  func overridden() throws {
    let recording = RecordingReaderTests.recording()
    let options = try parse(
      ["--seed=3", "--refresh", "120", "--refresh", "144", "--headless", "--report", "-", "--clock", "virtual"],
      replaying: recording)
    #expect(options.refreshHz == 144 && options.report == "-")
    #expect(options.loadedReplay?.overridden == ["--refresh"])
    #expect(
      try parse(["--seed", "4", "--clock", "cpu"], replaying: recording).loadedReplay?.overridden == [
        "--seed", "--clock",
      ])
    #expect(try parse(["--duration", "1"], replaying: recording).loadedReplay?.overridden == ["--duration"])
  }

  @Test("Settings that a command line takes the place of are left out")
  func replaced() throws {
    let recording = RecordingReaderTests.recording()
    let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
    try RecordingWriter.bytes(of: recording).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let parsed = try Self.table.parse(
      ["--replay", path, "folder"].map { Array($0.utf8) }, into: HostingOptions(), hosting: \.self, of: "test"
    ) { $0.operands.isEmpty ? [] : ["--seed"] }
    #expect(parsed.settings.seed == HostingOptions().seed && parsed.settings.reducesMotion)
  }

  @Test("A real clock, another program's recording and settings that are none are refused")
  func refused() {
    #expect(throws: UsageError("--clock timer: --replay runs on virtual (default) or cpu")) {
      try parse(["--clock", "timer"], replaying: RecordingReaderTests.recording())
    }
    #expect(throws: UsageError.self) { try parse([], replaying: RecordingReaderTests.recording(program: "other")) }
    let wild = RecordingReaderTests.recording(options: [ParsedOption("--seed", "none")])
    #expect(throws: UsageError.self) { try parse([], replaying: wild) }
    let unknown = RecordingReaderTests.recording(options: [ParsedOption("--unknown")])
    #expect(throws: UsageError.self) { try parse([], replaying: unknown) }
  }

  @Test("Of each option the last counts, and what was settled takes its place; a script file is kept by what it says")
  func settings() {
    let given = [
      ParsedOption("--columns", "3"), ParsedOption("--report", "-"), ParsedOption("--size", "20x20"),
      ParsedOption("--columns", "4"), ParsedOption("--scroll", "steps.JSON"), ParsedOption("--headless"),
    ]
    #expect(
      RecordedOptions.settings(given: given, settled: [ParsedOption("--size", "640x480")]) == [
        ParsedOption("--columns", "4"), ParsedOption("--size", "640x480"),
      ])
    #expect(RecordedOptions.isRecorded(ParsedOption("--scroll", "mixed")))
  }
}
