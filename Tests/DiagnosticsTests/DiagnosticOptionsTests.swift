import Testing
import VitrineHosting

@testable import VitrineDiagnostics

@Suite(
  "An invalid value of an option for diagnostics is rejected with one line that contains the value and what is accepted"
)
struct DiagnosticOptionsTests {
  /// Values that an option rejects, and the accepted values that the error must contain.
  nonisolated struct InvalidValues: Sendable, CustomTestStringConvertible {
    var option: String
    var values: [String]
    var accepted: [String]

    var testDescription: String { option }
  }

  nonisolated static let invalidValues = [
    InvalidValues(
      option: "--scroll",
      values: [
        "", "steady", "flick", "jump:3", "spiral", "steady:", "flick:0", "steady:nan", "flick:inf", "flick:1e8", "a",
      ],
      accepted: ["8000"]),
    InvalidValues(option: "--prefetch", values: ["", "yes", "On", "1"], accepted: ["on", "off"]),
    InvalidValues(option: "--cell-cost", values: ["", "-1", "10001", "nan", "ten"], accepted: ["from 0 to 10000"]),
    InvalidValues(option: "--upload-cost", values: ["", "-1", "10001", "nan", "ten"], accepted: ["from 0 to 10000"]),
    InvalidValues(option: "--report", values: [""], accepted: ["path"]),
    InvalidValues(option: "--trace", values: [""], accepted: ["path"]),
    InvalidValues(option: "--trace-hitch", values: ["", "-1", "60001", "nan", "ten"], accepted: ["from 0 to 60000"]),
    InvalidValues(option: "--record", values: [""], accepted: ["path"]),
    InvalidValues(option: "--replay", values: [""], accepted: ["path"]),
    InvalidValues(option: "--frame-log", values: [""], accepted: ["path"]),
    InvalidValues(option: "--overlay", values: ["", "-1", "5", "2.5", "full"], accepted: ["from 0 to 4"]),
  ]

  @Test("Each invalid value of each option is rejected", arguments: invalidValues)
  func rejectsInvalidValues(invalid: InvalidValues) throws {
    for value in invalid.values {
      for line in [parseError(invalid.option, value), parseError("\(invalid.option)=\(value)")] {
        let line = try #require(line, "\(invalid.option) accepts “\(value)”")
        #expect(line.hasPrefix(invalid.option))
        #expect(value.isEmpty || line.contains(value), "\(line)")
        for word in invalid.accepted { #expect(line.contains(word), "\(line)") }
        #expect(!line.contains("\n"))
      }
    }
  }

  @Test("The invalid values cover every option that has a value")
  func allOptions() {
    let hostingNames = Set(HostingOptions.table.map(\.name))
    let withValues = DiagnosticOptions.table.filter { !hostingNames.contains($0.name) && $0.placeholder != nil }.map(
      \.name)
    #expect(Set(Self.invalidValues.map(\.option)) == Set(withValues))
  }

  @Test("Every option sets its own setting, and those of the host are among them")
  func values() throws {
    let settings = try parse(
      "--headless", "--scroll", "flick:-8000", "--report=a=b.json", "--trace", "t", "--trace-hitch", "3", "--overlay",
      "4",
      "--prefetch", "off", "--cell-cost", "2.5", "--upload-cost", "1", "--frame-log", "l", "--frame-id-stripe"
    ).settings
    #expect(settings.hosting.isHeadless && settings.script == .flick(speed: -8_000) && settings.report == "a=b.json")
    #expect(settings.trace == "t" && settings.traceHitchThreshold == 3 && settings.overlay == 4)
    #expect(!settings.isCellPrefetchingEnabled && settings.cellCost == 2.5 && settings.uploadCost == 1)
    #expect(settings.frameLog == "l" && settings.drawsFrameNumbers)
    let defaults = try parse().settings
    #expect(defaults.script == nil && defaults.report == nil && defaults.overlay == 0)
    #expect(defaults.isCellPrefetchingEnabled && !defaults.drawsFrameNumbers)
  }

  @Test(
    "The error for conflicting options contains all of them",
    arguments: [
      (["--headless", "--clock", "vsync"], ["--headless", "--clock vsync", "auto, timer, virtual, cpu"]),
      (["--trace-hitch", "5"], ["--trace-hitch", "--trace FILE"]),
      (["--trace", "-", "--trace-hitch", "5"], ["--trace-hitch", "--trace FILE"]),
    ])
  func conflicts(words: [String], named: [String]) throws {
    let parsed = try OptionTable(DiagnosticOptions.table).parse(words.map { Array($0.utf8) }, into: DiagnosticOptions())
    let error = try #require(throws: UsageError.self) { try parsed.settings.validate() }
    for name in named { #expect(error.description.contains(name)) }
    #expect(!error.description.contains("\n"))
  }

  @Test("Two results cannot share a file or overwrite the replayed recording, but a device accepts both")
  func distinctDestinations() throws {
    var options = DiagnosticOptions()
    (options.report, options.trace) = ("-", "-")
    let error = #expect(throws: UsageError.self) { try options.validateDestinations() }
    #expect(error?.description == "--trace and --report both write to standard output; give each its own file")
    (options.report, options.trace) = ("/dev/null", "/dev/null")
    try options.validateDestinations()
    (options.replay, options.record) = ("run.jsonl", "run.jsonl")
    #expect(throws: UsageError.self) { try options.validateDestinations() }
  }
}

/// Parses a command line of the given words.
func parse(_ words: String...) throws(UsageError) -> OptionTable<DiagnosticOptions>.Parsed {
  try OptionTable(DiagnosticOptions.table).parse(words.map { Array($0.utf8) }, into: DiagnosticOptions())
}

/// Returns the error for a command line of the given words, or nil if the command line is accepted.
func parseError(_ words: String...) -> String? {
  do throws(UsageError) {
    _ = try OptionTable(DiagnosticOptions.table).parse(words.map { Array($0.utf8) }, into: DiagnosticOptions())
    return nil
  } catch {
    return error.description
  }
}
