import CollectionUI
public import FramePacing
public import Hosting
import Rendering
import Views

/// One run of an example, from its arguments to its exit status: all that is the same for every one of them.
public struct ExampleProgram<E: Example> {
  /// An example's settings, before it is known which colours they mean.
  private struct Line: ProgramSettings {
    var settings = E.Settings()
    var theme = ThemeChoice.dark
    var hosting: HostingOptions {
      get { settings.hosting }
      set { settings.hosting = newValue }
    }

    mutating func validate() throws(UsageError) {
      settings.theme = theme.theme(for: hosting)
      try settings.validate()
    }
  }

  private let launch: FrameInstant

  /// Runs the example with the process's arguments and ends the process.
  ///
  /// To be called on the process's first thread, before any other is started: 0 at the end; 1 when something failed
  /// while running; 2 when the command line cannot be carried out; 130 after a signal.
  public static func main() -> Never { program.main { try perform($0.settings, in: $1) } }

  /// A program whose process was started at an instant of the monotonic clock.
  public init(launch: FrameInstant) { self.launch = launch }

  /// Runs the example.
  ///
  /// - Parameter arguments: the command line, without the program's name.
  /// - Returns: the exit status.
  public func run(_ arguments: [[UInt8]]) -> Int32 {
    Self.program.run(arguments, launch: launch) { try Self.perform($0.settings, in: $1) }
  }

  private static var program: WindowProgram<Line> {
    let theme = CommandOption<Line>(
      "--theme", "NAME", "dark (default), light, or auto: as the desktop is set, where its settings say so"
    ) { (line, text) throws(UsageError) in line.theme = try OptionValue.choice(text, of: "--theme") }
    return WindowProgram(
      "vitrine-" + E.name, summary: E.summary, options: E.options.map { $0.scoped(to: \.settings) } + [theme])
  }

  private static func perform(_ settings: E.Settings, in surroundings: ProgramContext) throws -> Int32 {
    try E.perform(settings, in: surroundings) ?? show(settings, in: surroundings)
  }

  private static func show(_ settings: E.Settings, in surroundings: ProgramContext) throws -> Int32 {
    let host = try surroundings.openHost(settings.hosting, title: E.title)
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
    let status = try example.run(on: host, theme: settings.theme)
    // Known once there was text to be drawn.
    if let warning = host.textWarning { surroundings.console.printError(warning) }
    return status
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
