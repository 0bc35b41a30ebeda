public import FramePacing
import Glibc
import Threads

/// A program that shows a window: its command line, from the arguments to the exit status.
///
///     WindowProgram<HostingOptions>("numbers", summary: "Shows numbers.").main { options, surroundings in
///       let host = try surroundings.openHost(options, title: "Numbers")
///       defer { host.close() }
///       return try host.run(root: view, scrollView: view, figures: RunFigures(of: view)) { window, _ in … }
///     }
///
/// It takes options and no operands, knows `--help` and `--version`, and says what it cannot carry out in a line.
public struct WindowProgram<Settings: ProgramSettings> {
  /// What a command line comes to.
  private struct ParsedSettings {
    var settings = Settings()
    var wantsHelp = false
    var wantsVersion = false
  }

  private let name: String
  private let summary: String
  private let options: [CommandOption<Settings>]

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: what its executable is called.
  ///   - summary: what it shows, in a sentence or two for the help.
  ///   - options: its own, beside those that every program on the library has.
  public init(_ name: String, summary: String, options: [CommandOption<Settings>] = []) {
    self.name = name
    self.summary = summary
    self.options = options
  }

  /// Runs it with the process's arguments and ends the process.
  ///
  /// To be called on the process's first thread, before any other is started: 2 where the command line cannot be carried
  /// out, 1 when something failed while running, else what the body returns.
  ///
  /// - Parameter body: does what the settings ask for, as ``run(_:launch:interrupt:_:)`` says.
  public func main(_ body: (Settings, ProgramContext) throws -> Int32) -> Never {
    let launch = ProcessFigures.launchInstant()
    // Before any thread is started, so that all of them inherit it.
    Interrupt.blockSignals()
    let interrupt = Interrupt()
    do throws(ThreadError) {
      try interrupt.start()
    } catch {
      Console(program: name).printError("\(error)")
      exit(1)
    }
    exit(run(CommandLineArguments.current, launch: launch, interrupt: interrupt, body))
  }

  /// Runs it.
  ///
  /// - Parameters:
  ///   - arguments: the command line, without the program's name.
  ///   - launch: when the process was started, on the monotonic clock.
  ///   - interrupt: tells when the program is asked from outside to end; nobody does unless told.
  ///   - body: does what the settings ask for, once they are known not to contradict each other. Returns the exit status. A
  ///     `UsageError` that it throws is told as one of the command line, with status 2, all else with status 1.
  /// - Returns: the exit status.
  public func run(
    _ arguments: [[UInt8]], launch: FrameInstant, interrupt: Interrupt = Interrupt(),
    _ body: (Settings, ProgramContext) throws -> Int32
  ) -> Int32 {
    let console = Console(program: name)
    do {
      let parsed = try table.parse(arguments, into: ParsedSettings(), hosting: \.settings.hosting, of: name)
      if parsed.settings.wantsHelp {
        try console.print(help, for: "--help")
        return 0
      }
      if parsed.settings.wantsVersion {
        try console.print("\(name) \(Version.number)\n", for: "--version")
        return 0
      }
      if let operand = parsed.operands.first {
        throw UsageError("\(String(decoding: operand, as: UTF8.self)): only options are accepted; --help lists them")
      }
      var settings = parsed.settings.settings
      try settings.hosting.validate()
      try settings.validate()
      try settings.hosting.validateDestinations()
      settings.hosting.applyDesktopSettings()
      try ResourceLimits.current().validate()
      return try body(settings, ProgramContext(launch: launch, interrupt: interrupt, console: console))
    } catch let error as UsageError {
      console.printError(error.description)
      return 2
    } catch {
      console.printError("\(error)")
      return 1
    }
  }

  /// The options of the command line, in the order of the help.
  private var table: OptionTable<ParsedSettings> {
    OptionTable(
      options.map { $0.scoped(to: \.settings) } + HostingOptions.table.map { $0.scoped(to: \.settings.hosting) } + [
        CommandOption<ParsedSettings>(switch: "--version", "print the version") { $0.wantsVersion = true },
        CommandOption<ParsedSettings>(switch: "--help", "print this help") { $0.wantsHelp = true },
      ])
  }

  private var help: String {
    table.help(
      usage: "\(name) [options]", summary: summary,
      notes: ["In the window: F3 shows the frames' rate and hitches, F11 fills the screen, Ctrl+Q leaves."],
      columns: Console.columns)
  }
}
