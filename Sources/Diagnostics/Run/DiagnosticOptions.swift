public import VitrineHosting

/// The settings of runs that can be measured, recorded and scripted, and those of their window.
public struct DiagnosticOptions {
  /// The settings of the window and the run.
  public var hosting = HostingOptions()
  /// The scroll script of the run.
  public var script: ScrollScript?
  /// The steps of a script file, if `--scroll` specifies one.
  public var steps: [ScriptStep] = []
  /// The text of the script file, for a recording.
  var scriptText: String?
  /// Whether cells are prepared in the slack of short commits.
  public var isCellPrefetchingEnabled = true
  /// The cost in milliseconds that is added each time a cell is configured for an item.
  public var cellCost = 0.0
  /// The cost in milliseconds that is added to each image upload.
  public var uploadCost = 0.0
  /// The destination of the report.
  ///
  /// `-` is standard output.
  public var report: String?
  /// The destination of the run's timeline in Chrome's trace JSON.
  ///
  /// `-` is standard output.
  public var trace: String?
  /// The destination of the frame log, which has one line per frame.
  ///
  /// `-` is standard output.
  public var frameLog: String?
  /// Whether each frame's number is drawn at the window's top and bottom, for external frame verification.
  public var drawsFrameNumbers = false
  /// The destination of a recording of the run, which can be replayed.
  ///
  /// `-` is standard output.
  public var record: String?
  /// The path of the recording to replay.
  public var replay: String?
  /// The recording at ``replay``, loaded by the parser of the command line.
  public var loadedReplay: Replay?
  /// The options of the command line, preceded by those of a replayed recording.
  public var parsedOptions: [ParsedOption] = []
  /// The program's name, for a recording.
  public var program = ""
  /// The lateness of a frame in milliseconds from which the last seconds are written next to ``trace``, or nil for
  /// never.
  public var traceHitchThreshold: Double?
  /// The level of detail of the frame overlay, 0 to 4.
  public var overlay = 0

  /// Creates the default settings.
  public init() {}

  /// Whether the frame history needs its full capacity, for a report, log, trace, recording or replay.
  var needsFullHistory: Bool { report != nil || frameLog != nil || trace != nil || record != nil || replay != nil }

  /// Whether a step of the script simulates a fault or changes the refresh rate.
  var needsFaultInjector: Bool { steps.contains(where: \.needsFaultInjector) }

  /// Checks that no options contradict each other.
  ///
  /// - Throws: `UsageError` that names both options.
  public func validate() throws(UsageError) {
    try hosting.validate()
    if hosting.clock.isSimulated || hosting.clock == .vsync, let place = steps.firstIndex(where: \.needsRealTime) {
      throw UsageError(
        "--scroll: step \(place + 1): the loop does not sleep until presenting on --clock \(hosting.clock.rawValue); accepted are auto, timer"
      )
    }
    if traceHitchThreshold != nil, trace == nil || trace == "-" {
      throw UsageError("--trace-hitch writes next to the file of --trace; add --trace FILE with a path other than -")
    }
  }
}
