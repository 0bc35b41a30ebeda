import FramePacing
import Geometry
import Testing

@testable import Hosting

@Suite("A program that shows a window: its command line, to the exit status")
struct WindowProgramTests {
  private struct Settings: ProgramSettings {
    var hosting = HostingOptions()
    var count = 1

    mutating func validate() throws(UsageError) {
      guard count != 7 else { throw UsageError("--count 7: no seven") }
      count *= 10
    }
  }

  private static let program = WindowProgram<Settings>(
    "sheet", summary: "Shows nothing.",
    options: [
      CommandOption("--count", "N", "how many") { (settings, text) throws(UsageError) in
        settings.count = try OptionValue.integer(text, of: "--count", in: 0...99)
      }
    ])

  /// Runs the program.
  ///
  /// - Returns: the status, and the settings that its body was given, where it came to that.
  private func run(
    _ words: [String], body: () throws -> Int32 = { 0 }
  ) -> (status: Int32, settings: Settings?) {
    var given: Settings?
    let status = Self.program.run(words.map { Array($0.utf8) }, launch: MonotonicClock.now()) { settings, _ in
      given = settings
      return try body()
    }
    return (status, given)
  }

  @Test("The body is given what the options say, settled, and its status is the program's")
  func body() {
    let (status, settings) = run(["--count", "3", "--headless"]) { 130 }
    #expect(status == 130 && settings?.count == 30 && settings?.hosting.isHeadless == true)
  }

  @Test(
    "What cannot be carried out ends with status 2, and nothing is begun",
    arguments: [
      ["--nonsense"], ["--count", "100"], ["--count", "7"], ["folder"], ["--", "--help"],
      ["--headless", "--clock", "vsync"], ["--report", "/absent/report"],
    ])
  func refused(words: [String]) {
    let (status, settings) = run(words)
    #expect(status == 2 && settings == nil)
  }

  @Test("Help and version are told in place of a run, whatever stands beside them", arguments: ["--help", "--version"])
  func told(word: String) {
    let (status, settings) = run([word, "folder"])
    #expect(status == 0 && settings == nil)
    #expect(run([word, "--count", "3"]).status == 0 && run(["--count", "3", word]).status == 0)
  }

  @Test("A body that finds the command line wrong ends with status 2, one that fails with 1")
  func failing() {
    #expect(run([]) { throw UsageError("no") }.status == 2)
    #expect(run([]) { throw HostError("no") }.status == 1)
  }

  @Test("A program that can be told nothing of its own has the shared options for settings")
  func plain() {
    var width: Double?
    let status = WindowProgram<HostingOptions>("plain", summary: "Nothing.").run(
      ["--size", "500x400"].map { Array($0.utf8) }, launch: MonotonicClock.now()
    ) { options, surroundings in
      width = options.size?.width
      return surroundings.interrupt.isRaised ? 1 : 0
    }
    #expect(status == 0 && width == 500)
  }
}
