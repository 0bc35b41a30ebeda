import CollectionUI
public import FramePacing
import Glibc
public import Hosting
import Rendering
import Views

/// One run of an example, from its arguments to its exit status: all that is the same for every program on the library.
public struct ExampleProgram<E: Example> {
  /// What a command line comes to.
  private struct Line {
    var settings = E.Settings()
    var wantsHelp = false
    var wantsVersion = false
  }

  private let surroundings: ExampleSurroundings

  /// Runs the example with the process's arguments and ends the process.
  ///
  /// To be called on the process's first thread, before any other is started: 0 at the end; 1 when something failed
  /// while running; 2 when the command line cannot be carried out; 130 after a signal.
  public static func main() -> Never {
    let launch = ProcessFigures.launchInstant()
    // Before any thread is started, so that all of them inherit it.
    Interrupt.blockSignals()
    exit(ExampleProgram(launch: launch).run(Arguments.process))
  }

  /// A program whose process was started at an instant of the monotonic clock.
  public init(launch: FrameInstant) {
    surroundings = ExampleSurroundings(
      launch: launch, interrupt: Interrupt(), console: Console(program: "vitrine-" + E.name))
  }

  /// Runs the example.
  ///
  /// - Parameter arguments: the command line, without the program's name.
  /// - Returns: the exit status.
  public func run(_ arguments: [[UInt8]]) -> Int32 {
    let console = surroundings.console
    do {
      let parsed = try Self.table.parse(arguments, into: Line())
      var settings = parsed.settings.settings
      if parsed.settings.wantsHelp {
        try console.print(Self.help(program: console.program), for: "--help")
        return 0
      }
      if parsed.settings.wantsVersion {
        try console.print("\(console.program) \(Version.number)\n", for: "--version")
        return 0
      }
      if let operand = parsed.operands.first {
        throw UsageError("\(String(decoding: operand, as: UTF8.self)): only options are accepted; --help lists them")
      }
      try settings.hosting.validate()
      try settings.validate()
      try settings.hosting.checkDestinations()
      settings.hosting.followDesktop()
      try surroundings.interrupt.start()
      return try E.perform(settings, in: surroundings) ?? show(settings)
    } catch let error as UsageError {
      console.complain(error.description)
      return 2
    } catch {
      console.complain("\(error)")
      return 1
    }
  }

  /// The options of the command line, in the order of the help.
  private static var table: OptionTable<Line> {
    let theme = CommandOption<Line>("--theme", "NAME", "dark (default) or light") {
      (line, text) throws(UsageError) in
      let choice: ThemeChoice = try Value.choice(text, of: "--theme")
      line.settings.theme = choice.theme
    }
    return OptionTable(
      E.options.map { $0.lifted(\.settings) } + HostingOptions.table.map { $0.lifted(\.settings.hosting) } + [
        theme,
        CommandOption<Line>(switch: "--version", "print the version") { $0.wantsVersion = true },
        CommandOption<Line>(switch: "--help", "print this help") { $0.wantsHelp = true },
      ])
  }

  private static func help(program: String) -> String {
    table.help(
      usage: "\(program) [options]", summary: E.summary,
      notes: ["In the window: F3 shows the frames' rate and hitches, F11 fills the screen, Ctrl+Q leaves."],
      columns: Console.columns)
  }

  private func show(_ settings: E.Settings) throws -> Int32 {
    let host = try Host(
      options: settings.hosting, title: E.title, version: Version.number, launch: surroundings.launch,
      interrupt: surroundings.interrupt)
    defer { host.close() }
    let example: E
    do {
      example = try E(settings, host: host)
    } catch {
      // What a signal has ended has not failed.
      guard surroundings.interrupt.isRaised else { throw error }
      return 130
    }
    defer { example.end() }
    return try example.run(on: host, theme: settings.theme)
  }
}

extension Example {
  /// Runs the example on a host by the host's options, until a limit, the user or a signal ends it.
  ///
  /// - Parameters:
  ///   - host: the window.
  ///   - theme: the colours.
  /// - Returns: the exit status: 0, or 130 after a signal.
  /// - Throws: `HostError` where report or screenshot could not be written.
  public func run(on host: Host, theme: ExampleTheme) throws(HostError) -> Int32 {
    let view = collectionView
    view.indicator.color = theme.indicator
    return try host.run(root: root, scrollView: view, figures: figures) { window, loop in
      window.backgroundColor = theme.background
      window.firstResponder = view
      join(window, loop)
      window.addParticipant(view)
    }
  }
}
