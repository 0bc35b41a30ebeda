import Testing
import VitrineFramePacing
import VitrineImagePipeline

@testable import VitrineHosting

@Suite("An invalid value is rejected with one line that contains the value and what is accepted")
struct HostingOptionsTests {
  /// Values that an option rejects, and the accepted values that the error must contain.
  nonisolated struct InvalidValues: Sendable, CustomTestStringConvertible {
    var option: String
    var values: [String]
    var accepted: [String]

    var testDescription: String { option }
  }

  nonisolated static let invalidValues = [
    InvalidValues(
      option: "--clock", values: ["", "real", "Virtual", "cpu "],
      accepted: ["auto", "vsync", "timer", "virtual", "cpu"]),
    InvalidValues(
      option: "--renderer", values: ["", "vulkan", "OpenGL"],
      accepted: ["auto", "sdl", "memory", "opengl", "opengles2"]),
    InvalidValues(
      option: "--refresh", values: ["", "0", "-60", "1000.5", "nan", "inf", "sixty", "60 Hz"],
      accepted: ["from 1 to 1000"]),
    InvalidValues(
      option: "--size",
      values: ["", "1280", "1280x", "x800", "1280x800x2", "0x0", "15x800", "800x15", "16385x800", "12.5x40", "-1x-1"],
      accepted: ["WIDTHxHEIGHT", "16", "16384"]),
    InvalidValues(
      option: "--cpu-scale", values: ["", "0", "-1", "101", "nan", "twice"], accepted: ["from 0.01 to 100"]),
    InvalidValues(
      option: "--duration", values: ["", "0", "-1", "1e9", "nan", "ten"], accepted: ["from 0.001 to 1000000"]),
    InvalidValues(
      option: "--frames", values: ["", "0", "-5", "1.5", "1e3", "2000000000"], accepted: ["from 1 to 1000000000"]),
    InvalidValues(option: "--screenshot", values: [""], accepted: ["path"]),
    InvalidValues(
      option: "--seed", values: ["", "-1", "1.5", "18446744073709551616", "x"],
      accepted: ["from 0 to 18446744073709551615"]),
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
    let withValues = HostingOptions.table.filter { $0.placeholder != nil }.map(\.name)
    #expect(Set(Self.invalidValues.map(\.option)) == Set(withValues))
  }

  @Test(
    "The error for conflicting options contains all of them",
    arguments: [
      (["--headless", "--clock", "vsync"], ["--headless", "--clock vsync", "auto, timer, virtual, cpu"]),
      (["--renderer=opengl", "--headless"], ["--headless", "--renderer opengl", "auto, sdl, memory"]),
      (["--headless", "--renderer=opengles2"], ["--headless", "--renderer opengles2", "auto, sdl, memory"]),
    ])
  func conflicts(words: [String], named: [String]) throws {
    let parsed = try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
    let error = try #require(throws: UsageError.self) { try parsed.settings.validate() }
    for name in named { #expect(error.description.contains(name)) }
    #expect(!error.description.contains("\n"))
  }

  @Test("Compatible options are accepted")
  func noConflicts() throws {
    for clock in ClockChoice.allCases {
      for renderer in RendererChoice.allCases {
        for isHeadless in [false, true] {
          var options = HostingOptions()
          options.clock = clock
          options.renderer = renderer
          options.isHeadless = isHeadless
          let conflicts = isHeadless && (clock == .vsync || renderer == .opengl || renderer == .opengles2)
          if conflicts {
            #expect(throws: UsageError.self) { try options.validate() }
          } else {
            try options.validate()
          }
        }
      }
    }
  }
}

@Suite("Decoding options: the number of workers and the delay")
struct DecodingOptionsTests {
  private func parse(_ words: String...) throws -> DecodingOptions {
    try OptionTable(DecodingOptions.table).parse(words.map { Array($0.utf8) }, into: DecodingOptions()).settings
  }

  @Test("By default there is one worker per core, and the same number on every machine in simulated time")
  func defaults() throws {
    let live = try parse().configuration(isSimulated: false)
    #expect(live.mode == .live && live.workers >= 2 && live.decodeDelay == .zero)
    let modelled = try parse().configuration(isSimulated: true)
    #expect(modelled.mode == .modelled && modelled.workers == 2)
  }

  @Test("Explicit decoding options apply to every clock", arguments: [true, false])
  func explicitValues(isSimulated: Bool) throws {
    let configuration = try parse("--workers", "5", "--decode-delay", "12.5").configuration(isSimulated: isSimulated)
    #expect(configuration.workers == 5 && configuration.decodeDelay == .milliseconds(12.5))
  }

  @Test("Decoding options outside their range are rejected")
  func rejectsInvalidValues() {
    for words in [("--workers", "0"), ("--workers", "65"), ("--decode-delay", "-1"), ("--decode-delay", "nan")] {
      #expect(throws: UsageError.self) { try parse(words.0, words.1) }
    }
  }
}

/// Parses a command line of the given words.
func parse(_ words: String...) throws(UsageError) -> OptionTable<HostingOptions>.Parsed {
  try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
}

/// Returns the error for a command line of the given words, or nil if the command line is accepted.
func parseError(_ words: String...) -> String? {
  do throws(UsageError) {
    _ = try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
    return nil
  } catch {
    return error.description
  }
}
