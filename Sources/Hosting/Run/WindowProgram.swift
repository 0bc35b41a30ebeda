import Glibc
public import VitrineFramePacing
public import VitrineRendering
import VitrineThreads

/// A program that shows a window, from its command-line arguments to its exit status.
///
///     WindowProgram<HostingOptions>("numbers", summary: "Shows numbers.").main { options, context in
///       let host = try context.openHost(options, title: "Numbers")
///       defer { host.close() }
///       return try host.run(root: view, scrollView: view) { window, _ in … }
///     }
///
/// Settings whose common options are `DiagnosticOptions` add reports, traces, recordings and scripts.
///
/// The program accepts options but no operands, and implements `--help` and `--version`. An error is one line on
/// standard error.
public struct WindowProgram<Settings: ProgramSettings> {
  /// The settings that a command line specifies.
  private struct ParsedSettings {
    var settings = Settings()
    var isHelpRequested = false
    var isVersionRequested = false
  }

  private let name: String
  private let summary: String
  private let options: [CommandOption<Settings>]

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - name: The name of the executable.
  ///   - summary: The description for the help text, one or two sentences.
  ///   - options: The program's own options, in addition to the common ones.
  public init(_ name: String, summary: String, options: [CommandOption<Settings>] = []) {
    self.name = name
    self.summary = summary
    self.options = options
  }

  /// Runs the program with the process's arguments and exits.
  ///
  /// Call this on the process's first thread before starting any other. The exit status is 2 if the command line is
  /// invalid, 1 if the run fails, and otherwise the value that the body returns.
  ///
  /// - Parameter body: The program's work, as for ``run(_:launch:interrupt:_:)``.
  public func main(_ body: (Settings, ProgramContext) throws -> Int32) -> Never {
    let launch = ProcessFigures.launchInstant()
    // Before any thread is started, because threads inherit the signal mask.
    Interrupt.blockSignals()
    let interrupt = Interrupt()
    if MainQueue() == nil {
      Console(program: name).printError("main() is async, so tasks of the main actor will not run; make it synchronous")
    }
    do throws(ThreadError) {
      try interrupt.start()
    } catch {
      Console(program: name).printError("\(error)")
      exit(1)
    }
    exit(run(CommandLineArguments.current, launch: launch, interrupt: interrupt, body))
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - arguments: The command line, without the program's name.
  ///   - launch: The time at which the process started, on the monotonic clock.
  ///   - interrupt: The flag that requests the end of the run. By default, one that is never raised.
  ///   - body: The program's work, called with validated settings. It returns the exit status. If it throws a
  ///     `UsageError`, the status is 2, for any other error 1.
  /// - Returns: The exit status.
  public func run(
    _ arguments: [[UInt8]], launch: FrameInstant, interrupt: Interrupt = Interrupt(),
    _ body: (Settings, ProgramContext) throws -> Int32
  ) -> Int32 {
    let console = Console(program: name)
    do {
      let parsed = try Settings.Common.parse(
        arguments, with: table, into: ParsedSettings(), at: \.settings.common, of: name)
      if parsed.settings.isHelpRequested {
        try console.print(help, for: "--help")
        return 0
      }
      if parsed.settings.isVersionRequested {
        try console.print("\(name) \(Version.number)\n", for: "--version")
        return 0
      }
      if let operand = parsed.operands.first {
        throw UsageError("\(String(decoding: operand, as: UTF8.self)): only options are accepted; --help lists them")
      }
      var settings = parsed.settings.settings
      try settings.common.validate()
      try settings.validate()
      try settings.common.validateDestinations()
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

  /// The options of the command line, in the order of the help text.
  private var table: OptionTable<ParsedSettings> {
    OptionTable(
      options.map { $0.scoped(to: \.settings) } + Settings.Common.table.map { $0.scoped(to: \.settings.common) } + [
        CommandOption<ParsedSettings>(switch: "--version", "print the version") { $0.isVersionRequested = true },
        CommandOption<ParsedSettings>(switch: "--help", "print this help") { $0.isHelpRequested = true },
      ])
  }

  private var help: String {
    table.help(
      usage: "\(name) [options]", summary: summary,
      notes: [Settings.Common.keyHelp],
      columns: Console.columns)
  }
}

/// The settings of a program that shows a window.
@MainActor
public protocol ProgramSettings {
  /// The type of the options that the program has in common with others: ``HostingOptions``, or options that contain
  /// them.
  associatedtype Common: CommonOptions

  /// Creates the default settings.
  init()
  /// The options that the program has in common with others.
  var common: Common { get set }
  /// Checks that no options contradict each other, and derives the settings that depend on others.
  mutating func validate() throws(UsageError)
}

extension ProgramSettings {
  /// Accepts all combinations of options.
  public mutating func validate() throws(UsageError) {}

  /// The settings of the window and the run.
  public var hosting: HostingOptions {
    get { common.hosting }
    set { common.hosting = newValue }
  }
}

/// The settings of a program without options of its own.
extension HostingOptions: ProgramSettings {
  /// The settings themselves.
  public var common: HostingOptions {
    get { self }
    set { self = newValue }
  }
}

/// The context of a program before it opens a window.
public struct ProgramContext {
  /// The time at which the process started, on the monotonic clock.
  public let launch: FrameInstant
  /// The flag that a signal raises to request the end of the run.
  public let interrupt: Interrupt
  /// The program's standard output and error.
  public let console: Console

  /// Creates a context.
  public init(launch: FrameInstant, interrupt: Interrupt, console: Console) {
    self.launch = launch
    self.interrupt = interrupt
    self.console = console
  }

  /// Opens the display that the options specify.
  ///
  /// - Parameters:
  ///   - options: The settings of the run.
  ///   - title: The window's title.
  ///   - observer: The object that measures or controls the run. Default: nil.
  /// - Returns: A host that runs a root view. The caller must close it.
  /// - Throws: `DisplayError` if no display is available.
  public func openHost(
    _ options: HostingOptions, title: String, observer: (any RunObserver)? = nil
  ) throws(DisplayError) -> Host {
    try Host(options: options, title: title, launch: launch, interrupt: interrupt, observer: observer)
  }
}

/// The version of the library and its programs, according to semantic versioning.
public enum Version {
  /// The version number.
  public static let number = "0.1.0"
}
