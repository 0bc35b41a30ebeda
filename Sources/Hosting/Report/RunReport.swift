/// The figures of a run as `--report` writes them.
///
/// What a run cannot see is null, never zero: times of a clock that counts none, percentiles of no frames. What it has
/// nothing of, such as pictures in an empty folder, is absent.
///
/// Times are microseconds unless the name says otherwise, on the run's own clock.
public struct RunReport: Encodable {
  /// The version of this format.
  public var schema = 1
  /// The program's version.
  public var version: String
  /// Where it was drawn.
  public var display: DisplayFigures
  /// What was shown.
  public var library: LibraryFigures?
  /// How long it took to be there, in wall time from the start of the process.
  public var launch: LaunchFigures
  /// The frames of tracked intervals.
  public var frames: FrameFigures
  /// Frames that were late; nil while nothing moved, and on a clock on which no frame can be late.
  @Measured public var hitches: HitchFigures?
  /// The cells' lives.
  public var cells: CellFigures?
  /// The time that short commits left.
  public var slack: SlackFigures?
  /// Data that was asked for ahead.
  public var prefetch: PrefetchFigures?
  /// Operations that loaded what items show.
  public var operations: OperationFigures?
  /// Pictures on their way to the screen.
  public var images: ImageFigures?
  /// Emoji in colour, where there were any.
  public var text: TextFigures?
  /// Bytes.
  public var memory: MemoryFigures
  /// What the kernel counted.
  public var process: ProcessReport
  /// What was replayed, and whether it showed the same.
  public var replay: ReplayFigures?
  /// A digest over every frame's display list; on the virtual clock, where equal runs have equal ones.
  public var frameDigest: String?
}

/// A figure that is written as null where it was not measured, and not left out.
@propertyWrapper
public struct Measured<Value: Encodable>: Encodable {
  /// The figure; nil where it was not measured.
  public var wrappedValue: Value?

  /// Wraps a figure.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Writes the figure or null.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
