import Testing

@testable import Hosting

@Suite("An option that hands the command line over takes itself out of it and leaves all else")
struct HandingOverTests {
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

  private func handOver(_ words: [String]) throws(UsageError) -> (name: String, rest: [String])? {
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

  @Test("What is left stands as it stood", arguments: lines)
  func rest(words: [String], rest: [String]) throws {
    let found = try #require(try handOver(words))
    #expect(found.name == "emoji" && found.rest == rest)
  }

  @Test(
    "Without it nothing is handed over, nor where it stands for another's value",
    arguments: [[], ["--count", "3"], ["--", "--demo", "emoji"], ["demo"], ["--count", "--demo", "emoji"]])
  func absent(words: [String]) throws { #expect(try handOver(words) == nil) }

  @Test("No value, one that is not taken, and a second one are refused")
  func refused() {
    #expect(throws: UsageError("--demo needs a value: --demo NAME")) { try handOver(["--demo"]) }
    #expect(throws: UsageError("--demo none: some is accepted")) { try handOver(["--demo", "none"]) }
    #expect(throws: UsageError("--demo is given twice; once is accepted")) {
      try handOver(["--demo=a", "--demo", "b"])
    }
  }
}
