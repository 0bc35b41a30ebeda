public import FramePacing

/// One picture that a worker made: where, when, and what became of it.
public struct DecodeSpan: Hashable, Sendable {
  /// Who made it.
  public struct ExecutionContext: Hashable, Sendable {
    /// The worker, from 0.
    public var worker: Int
    /// The kernel's number of the thread that waited for the picture or made it (`gettid`).
    public var thread: Int32
    /// The kernel's number of the process that decoded; nothing where a decoder has none of its own.
    public var process: Int32?
    /// Whether that thread is the one that draws, which must never be.
    public var isDrawingThread: Bool

    /// Makes a place.
    public init(worker: Int, thread: Int32, process: Int32?, isDrawingThread: Bool) {
      self.worker = worker
      self.thread = thread
      self.process = process
      self.isDrawingThread = isDrawingThread
    }
  }

  /// The journal's number of it, from 1, and its bitmap's (`Bitmap.traceNumber`); 0 until it is noted.
  public var number: UInt64 = 0
  /// Who made it.
  public var context: ExecutionContext
  /// What was asked for.
  public var key: ImageKey
  /// Where its pixels came from; nothing where a program decoded by itself (``ImagePipeline/noteDecode(of:from:to:_:)``).
  public var source: ImageSource?
  /// How good it was to be.
  public var representation: ImageRepresentation
  /// When the worker began, on the run's clock.
  public var began: FrameInstant
  /// When it had done.
  public var ended: FrameInstant
  /// Whether it was read from disk, where it had been kept, and nothing was decoded.
  public var isStored: Bool
  /// Why there is no picture; nothing where there is one.
  public var failure: ImageFailure?

  /// Makes a span.
  public init(
    place: ExecutionContext, key: ImageKey, source: ImageSource?, rung: ImageRepresentation, began: FrameInstant,
    ended: FrameInstant,
    isStored: Bool = false, failure: ImageFailure? = nil
  ) {
    self.context = place
    self.key = key
    self.source = source
    self.representation = rung
    self.began = began
    self.ended = ended
    self.isStored = isStored
    self.failure = failure
  }
}
