import CVitrinePlatform
import VitrineFramePacing
import VitrineViews

/// The figures of a run, as written by `--report`.
///
/// Figures that the run cannot measure are null, never zero: times of a clock that measures none, percentiles of no
/// frames. Figures that do not apply, such as those of images in an empty folder, are absent.
///
/// Times are in microseconds unless the name says otherwise, on the run's own clock.
public struct RunReport: Encodable {
  /// The version of the format.
  public var schema = 1
  /// The program's version.
  public var version: String
  /// The display and the clock of the run.
  public var display: DisplayFigures
  /// The library that was shown.
  public var library: LibraryFigures?
  /// The launch times, in wall time since the start of the process.
  public var launch: LaunchFigures
  /// The frames of tracked intervals.
  public var frames: FrameFigures
  /// The late frames, or nil if nothing moved or no frame can be late on the clock.
  @Measured public var hitches: HitchFigures?
  /// The cells.
  public var cells: CellFigures?
  /// The slack of short commits.
  public var slack: SlackFigures?
  /// The data prefetching.
  public var prefetch: PrefetchFigures?
  /// The operations that loaded the content of items.
  public var operations: OperationFigures?
  /// The images.
  public var images: ImageFigures?
  /// The color emoji, if there were any.
  public var text: TextFigures?
  /// The memory of the drawing process.
  public var memory: MemoryFigures
  /// The kernel's accounting of the drawing process.
  public var process: ProcessReport
  /// The replayed recording, and whether the frames matched.
  public var replay: ReplayFigures?
  /// The digest of all frames' display lists on the virtual clock, where equal runs have equal digests.
  public var frameDigest: String?
}

/// A figure that is encoded as null if it was not measured, instead of being omitted.
@propertyWrapper
public struct Measured<Value: Encodable>: Encodable {
  /// The figure, or nil if it was not measured.
  public var wrappedValue: Value?

  /// Wraps a figure.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Encodes the figure or null.
  ///
  /// - Throws: An error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// The figures of a run's display and clock.
public struct DisplayFigures: Encodable {
  var driver: String
  /// SDL's name of the renderer, such as `opengl`, or `software` for any renderer without hardware.
  var renderer: String
  /// The renderer's name as in `--renderer`: `sdl`, `memory`, `opengl` or `opengles2`.
  var drawnBy: String
  var rendererReason: String?
  var device: String?
  var clock: String
  var clockReason: String
  /// The refresh rate, or nil on the vsync clock if presents were not measured to wait for it.
  @Measured var refreshHz: Double?
  var widthPoints: Double
  var heightPoints: Double
  var scale: Double
}

/// The figures of the library that a run shows.
public struct LibraryFigures: Encodable {
  var items: Int
  var sections: Int
  var failed: Int?

  /// Creates figures with the numbers of items, sections and, if known, items without an image.
  public init(items: Int, sections: Int, failed: Int?) {
    self.items = items
    self.sections = sections
    self.failed = failed
  }
}

/// The launch times of a program in milliseconds of wall time.
public struct LaunchFigures: Encodable {
  @Measured var firstFrameMs: Double? = nil
  /// The time of the first full screen, or nil if the screen was never full.
  @Measured var firstFullScreenMs: Double? = nil
  /// The instants of these times, in nanoseconds on the monotonic clock, for a parent process that recorded the start.
  ///
  /// The kernel reports the start in steps of 10 ms.
  var firstFrameInstantNs: Int64?
  var firstFullScreenInstantNs: Int64?
}

/// A frame participant that records the times of the first frame and of the first full screen.
final class LaunchTimer: FrameParticipant {
  private let launch: FrameInstant
  private let isFullyShown: () -> Bool
  private(set) var figures = LaunchFigures()

  init(launch: FrameInstant, isFullyShown: @escaping () -> Bool) {
    self.launch = launch
    self.isFullyShown = isFullyShown
  }

  func frameDidEnd(_ record: FrameRecord) {
    guard figures.firstFullScreenMs == nil else { return }
    let now = MonotonicClock.now()
    let took = RunReport.rounded((now - launch).milliseconds, 1)
    if figures.firstFrameMs == nil {
      (figures.firstFrameMs, figures.firstFrameInstantNs) = (took, now.nanoseconds)
      platform_first_frame_was_shown()
    }
    if isFullyShown() { (figures.firstFullScreenMs, figures.firstFullScreenInstantNs) = (took, now.nanoseconds) }
  }
}

/// The memory of the drawing process in bytes.
public struct MemoryFigures: Encodable {
  var residentPeakBytes: Int
  var bitmapBytes: Int?
  var textureBytes: Int
  var catalogueBytesPerItem: Double?
}

/// The kernel's accounting of the drawing process.
public struct ProcessReport: Encodable {
  var cpuSeconds: Double
  var voluntarySwitches: Int
  /// A description of the drawing thread's scheduling, or nil on simulated clocks.
  var frameThread: String?
}
