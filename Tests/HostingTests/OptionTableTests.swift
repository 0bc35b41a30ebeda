import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineHosting

@Suite("The option table parses a command line")
struct OptionTableTests {
  @Test("Without arguments every setting has its default")
  func defaults() throws {
    let parsed = try parse()
    #expect(parsed.operands.isEmpty)
    #expect(!parsed.settings.isHeadless)
    #expect(parsed.settings.clock == .auto)
    #expect(parsed.settings.renderer == .auto)
    #expect(parsed.settings.refreshHz == nil && parsed.settings.size == nil)
    #expect(parsed.settings.duration == nil && parsed.settings.frames == nil)
    #expect(parsed.settings.screenshot == nil)
    #expect(parsed.settings.seed == 1 && !parsed.settings.reducesMotion)
  }

  @Test("Every option sets its own setting")
  func values() throws {
    let settings = try parse(
      "--headless", "--clock", "cpu", "--renderer", "software", "--refresh", "119.88", "--size", "900x700",
      "--duration", "2.5", "--frames", "600", "--screenshot", "a b.png", "--seed", "18446744073709551615",
      "--reduce-motion"
    ).settings
    #expect(settings.isHeadless)
    #expect(settings.clock == .cpu)
    #expect(settings.renderer == .software)
    #expect(settings.refreshHz == 119.88)
    #expect(settings.size == Size(width: 900, height: 700))
    #expect(settings.duration == 2.5)
    #expect(settings.frames == 600)
    #expect(settings.screenshot == "a b.png")
    #expect(settings.reducesMotion)
    #expect(settings.seed == .max)
  }

  @Test("A value may follow an equals sign, and may contain further ones")
  func equalsSign() throws {
    let parsed = try parse("--clock=virtual", "--screenshot=a=b.png", "folder")
    #expect(parsed.settings.clock == .virtual)
    #expect(parsed.settings.screenshot == "a=b.png")
    #expect(parsed.operands == [Array("folder".utf8)])
  }

  @Test("Options and operands may be mixed, and the last of two values counts")
  func order() throws {
    let parsed = try parse("one", "--seed", "2", "two", "--seed=3", "three")
    #expect(parsed.operands == ["one", "two", "three"].map { Array($0.utf8) })
    #expect(parsed.settings.seed == 3)
  }

  @Test("Everything after two dashes is an operand, and so is a single dash")
  func dashes() throws {
    let parsed = try parse("-", "--headless", "--", "--clock", "--", "-x")
    #expect(parsed.settings.isHeadless)
    #expect(parsed.settings.clock == .auto)
    #expect(parsed.operands == ["-", "--clock", "--", "-x"].map { Array($0.utf8) })
  }

  @Test("Operands are preserved byte for byte")
  func operandBytes() throws {
    var generator = SeededGenerator(seed: 7)
    let table = OptionTable(HostingOptions.table)
    for _ in 0..<500 {
      // The first byte is never a dash, which would make the operand an option.
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

  @Test("A value that is not UTF-8 is rejected, not repaired into another file's name")
  func valueBytes() {
    let table = OptionTable(HostingOptions.table)
    for arguments in [[Array("--screenshot".utf8), [0x61, 0xFF]], [Array("--screenshot=a".utf8) + [0xFF]]] {
      let error = #expect(throws: UsageError.self) { try table.parse(arguments, into: HostingOptions()) }
      #expect(error?.description == "--screenshot: its value is not UTF-8; text in UTF-8 is accepted")
    }
  }

  @Test("A missing value is reported with its placeholder, and a switch rejects a value")
  func missingValue() {
    for option in HostingOptions.table {
      if let placeholder = option.placeholder {
        #expect(parseError("folder", option.name) == "\(option.name) needs a value: \(option.name) \(placeholder)")
      } else {
        #expect(parseError("\(option.name)=yes") == "\(option.name) takes no value")
      }
    }
  }

  @Test(
    "The error for an unknown option contains the nearest known one",
    arguments: [
      ("--hedless", "unknown option --hedless; --help lists them"),
      ("--head", "unknown option --head (did you mean --headless?); --help lists them"),
      ("--refreshes=60", "unknown option --refreshes (did you mean --refresh?); --help lists them"),
      ("-h", "unknown option -h; --help lists them"), ("--é", "unknown option --é; --help lists them"),
    ])
  func unknown(argument: String, line: String) {
    #expect(parseError("--headless", argument, "folder") == line)
  }

  @Test("Options can be scoped to the settings of a program that contain theirs")
  func scoping() throws {
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

// MARK: - Option extraction

@Suite("Extracting an option removes it from the command line and leaves the rest unchanged")
struct OptionExtractionTests {
  struct Settings {
    var name = ""
  }

  static let table = OptionTable<Settings>([
    CommandOption("--demo", "NAME", "another program") { (settings, text) throws(UsageError) in
      guard text != "none" else { throw UsageError("--demo none: some is accepted") }
      settings.name = text
    },
    CommandOption("--count", "N", "a number") { _, _ in },
  ])

  private func extract(_ words: [String]) throws(UsageError) -> (name: String, rest: [String])? {
    let found = try Self.table.extractOption("--demo", words.map { Array($0.utf8) }, into: Settings())
    return found.map { ($0.settings.name, $0.rest.map { String(decoding: $0, as: UTF8.self) }) }
  }

  nonisolated static let lines: [([String], [String])] = [
    (["--demo", "emoji"], []),
    (["--demo=emoji"], []),
    (["--headless", "--demo", "emoji", "--log", "-"], ["--headless", "--log", "-"]),
    (["--unknown=1", "--demo=emoji", "--help"], ["--unknown=1", "--help"]),
    (["--demo", "emoji", "--", "--demo", "x"], ["--", "--demo", "x"]),
    (["--count", "3", "--demo", "emoji"], ["--count", "3"]),
    (["--demos", "--demo", "emoji", "--demolish"], ["--demos", "--demolish"]),
  ]

  @Test("The remaining words keep their order", arguments: lines)
  func remainingWords(words: [String], rest: [String]) throws {
    let found = try #require(try extract(words))
    #expect(found.name == "emoji" && found.rest == rest)
  }

  @Test(
    "Extraction returns nil if the option is absent, is an operand or is the value of another option",
    arguments: [[], ["--count", "3"], ["--", "--demo", "emoji"], ["demo"], ["--count", "--demo", "emoji"]])
  func absent(words: [String]) throws { #expect(try extract(words) == nil) }

  @Test("A missing value, a rejected value and a second value are errors")
  func errors() {
    #expect(throws: UsageError("--demo needs a value: --demo NAME")) { try extract(["--demo"]) }
    #expect(throws: UsageError("--demo none: some is accepted")) { try extract(["--demo", "none"]) }
    #expect(throws: UsageError("--demo is given twice; once is accepted")) {
      try extract(["--demo=a", "--demo", "b"])
    }
  }
}

// MARK: - Help

@Suite("The help is generated from the option table")
struct OptionHelpTests {
  struct Settings {
    var isLoud = false
    var count = 0
  }

  static let table = OptionTable<Settings>([
    CommandOption("--count", "N", "how many there are, and a little more than fits into one line of the help") {
      (settings, text) throws(UsageError) in settings.count = try OptionValue.integer(text, of: "--count", in: 0...9)
    },
    CommandOption(switch: "--loud", "say it aloud") { $0.isLoud = true },
    CommandOption("--a-name-that-is-longer-than-its-column", "PLACE", "stands on a line of its own") { _, _ in },
  ])

  @Test("Names, placeholders and wrapped texts are in two columns")
  func text() {
    let help = Self.table.help(
      usage: "count [options]", summary: "Counts what is there and says it, in a summary that is wrapped as well.",
      notes: ["A note at the end."], columns: 60)
    #expect(
      help == """
        usage: count [options]

        Counts what is there and says it, in a summary that is
        wrapped as well.

          --count N                 how many there are, and a little
                                    more than fits into one line of
                                    the help
          --loud                    say it aloud
          --a-name-that-is-longer-than-its-column PLACE
                                    stands on a line of its own

        A note at the end.

        """)
  }

  @Test("The help contains every option, and no line is wider than the terminal", arguments: [40, 60, 80, 100, 200])
  func width(columns: Int) {
    let help = OptionTable(HostingOptions.table).help(usage: "program", summary: "Shows.", columns: columns)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { #expect(line.count <= columns, "\(line)") }
    for option in HostingOptions.table {
      let head = "  " + option.name + (option.placeholder.map { " " + $0 } ?? "")
      #expect(lines.contains { $0 == head || $0.hasPrefix(head + " ") }, "\(head)")
      // All words of the option's help, in order.
      let words = help.split(whereSeparator: \.isWhitespace)
      let text = option.help.split(separator: " ")
      #expect(words.indices.contains { words[$0...].starts(with: text) }, "\(option.name)")
    }
    #expect(help.hasSuffix("\n"))
  }

  @Test("A terminal without a width is treated as a narrow one")
  func noWidth() {
    let table = OptionTable(HostingOptions.table)
    #expect(
      table.help(usage: "p", summary: "S.", columns: 0) == table.help(usage: "p", summary: "S.", columns: 40))
    #expect(table.help(usage: "p", summary: "S.", columns: -1) == table.help(usage: "p", summary: "S.", columns: 1))
  }
}
