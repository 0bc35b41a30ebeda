import VitrineGeometry
public import VitrineHosting

extension DiagnosticOptions: CommonOptions {
  /// The options of the host, followed by those of diagnostics.
  public static var table: [CommandOption<DiagnosticOptions>] {
    HostingOptions.table.map { $0.scoped(to: \.hosting) } + diagnosticTable
  }

  private static var diagnosticTable: [CommandOption<DiagnosticOptions>] {
    [
      CommandOption(
        "--scroll", "SCRIPT",
        "steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed or FILE.json; SPEED in points per second, not 0"
      ) { (settings, text) throws(UsageError) in
        let isFile = ScriptFile.isFileName(text)
        let contents = isFile ? try ScriptFile.contents(at: text) : nil
        settings.steps = try contents.map { data throws(UsageError) in try ScriptFile.steps(in: data, of: text) } ?? []
        settings.scriptText = contents.map { String(decoding: $0, as: UTF8.self) }
        settings.script = isFile ? nil : try ScrollScript(text)
      },
      CommandOption("--prefetch", "on|off", "prepare cells in the slack of short commits (default on)") {
        (settings, text) throws(UsageError) in
        let choice: OnOffValue = try OptionValue.choice(text, of: "--prefetch")
        settings.isCellPrefetchingEnabled = choice == .on
      },
      CommandOption("--cell-cost", "MS", "add this time to each configuration of a cell for an item, in one step") {
        (settings, text) throws(UsageError) in
        settings.cellCost = try OptionValue.number(text, of: "--cell-cost", in: 0...10_000)
      },
      CommandOption("--upload-cost", "MS", "add this time to each image upload, for demonstrations and tests") {
        (settings, text) throws(UsageError) in
        settings.uploadCost = try OptionValue.number(text, of: "--upload-cost", in: 0...10_000)
      },
      CommandOption(
        "--report", "FILE|-",
        "write the run's figures as JSON, as a table to a terminal, as a page with charts if FILE ends in .html, or append one line if it ends in .log"
      ) { (settings, text) throws(UsageError) in
        settings.report = try OptionValue.path(text, of: "--report")
      },
      CommandOption(
        "--trace", "FILE",
        "write the run's timeline as Chrome trace JSON, for ui.perfetto.dev; SIGUSR1 writes the last 10 s to FILE-usr1-1 and so on"
      ) { (settings, text) throws(UsageError) in
        settings.trace = try OptionValue.path(text, of: "--trace")
      },
      CommandOption(
        "--frame-log", "FILE", "write each frame's times in nanoseconds, one line per frame, separated by tabs"
      ) {
        (settings, text) throws(UsageError) in
        settings.frameLog = try OptionValue.path(text, of: "--frame-log")
      },
      CommandOption(
        switch: "--frame-id-stripe", "draw each frame's number at the window's top and bottom (scripts/observe)"
      ) {
        $0.drawsFrameNumbers = true
      },
      CommandOption(
        "--record", "FILE", "record input, settings and the library's listing for --replay"
      ) { (settings, text) throws(UsageError) in settings.record = try OptionValue.path(text, of: "--record") },
      CommandOption(
        "--replay", "FILE",
        "replay a recording without a window on the virtual clock; other options override the recorded ones"
      ) { (settings, text) throws(UsageError) in settings.replay = try OptionValue.path(text, of: "--replay") },
      CommandOption(
        "--trace-hitch", "MS",
        "with --trace: write the last 10 s to FILE-hitch-1 and so on when a frame is late by more than MS"
      ) { (settings, text) throws(UsageError) in
        settings.traceHitchThreshold = try OptionValue.number(text, of: "--trace-hitch", in: 0...60_000)
      },
      CommandOption(
        "--overlay", "LEVEL", "show figures of the frames over the content, at level 0 to 4 (F3 in the window)"
      ) {
        (settings, text) throws(UsageError) in
        settings.overlay = try OptionValue.integer(text, of: "--overlay", in: 0...4)
      },
    ]
  }

  /// A sentence about the keys that every window with diagnostics handles.
  public static var keyHelp: String {
    "In the window: F3 shows the frame rate and hitches, F11 switches to full screen, Ctrl+Q quits."
  }

  /// The recording to replay, and the files that the run writes.
  public var files: [OptionFile] {
    let outputs = [
      ("--report", report), ("--trace", trace), ("--record", record), ("--frame-log", frameLog),
    ]
    return (replay.map { [OptionFile("--replay", $0, isInput: true)] } ?? [])
      + outputs.compactMap { option, path in path.map { OptionFile(option, $0) } } + hosting.files
  }

  /// Parses a command line, whose settings those of a replayed recording precede.
  public static func parse<Settings>(
    _ arguments: [[UInt8]], with table: OptionTable<Settings>, into settings: Settings,
    at path: WritableKeyPath<Settings, DiagnosticOptions>, of program: String
  ) throws(UsageError) -> OptionTable<Settings>.Parsed {
    try table.parse(arguments, into: settings, common: path, of: program)
  }
}

/// The settings of a program without options of its own.
extension DiagnosticOptions: ProgramSettings {
  /// The settings themselves.
  public var common: DiagnosticOptions {
    get { self }
    set { self = newValue }
  }
}

/// The value of an option that turns a feature on or off.
private enum OnOffValue: String, CaseIterable {
  case on
  case off
}
