public import CollectionEngine
public import CollectionUI
public import FramePacing
public import ImagePipeline

/// What the overlay shows beside frames; asked for once a frame.
public struct OverlayFigures {
  /// Items in the library.
  public var items = 0
  /// Cells on screen.
  public var visibleCells = 0
  /// Cells that wait for another item.
  public var pooledCells = 0
  /// The cells' lives.
  public var cells = CellStatistics()
  /// The time that short commits left.
  public var slack = SlackStatistics()
  /// Cells on screen without their picture.
  public var waitingForPicture = 0
  /// Decodings under way.
  public var decoding = 0
  /// Requests that wait for a decoder.
  public var queued = 0
  /// Pictures decoded so far.
  public var decoded = 0
  /// Small pictures of files' own that were shown before the pictures themselves.
  public var previews = 0
  /// Pictures that could not be decoded.
  public var failed = 0
  /// Requests answered from memory.
  public var memoryHits = 0
  /// Pictures read from disk as they had been prepared in an earlier run.
  public var storeHits = 0
  /// Bytes of decoded pictures in memory.
  public var bitmapBytes = 0
  /// The most bytes of decoded pictures that are kept; 0 where nobody says.
  public var bitmapLimit = 0

  /// No figures.
  public init() {}

  /// The figures of a collection view's cells as they are now.
  ///
  /// - Parameter view: what shows the items.
  /// - Complexity: O(cells on screen).
  public init(of view: CollectionView) {
    items = view.itemCount
    visibleCells = view.visibleCells.count
    pooledCells = view.pooledCellCount
    cells = view.statistics
    slack = view.slackStatistics
  }

  /// Adds what a pipeline does and holds now.
  ///
  /// - Parameter pipeline: what prepares the pictures.
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
