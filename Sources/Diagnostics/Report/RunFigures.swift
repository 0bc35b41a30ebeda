public import CollectionUI
public import VitrineCollectionEngine
public import VitrineFramePacing
public import VitrineImagePipeline

/// The figures that a program adds to its run's report at the end and to the overlay.
public struct RunFigures {
  /// Returns the figures of the library.
  public var library: () -> LibraryFigures? = { nil }
  /// Returns the figures of the cells.
  public var cells: () -> CellFigures? = { nil }
  /// Returns the figures of slack.
  public var slack: () -> SlackFigures? = { nil }
  /// Returns the figures of data prefetching.
  public var prefetch: () -> PrefetchFigures? = { nil }
  /// Returns the figures of operations that load the content of items.
  public var operations: () -> OperationFigures? = { nil }
  /// Returns the figures of images.
  public var images: () -> ImageFigures? = { nil }
  /// Returns the description of the library for a recording.
  public var recordedLibrary: () -> RecordedLibrary = { RecordedLibrary() }
  /// Returns the comparison of a replay's files with the recorded ones, or nil if the recording lists none.
  public var replayedFiles: () -> ReplayedFiles? = { nil }
  /// The journal of decodes for a trace, or nil if there is none.
  public var journal: DecodeJournal?
  /// Returns the size of decoded images in memory in bytes.
  public var bitmapBytes: () -> Int? = { nil }
  /// Returns the memory per item of the item list in bytes.
  public var catalogueBytesPerItem: () -> Double? = { nil }
  /// Returns the figures of the overlay.
  ///
  /// Called in each frame that shows them.
  public var overlay: () -> OverlayFigures = { OverlayFigures() }
  /// Returns the processor time that the program's worker processes have used so far.
  ///
  /// Called once per frame. With a pipeline, return `ImagePipeline.decodingProcessorTime`. Default: zero.
  public var workerTime: () -> FrameDuration = { .zero }
  /// Returns the number of allocations of the calling thread so far, or nil if the program does not count them.
  ///
  /// Called twice per frame.
  public var allocationCount: (() -> UInt64)?
  /// Returns sentences about invalid answers of layouts, which are printed at the end of the run.
  public var warnings: () -> [String] = { [] }
  /// Returns whether everything visible shows its final content.
  public var isFullyShown: () -> Bool = { true }

  /// Creates empty figures.
  public init() {}
}

extension RunFigures {
  /// Creates the figures of a run that shows one collection view: items, cells, slack and prefetching, for the report
  /// and the overlay.
  ///
  /// The program adds the number of failed items.
  ///
  /// - Parameter view: The collection view, referenced weakly.
  public init(of view: CollectionView) {
    library = { [weak view] in
      view.map { LibraryFigures(items: $0.itemCount, sections: $0.numberOfSections, failed: nil) }
    }
    cells = { [weak view] in (view?.statistics).map(CellFigures.init) }
    slack = { [weak view] in (view?.slackStatistics).map(SlackFigures.init) }
    prefetch = { [weak view] in (view?.prefetchStatistics).map(PrefetchFigures.init) }
    overlay = { [weak view] in view.map(OverlayFigures.init(of:)) ?? OverlayFigures() }
    warnings = { [weak view] in view?.layoutWarnings ?? [] }
    isFullyShown = { [weak view] in view?.visibleCells.isEmpty == false }
  }
}

/// The figures of the overlay other than those of frames.
public struct OverlayFigures {
  /// The number of items in the library.
  public var items = 0
  /// The number of visible cells.
  public var visibleCells = 0
  /// The number of cells in the reuse pools.
  public var pooledCells = 0
  /// The statistics of the cells.
  public var cells = CellStatistics()
  /// The statistics of slack.
  public var slack = SlackStatistics()
  /// The number of visible cells without their image.
  public var visibleCellsWithoutImage = 0
  /// The number of running decodes.
  public var decoding = 0
  /// The number of requests that are waiting for a decoder.
  public var queued = 0
  /// The number of decoded images.
  public var decoded = 0
  /// The number of embedded previews that were shown before their images.
  public var previews = 0
  /// The number of images that failed to decode.
  public var failed = 0
  /// The number of requests that were served from memory.
  public var memoryHits = 0
  /// The number of prepared images that were read from the disk cache.
  public var storeHits = 0
  /// The size of decoded images in memory in bytes.
  public var bitmapBytes = 0
  /// The maximum size of decoded images in memory in bytes, or 0 if it is unknown.
  public var bitmapLimit = 0

  /// Creates empty figures.
  public init() {}

  /// Creates the current figures of a collection view's cells.
  ///
  /// - Parameter view: The collection view.
  /// - Complexity: O(visible cells).
  public init(of view: CollectionView) {
    items = view.itemCount
    visibleCells = view.visibleCells.count
    pooledCells = view.pooledCellCount
    cells = view.statistics
    slack = view.slackStatistics
  }

  /// Adds the current figures of an image pipeline.
  ///
  /// - Parameter pipeline: The pipeline.
  public mutating func add(_ pipeline: ImagePipeline) {
    let images = pipeline.statistics
    decoding += images.running
    queued += images.queueDepth
    decoded += images.decoded
    previews += images.previews
    failed += images.failed
    memoryHits += images.memoryHits
    storeHits += images.storeHits
    bitmapBytes += images.cacheBytes
    bitmapLimit += images.cacheLimit
  }
}
