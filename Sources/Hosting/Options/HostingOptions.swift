import FoundationEssentials
import VitrineFramePacing
public import VitrineGeometry
public import VitrineImagePipeline

/// The settings that are common to all programs: the window, its clock and renderer, and the end of the run.
public struct HostingOptions {
  /// Whether the run has no window and uses SDL's dummy video driver and software renderer.
  public var isHeadless = false
  /// The option that makes the run headless, for error messages.
  package var headlessOption = "--headless"
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
  /// Whether changes are shown without animation.
  ///
  /// Set by an option, or by ``applyDesktopSettings()``.
  public var reducesMotion = false
  /// The duration of the run in seconds.
  public var duration: Double?
  /// The number of frames after which the run ends.
  public var frames: Int?
  /// The destination of a PNG image of the last frame.
  public var screenshot: String?
  /// The seed of all random choices.
  ///
  /// Default: 1.
  public var seed: UInt64 = 1

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
    if isHeadless, renderer == .opengl || renderer == .opengles2 {
      throw UsageError(
        "--renderer \(renderer.rawValue) needs a window; with \(headlessOption) accepted are auto, sdl, memory")
    }
  }

  /// The file of the last frame, if requested.
  public var files: [OptionFile] { screenshot.map { [OptionFile("--screenshot", $0)] } ?? [] }
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
