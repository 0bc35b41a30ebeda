public import CollectionUI
public import VitrineDiagnostics
public import VitrineHosting

/// A run of an example, from the arguments to the exit status.
public struct ExampleProgram<E: Example> {
  /// The settings of the command line, whose theme is resolved when they are validated.
  private struct CommandLineSettings: ProgramSettings {
    var settings = E.Settings()
    var theme = ThemeChoice.dark
    var common: DiagnosticOptions {
      get { settings.common }
      set { settings.common = newValue }
    }

    mutating func validate() throws(UsageError) {
      settings.theme = theme.theme(for: hosting)
      try settings.validate()
    }
  }

  private let launch: FrameInstant

  /// Runs the example with the arguments of the process, and ends the process.
  ///
  /// Call this function on the first thread, before any other thread is started. The exit status is 0 at the end, 1
  /// after an error, 2 if the command line is invalid, and 130 after a signal.
  public static func main() -> Never { program.main { try perform($0.settings, in: $1) } }

  /// Creates a program whose process was started at an instant of the monotonic clock.
  public init(launch: FrameInstant) { self.launch = launch }

  /// Runs the example.
  ///
  /// - Parameter arguments: The command line without the name of the program.
  /// - Returns: The exit status.
  public func run(_ arguments: [[UInt8]]) -> Int32 {
    Self.program.run(arguments, launch: launch) { try Self.perform($0.settings, in: $1) }
  }

  private static var program: WindowProgram<CommandLineSettings> {
    let theme = CommandOption<CommandLineSettings>(
      "--theme", "NAME", "dark (default), light, or auto: as the desktop is set, where its settings say so"
    ) { (settings, text) throws(UsageError) in settings.theme = try OptionValue.choice(text, of: "--theme") }
    return WindowProgram(
      "vitrine-" + E.name, summary: E.summary, options: E.options.map { $0.scoped(to: \.settings) } + [theme])
  }

  private static func perform(_ settings: E.Settings, in context: ProgramContext) throws -> Int32 {
    try E.performCommand(settings, in: context) ?? show(settings, in: context)
  }

  private static func show(_ settings: E.Settings, in context: ProgramContext) throws -> Int32 {
    let diagnostics = RunDiagnostics(settings.common)
    let host = try context.openHost(settings.hosting, title: E.title, observer: diagnostics)
    defer { host.close() }
    let example: E
    do {
      example = try E(settings, host: host)
    } catch {
      // An initializer that a signal interrupted has not failed.
      guard context.interrupt.isRaised else { throw error }
      return 130
    }
    defer { example.shutdown() }
    let status = try example.run(on: host, diagnostics, theme: settings.theme)
    // Known only after text was drawn.
    if let warning = host.textWarning { context.console.printError(warning) }
    return status
  }
}

extension Example {
  /// Runs the example until a limit, the user or a signal ends it.
  ///
  /// - Parameters:
  ///   - host: The host, whose options apply.
  ///   - diagnostics: The observer of the host.
  ///   - theme: The colors of the window and the scroll indicator.
  /// - Returns: The exit status: 0, or 130 after a signal.
  /// - Throws: `HostError` if the report or the screenshot cannot be written.
  public func run(on host: Host, _ diagnostics: RunDiagnostics, theme: ExampleTheme) throws(HostError) -> Int32 {
    let view = collectionView
    view.scrollIndicator.color = theme.indicator
    (diagnostics.figures, diagnostics.overlayTop) = (figures, barHeight)
    return try host.run(root: rootView, scrollView: view) { window, loop in
      window.backgroundColor = theme.background
      window.firstResponder = view
      addParticipants(to: window, loop: loop)
      window.addParticipant(view)
    }
  }
}
