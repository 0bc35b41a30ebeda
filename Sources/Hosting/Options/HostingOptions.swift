public import Geometry

/// The settings that every program on the library shares.
public struct HostingOptions {
  /// No window: SDL's dummy video driver and software renderer.
  public var isHeadless = false
  /// The clock asked for.
  public var clock = ClockChoice.auto
  /// The renderer asked for.
  public var renderer = RendererChoice.auto
  /// How many times the main thread's processor time counts on the cpu clock.
  public var processorScale = 1.0
  /// Refreshes a second of the timer, virtual and cpu clocks, where given.
  public var refreshHz: Double?
  /// The window's size in points, where given.
  public var size: Size?
  /// What scrolls by itself.
  public var script: ScrollScript?
  /// The steps of a script in a file, where one is given in its place.
  public var steps: [ScriptStep] = []
  /// That file as it stands, for a recording.
  var scriptText: String?
  /// Whether cells are prepared in the slack of short commits.
  public var preparesCellsAhead = true
  /// Milliseconds that are spent each time a cell was configured for an item.
  public var cellCost = 0.0
  /// Milliseconds that are spent on each upload of a picture.
  public var uploadCost = 0.0
  /// Whether what changes is shown at once, without motion: as told, or as ``followDesktop()`` found.
  public var reducesMotion = false
  /// Seconds after which the run ends.
  public var duration: Double?
  /// Frames after which the run ends.
  public var frames: Int?
  /// Where the figures go, `-` for standard output.
  public var report: String?
  /// Where the run's time line goes, as Chrome trace JSON; `-` for standard output.
  public var trace: String?
  /// Where every frame's times go, a line each; `-` for standard output.
  public var frameLog: String?
  /// Whether each frame's number is drawn at the window's top and bottom, for whoever checks from outside.
  public var drawsFrameNumbers = false
  /// Where a recording of the run goes, from which it can be run again; `-` for standard output.
  public var record: String?
  /// The recording that is run again.
  public var replay: String?
  /// That recording, read by ``OptionTable/parse(_:into:hosting:of:)``.
  public var loadedReplay: Replay?
  /// The options of the command line, those of a replayed recording before them.
  public var parsedOptions: [ParsedOption] = []
  /// The program's name, for a recording.
  public var program = ""
  /// Milliseconds that a frame must be late for the last seconds to be written beside ``trace``; nothing for never.
  public var traceHitchThreshold: Double?
  /// Where the last frame goes, as PNG.
  public var screenshot: String?
  /// How much of the frames is shown over the content, 0 to 4.
  public var overlay = 0
  /// The seed of everything that is drawn by lot.
  public var seed: UInt64 = 1

  /// Whether all frames that can be kept are wanted: a report's percentiles, a log's lines, a trace, a recording's times.
  var needsFullHistory: Bool { report != nil || frameLog != nil || trace != nil || record != nil || replay != nil }

  /// The settings without any option.
  public init() {}

  /// The size in points that a window has unless told.
  public static let defaultSize = Size(width: 1_280, height: 800)
  /// The smallest size in points that a window can have.
  public nonisolated static let minimumSize = Size(width: 320, height: 240)
}
