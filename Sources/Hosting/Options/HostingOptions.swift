import Foundation
import FramePacing
public import Geometry
public import ImagePipeline

/// The settings that are common to all programs.
public struct HostingOptions {
  /// Whether the run has no window and uses SDL's dummy video driver and software renderer.
  public var isHeadless = false
  /// The requested clock.
  public var clock = ClockChoice.auto
  /// The requested renderer.
  public var renderer = RendererChoice.auto
  /// The factor by which the main thread's processor time counts on the cpu clock.
  ///
  /// Default: 1.
  public var processorScale = 1.0
  /// The refresh rate of the timer, virtual and cpu clocks in hertz, or nil for the display's rate.
  public var refreshHz: Double?
  /// The window's size in points, or nil for the default size.
  public var size: Size?
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
  /// Whether changes are shown without animation.
  ///
  /// Set by an option, or by ``applyDesktopSettings()``.
  public var reducesMotion = false
  /// The duration of the run in seconds.
  public var duration: Double?
  /// The number of frames after which the run ends.
  public var frames: Int?
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
  /// The recording at ``replay``, loaded by ``OptionTable/parse(_:into:hosting:of:modes:replacedNames:)``.
  public var loadedReplay: Replay?
  /// The options of the command line, preceded by those of a replayed recording.
  public var parsedOptions: [ParsedOption] = []
  /// The program's name, for a recording.
  public var program = ""
  /// The lateness of a frame in milliseconds from which the last seconds are written next to ``trace``, or nil for
  /// never.
  public var traceHitchThreshold: Double?
  /// The destination of a PNG image of the last frame.
  public var screenshot: String?
  /// The level of detail of the frame overlay, 0 to 4.
  public var overlay = 0
  /// The seed of all random choices.
  ///
  /// Default: 1.
  public var seed: UInt64 = 1

  /// Whether the frame history needs its full capacity, for a report, log, trace, recording or replay.
  var needsFullHistory: Bool { report != nil || frameLog != nil || trace != nil || record != nil || replay != nil }

  /// Creates the default settings.
  public init() {}

  /// The default size of a window in points.
  public static let defaultSize = Size(width: 1_280, height: 800)
  /// The minimum size of a window in points.
  public nonisolated static let minimumSize = Size(width: 320, height: 240)
}

extension HostingOptions {
  /// Applies the desktop's setting for reduced motion.
  ///
  /// Headless runs ignore it, because they must be equal on all machines.
  ///
  /// The setting is read from the configuration files of GTK and KDE.
  public mutating func applyDesktopSettings() {
    if !isHeadless, !reducesMotion { reducesMotion = ReducedMotionSetting.isEnabled() }
  }

  /// Checks that no options contradict each other.
  ///
  /// - Throws: ``UsageError`` that names both options.
  public func validate() throws(UsageError) {
    if isHeadless, clock == .vsync {
      throw UsageError("--clock vsync needs a window; with --headless accepted are auto, timer, virtual, cpu")
    }
    if refreshHz != nil, clock == .vsync {
      throw UsageError(
        "--refresh has no effect with --clock vsync, which uses the display's rate; with --refresh accepted are auto, timer, virtual, cpu"
      )
    }
    if processorScale != 1, clock != .cpu {
      throw UsageError("--cpu-scale needs --clock cpu, the only clock of processor time")
    }
    if clock.isSimulated || clock == .vsync, let place = steps.firstIndex(where: \.needsRealTime) {
      throw UsageError(
        "--scroll: step \(place + 1): the loop does not sleep until presenting on --clock \(clock.rawValue); accepted are auto, timer"
      )
    }
    if isHeadless, renderer == .opengl || renderer == .opengles2 {
      throw UsageError(
        "--renderer \(renderer.rawValue) needs a window; with \(replay == nil ? "--headless" : "--replay") accepted are auto, sdl, "
          + "memory")
    }
    if traceHitchThreshold != nil, trace == nil || trace == "-" {
      throw UsageError("--trace-hitch writes next to the file of --trace; add --trace FILE with a path other than -")
    }
  }

  /// Checks before the run that the files that are written at its end can be written.
  ///
  /// - Throws: ``UsageError`` that names the option, the path and the system's reason.
  public func validateDestinations() throws(UsageError) {
    var taken: [(option: String, destination: String)] = replay.map { [("--replay", $0)] } ?? []
    for (option, destination) in [
      ("--report", report), ("--trace", trace), ("--record", record), ("--frame-log", frameLog),
      ("--screenshot", screenshot),
    ] {
      guard let destination else { continue }
      // Several options may write to the same device.
      if let other = taken.first(where: { $0.destination == destination }), !destination.hasPrefix("/dev/") {
        let place = destination == "-" ? "to standard output" : "to \(destination)"
        throw UsageError("\(option) and \(other.option) both write \(place); give each its own file")
      }
      taken.append((option, destination))
      do throws(OutputError) {
        try OutputFile.checkWritable(destination)
      } catch {
        throw UsageError(unwritable: destination, of: option, error)
      }
    }
  }
}

/// The settings of image decoding: the number of decoding processes and an added delay.
public struct DecodingOptions {
  /// The number of decoding processes, or nil for the default.
  public var workers: Int?
  /// The delay in milliseconds that is added to each decode.
  public var delay = 0.0

  /// Creates the default settings.
  public init() {}

  /// The command-line options of programs that have an image pipeline.
  public static var table: [CommandOption<DecodingOptions>] {
    [
      CommandOption(
        "--workers", "N",
        "number of decoding processes, and as many of low priority for prefetching (default: the number of cores, at least 2)"
      ) {
        (settings, text) throws(UsageError) in
        settings.workers = try OptionValue.integer(text, of: "--workers", in: 1...64)
      },
      CommandOption("--decode-delay", "MS", "add this time to each decode, for demonstrations and tests") {
        (settings, text) throws(UsageError) in
        settings.delay = try OptionValue.number(text, of: "--decode-delay", in: 0...10_000)
      },
    ]
  }

  /// Returns the default number of decoding processes: the number of cores, at least 2, or 2 in a simulation, which
  /// must be equal on all machines.
  public static func defaultWorkerCount(isSimulated: Bool) -> Int {
    isSimulated ? 2 : max(2, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Returns an image pipeline configuration with these settings and defaults for everything else.
  ///
  /// - Parameter isSimulated: Whether the run's clock is simulated.
  public func configuration(isSimulated: Bool) -> ImagePipelineConfiguration {
    ImagePipelineConfiguration(
      workers: workers ?? DecodingOptions.defaultWorkerCount(isSimulated: isSimulated),
      mode: isSimulated ? .modelled : .live, decodeDelay: .milliseconds(delay))
  }
}
