import Geometry
import TestSupport
import Testing

@testable import Hosting

@Suite("The option table reads a command line")
struct OptionTableTests {
  @Test("Without arguments every setting has its default")
  func defaults() throws {
    let parsed = try parse()
    #expect(parsed.operands.isEmpty)
    #expect(!parsed.settings.isHeadless)
    #expect(parsed.settings.clock == .auto)
    #expect(parsed.settings.renderer == .auto)
    #expect(parsed.settings.refreshHz == nil && parsed.settings.size == nil && parsed.settings.script == nil)
    #expect(parsed.settings.duration == nil && parsed.settings.frames == nil)
    #expect(parsed.settings.report == nil && parsed.settings.screenshot == nil)
    #expect(parsed.settings.overlay == 0 && parsed.settings.seed == 1 && !parsed.settings.reducesMotion)
  }

  @Test("Every option puts its value into its own setting")
  func values() throws {
    let settings = try parse(
      "--headless", "--clock", "cpu", "--renderer", "software", "--refresh", "119.88", "--size", "900x700", "--scroll",
      "flick:-8000", "--duration", "2.5", "--frames", "600", "--report", "-", "--screenshot", "a b.png", "--overlay",
      "4", "--seed", "18446744073709551615", "--reduce-motion"
    ).settings
    #expect(settings.isHeadless)
    #expect(settings.clock == .cpu)
    #expect(settings.renderer == .software)
    #expect(settings.refreshHz == 119.88)
    #expect(settings.size == Size(width: 900, height: 700))
    #expect(settings.script == .flick(speed: -8_000))
    #expect(settings.duration == 2.5)
    #expect(settings.frames == 600)
    #expect(settings.report == "-")
    #expect(settings.screenshot == "a b.png")
    #expect(settings.overlay == 4)
    #expect(settings.reducesMotion)
    #expect(settings.seed == .max)
  }

  @Test("A value may follow an equals sign, and hold more of them")
  func equalsSign() throws {
    let parsed = try parse("--clock=virtual", "--report=a=b.json", "folder")
    #expect(parsed.settings.clock == .virtual)
    #expect(parsed.settings.report == "a=b.json")
    #expect(parsed.operands == [Array("folder".utf8)])
  }

  @Test("Options and operands may be mixed; the last of two values counts")
  func order() throws {
    let parsed = try parse("one", "--seed", "2", "two", "--seed=3", "three")
    #expect(parsed.operands == ["one", "two", "three"].map { Array($0.utf8) })
    #expect(parsed.settings.seed == 3)
  }

  @Test("Everything behind two dashes is an operand, and so is one dash alone")
  func dashes() throws {
    let parsed = try parse("-", "--headless", "--", "--clock", "--", "-x")
    #expect(parsed.settings.isHeadless)
    #expect(parsed.settings.clock == .auto)
    #expect(parsed.operands == ["-", "--clock", "--", "-x"].map { Array($0.utf8) })
  }

  @Test("Operands are kept byte for byte, whatever bytes they are")
  func operandBytes() throws {
    var generator = SeededGenerator(seed: 7)
    let table = OptionTable(HostingOptions.table)
    for _ in 0..<500 {
      // Never beginning with a dash, which would make it an option.
      let operand: [UInt8] =
        [UInt8.random(in: 0x2E...0xFF, using: &generator)]
        + (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 1...0xFF, using: &generator) }
      let parsed = try table.parse([operand, Array("--headless".utf8), operand], into: HostingOptions())
      #expect(parsed.operands == [operand, operand])
      #expect(parsed.settings.isHeadless)
    }
    let parsed = try table.parse([Array("--".utf8), [0x2D, 0x2D, 0xFF]], into: HostingOptions())
    #expect(parsed.operands == [[0x2D, 0x2D, 0xFF]])
  }

  @Test("A value that is not UTF-8 is refused, not repaired into another file's name")
  func valueBytes() {
    let table = OptionTable(HostingOptions.table)
    for arguments in [[Array("--report".utf8), [0x61, 0xFF]], [Array("--report=a".utf8) + [0xFF]]] {
      let error = #expect(throws: UsageError.self) { try table.parse(arguments, into: HostingOptions()) }
      #expect(error?.description == "--report: its value is not UTF-8; text in UTF-8 is accepted")
    }
  }

  @Test("An option that lacks its value says what belongs there, and a switch takes none")
  func missingValue() {
    for option in HostingOptions.table {
      if let placeholder = option.placeholder {
        #expect(refusal("folder", option.name) == "\(option.name) needs a value: \(option.name) \(placeholder)")
      } else {
        #expect(refusal("\(option.name)=yes") == "\(option.name) takes no value")
      }
    }
  }

  @Test(
    "An unknown option is named, and the nearest known one with it",
    arguments: [
      ("--hedless", "unknown option --hedless; --help lists them"),
      ("--head", "unknown option --head (did you mean --headless?); --help lists them"),
      ("--refreshes=60", "unknown option --refreshes (did you mean --refresh?); --help lists them"),
      ("-h", "unknown option -h; --help lists them"), ("--é", "unknown option --é; --help lists them"),
    ])
  func unknown(argument: String, line: String) {
    #expect(refusal("--headless", argument, "folder") == line)
  }

  @Test("Options of one program's settings serve another's that hold them")
  func lifting() throws {
    struct Outer {
      var inner = HostingOptions()
      var own = 0
    }
    let table = OptionTable(
      HostingOptions.table.map { $0.scoped(to: \Outer.inner) } + [
        CommandOption<Outer>("--own", "N", "its own") { (settings, text) throws(UsageError) in
          settings.own = try OptionValue.integer(text, of: "--own", in: 0...9)
        }
      ])
    let parsed = try table.parse(["--own=4", "--headless", "--seed=9"].map { Array($0.utf8) }, into: Outer())
    #expect(parsed.settings.own == 4)
    #expect(parsed.settings.inner.isHeadless && parsed.settings.inner.seed == 9)
    #expect(table.options.map(\.placeholder) == HostingOptions.table.map(\.placeholder) + ["N"])
  }
}
