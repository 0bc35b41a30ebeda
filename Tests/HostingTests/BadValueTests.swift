import Testing

@testable import Hosting

@Suite("A bad value is refused with one line that names it and says what is accepted")
struct BadValueTests {
  /// Values that an option refuses, and what its line must say is accepted.
  nonisolated struct Refused: Sendable, CustomTestStringConvertible {
    var option: String
    var values: [String]
    var accepted: [String]

    var testDescription: String { option }
  }

  nonisolated static let refused = [
    Refused(
      option: "--clock", values: ["", "real", "Virtual", "cpu "],
      accepted: ["auto", "vsync", "timer", "virtual", "cpu"]),
    Refused(
      option: "--renderer", values: ["", "vulkan", "OpenGL"],
      accepted: ["auto", "sdl", "memory", "opengl", "opengles2"]),
    Refused(
      option: "--refresh", values: ["", "0", "-60", "1000.5", "nan", "inf", "sixty", "60 Hz"],
      accepted: ["from 1 to 1000"]),
    Refused(
      option: "--size",
      values: ["", "1280", "1280x", "x800", "1280x800x2", "0x0", "15x800", "800x15", "16385x800", "12.5x40", "-1x-1"],
      accepted: ["WIDTHxHEIGHT", "16", "16384"]),
    Refused(
      option: "--scroll",
      values: [
        "", "steady", "flick", "jump:3", "spiral", "steady:", "flick:0", "steady:nan", "flick:inf", "flick:1e8", "a",
      ],
      accepted: ["8000"]),
    Refused(option: "--cpu-scale", values: ["", "0", "-1", "101", "nan", "twice"], accepted: ["from 0.01 to 100"]),
    Refused(option: "--duration", values: ["", "0", "-1", "1e9", "nan", "ten"], accepted: ["from 0.001 to 1000000"]),
    Refused(
      option: "--frames", values: ["", "0", "-5", "1.5", "1e3", "2000000000"], accepted: ["from 1 to 1000000000"]),
    Refused(option: "--prefetch", values: ["", "yes", "On", "1"], accepted: ["on", "off"]),
    Refused(option: "--cell-cost", values: ["", "-1", "10001", "nan", "ten"], accepted: ["from 0 to 10000"]),
    Refused(option: "--upload-cost", values: ["", "-1", "10001", "nan", "ten"], accepted: ["from 0 to 10000"]),
    Refused(option: "--report", values: [""], accepted: ["path"]),
    Refused(option: "--trace", values: [""], accepted: ["path"]),
    Refused(option: "--trace-hitch", values: ["", "-1", "60001", "nan", "ten"], accepted: ["from 0 to 60000"]),
    Refused(option: "--record", values: [""], accepted: ["path"]),
    Refused(option: "--replay", values: [""], accepted: ["path"]),
    Refused(option: "--frame-log", values: [""], accepted: ["path"]),
    Refused(option: "--screenshot", values: [""], accepted: ["path"]),
    Refused(option: "--overlay", values: ["", "-1", "5", "2.5", "full"], accepted: ["from 0 to 4"]),
    Refused(
      option: "--seed", values: ["", "-1", "1.5", "18446744073709551616", "x"],
      accepted: ["from 0 to 18446744073709551615"]),
  ]

  @Test("Each value of each option", arguments: refused)
  func lines(refused: Refused) throws {
    for value in refused.values {
      for line in [refusal(refused.option, value), refusal("\(refused.option)=\(value)")] {
        let line = try #require(line, "\(refused.option) took “\(value)”")
        #expect(line.hasPrefix(refused.option))
        #expect(value.isEmpty || line.contains(value), "\(line)")
        for word in refused.accepted { #expect(line.contains(word), "\(line)") }
        #expect(!line.contains("\n"))
      }
    }
  }

  @Test("No option that has a value is left out above")
  func allOptions() {
    let withValues = HostingOptions.table.filter { $0.placeholder != nil }.map(\.name)
    #expect(Set(Self.refused.map(\.option)) == Set(withValues))
  }

  @Test(
    "Options that contradict each other are named together",
    arguments: [
      (["--headless", "--clock", "vsync"], ["--headless", "--clock vsync", "auto, timer, virtual, cpu"]),
      (["--renderer=opengl", "--headless"], ["--headless", "--renderer opengl", "auto, sdl, memory"]),
      (["--headless", "--renderer=opengles2"], ["--headless", "--renderer opengles2", "auto, sdl, memory"]),
      (["--trace-hitch", "5"], ["--trace-hitch", "--trace FILE"]),
      (["--trace", "-", "--trace-hitch", "5"], ["--trace-hitch", "--trace FILE"]),
    ])
  func contradictions(words: [String], named: [String]) throws {
    let parsed = try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
    let error = try #require(throws: UsageError.self) { try parsed.settings.validate() }
    for name in named { #expect(error.description.contains(name)) }
    #expect(!error.description.contains("\n"))
  }

  @Test("Options that go together are accepted")
  func noContradictions() throws {
    for clock in ClockChoice.allCases {
      for renderer in RendererChoice.allCases {
        for isHeadless in [false, true] {
          var options = HostingOptions()
          options.clock = clock
          options.renderer = renderer
          options.isHeadless = isHeadless
          let contradicts = isHeadless && (clock == .vsync || renderer == .opengl || renderer == .opengles2)
          if contradicts {
            #expect(throws: UsageError.self) { try options.validate() }
          } else {
            try options.validate()
          }
        }
      }
    }
  }
}
