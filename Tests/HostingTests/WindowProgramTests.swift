import Testing
import VitrineFramePacing
import VitrineGeometry

@testable import VitrineHosting

@Suite("A window program handles its command line and returns an exit status")
struct WindowProgramTests {
  private struct Settings: ProgramSettings {
    var common = HostingOptions()
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
  /// - Returns: The exit status, and the settings that the body received, or nil if the body was not called.
  private func run(
    _ words: [String], body: () throws -> Int32 = { 0 }
  ) -> (status: Int32, settings: Settings?) {
    var receivedSettings: Settings?
    let status = Self.program.run(words.map { Array($0.utf8) }, launch: MonotonicClock.now()) { settings, _ in
      receivedSettings = settings
      return try body()
    }
    return (status, receivedSettings)
  }

  @Test("The body receives the validated settings of the options, and its status is the program's")
  func body() {
    let (status, settings) = run(["--count", "3", "--headless"]) { 130 }
    #expect(status == 130 && settings?.count == 30 && settings?.hosting.isHeadless == true)
  }

  @Test(
    "An invalid command line ends with status 2 before the body is called",
    arguments: [
      ["--nonsense"], ["--count", "100"], ["--count", "7"], ["folder"], ["--", "--help"],
      ["--headless", "--clock", "vsync"], ["--screenshot", "/absent/shot.png"],
    ])
  func invalidCommandLines(words: [String]) {
    let (status, settings) = run(words)
    #expect(status == 2 && settings == nil)
  }

  @Test(
    "Help and version are printed instead of a run, in any combination with other arguments",
    arguments: ["--help", "--version"])
  func informationOptions(word: String) {
    let (status, settings) = run([word, "folder"])
    #expect(status == 0 && settings == nil)
    #expect(run([word, "--count", "3"]).status == 0 && run(["--count", "3", word]).status == 0)
  }

  @Test("A usage error of the body ends with status 2, and another failure with status 1")
  func failing() {
    #expect(run([]) { throw UsageError("no") }.status == 2)
    #expect(run([]) { throw HostError("no") }.status == 1)
  }

  @Test("A program without options of its own uses the shared options as its settings")
  func sharedOptions() {
    var width: Double?
    let status = WindowProgram<HostingOptions>("plain", summary: "Nothing.").run(
      ["--size", "500x400"].map { Array($0.utf8) }, launch: MonotonicClock.now()
    ) { options, environment in
      width = options.size?.width
      return environment.interrupt.isRaised ? 1 : 0
    }
    #expect(status == 0 && width == 500)
  }
}
