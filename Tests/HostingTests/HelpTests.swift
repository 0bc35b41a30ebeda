import Testing

@testable import Hosting

@Suite("The help is written by the table that parses")
struct HelpTests {
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

  @Test("Names, placeholders and wrapped texts in two columns")
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

  @Test("Every option stands in it, and no line is wider than the terminal", arguments: [40, 60, 80, 100, 200])
  func width(columns: Int) {
    let help = OptionTable(HostingOptions.table).help(usage: "program", summary: "Shows.", columns: columns)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { #expect(line.count <= columns, "\(line)") }
    for option in HostingOptions.table {
      let head = "  " + option.name + (option.placeholder.map { " " + $0 } ?? "")
      #expect(lines.contains { $0 == head || $0.hasPrefix(head + " ") }, "\(head)")
      // All of its words, in their order.
      let words = help.split(whereSeparator: \.isWhitespace)
      let text = option.help.split(separator: " ")
      #expect(words.indices.contains { words[$0...].starts(with: text) }, "\(option.name)")
    }
    #expect(help.hasSuffix("\n"))
  }

  @Test("A terminal of no width at all is written to as if it were a narrow one")
  func degenerate() {
    let table = OptionTable(HostingOptions.table)
    #expect(
      table.help(usage: "p", summary: "S.", columns: 0) == table.help(usage: "p", summary: "S.", columns: 40))
    #expect(table.help(usage: "p", summary: "S.", columns: -1) == table.help(usage: "p", summary: "S.", columns: 1))
  }
}
