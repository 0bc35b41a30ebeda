public import FramePacing
public import ImagePipeline

/// What a program adds to its run's report, asked for at the end, and what its overlay shows.
public struct RunFigures {
  /// What was shown.
  public var library: () -> LibraryFigures? = { nil }
  /// The cells' lives.
  public var cells: () -> CellFigures? = { nil }
  /// The time that short commits left.
  public var slack: () -> SlackFigures? = { nil }
  /// Data that was asked for ahead.
  public var prefetch: () -> PrefetchFigures? = { nil }
  /// Operations that loaded what items show.
  public var operations: () -> OperationFigures? = { nil }
  /// Pictures on their way to the screen.
  public var images: () -> ImageFigures? = { nil }
  /// What a recording is to tell of the library.
  public var recordedLibrary: () -> RecordedLibrary = { RecordedLibrary() }
  /// How a replay's files compare with those that were recorded, where they were listed.
  public var replayedFiles: () -> ReplayedFiles? = { nil }
  /// What the pictures that were decoded are noted in, for a trace; nothing where none is wanted.
  public var journal: DecodeJournal?
  /// Bytes of decoded pictures that are kept.
  public var bitmapBytes: () -> Int? = { nil }
  /// Bytes that the list of items takes, an item.
  public var catalogueBytesPerItem: () -> Double? = { nil }
  /// What the overlay shows beside frames; asked for in every frame that shows so much of it.
  public var overlay: () -> OverlayFigures = { OverlayFigures() }
  /// The processor time that processes which work for this one have used so far.
  ///
  /// Read once a frame; give `ImagePipeline.decodingProcessorTime` where there is a pipeline. Default: zero.
  public var workerTime: () -> FrameDuration = { .zero }
  /// How often the calling thread has allocated so far; nothing where the program does not count that.
  ///
  /// Asked twice a frame.
  public var allocationCount: (() -> UInt64)?
  /// Whether everything on screen shows what it is to show.
  public var isFullyShown: () -> Bool = { true }

  /// No figures.
  public init() {}
}
