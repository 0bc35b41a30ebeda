import CVitrinePlatform
import VitrineDataStructures
public import VitrineFramePacing
public import VitrineRendering
import VitrineThreads

/// A thread-safe log of the most recent decodes, recorded by the workers as they end.
///
/// A pipeline without a journal records nothing.
public final class DecodeJournal: Sendable {
  /// The default capacity, in decodes.
  public static let defaultCapacity = 1 << 15

  private let state: Lock<RecentValues<DecodeSpan>>

  /// Creates an empty journal.
  ///
  /// - Parameter capacity: The number of most recent decodes to retain; at least one.
  public init(capacity: Int = DecodeJournal.defaultCapacity) { state = Lock(RecentValues(capacity: capacity)) }

  /// Records a finished decode, and gives it and its bitmap the same number, by which a trace correlates them.
  ///
  /// - Parameters:
  ///   - span: The decode.
  ///   - bitmap: The decoded bitmap, not shared with any other thread yet.
  /// - Complexity: O(1).
  public func record(_ span: DecodeSpan, of bitmap: Bitmap? = nil) {
    state.withLock { spans in
      var span = span
      span.number = UInt64(spans.count) + 1
      bitmap?.setTraceNumber(span.number)
      spans.append(span)
    }
  }

  /// The retained decodes, in the order in which they ended.
  /// - Complexity: O(n) in the number of retained decodes.
  public var spans: [DecodeSpan] { spans(since: .distantPast) }

  /// Returns the retained decodes that ended at or after an instant, in the order in which they ended.
  /// - Complexity: O(n) in the number of returned decodes.
  public func spans(since instant: FrameInstant) -> [DecodeSpan] {
    state.withLock { spans in spans.newestValues { $0.end >= instant } }
  }

  /// The number of decodes recorded so far, retained or not.
  public var count: Int { state.withLock { $0.count } }
}

/// The record of one decode: where, when, and with which result.
public struct DecodeSpan: Hashable, Sendable {
  /// The thread and process of a decode.
  public struct ExecutionContext: Hashable, Sendable {
    /// The worker's index, from 0.
    public var worker: Int
    /// The kernel's identifier (`gettid`) of the thread that decoded, or waited for the decoding process.
    public var thread: Int32
    /// The identifier of the decoding process; nil if the decoder uses no process.
    public var process: Int32?
    /// Whether the thread is the render thread, which is always an error.
    public var isDrawingThread: Bool

    /// Creates a context.
    public init(worker: Int, thread: Int32, process: Int32?, isDrawingThread: Bool) {
      self.worker = worker
      self.thread = thread
      self.process = process
      self.isDrawingThread = isDrawingThread
    }
  }

  /// The journal's number, from 1, also assigned to the bitmap (`Bitmap.traceNumber`); 0 before the decode is recorded.
  public var number: UInt64 = 0
  /// The thread and process of the decode.
  public var context: ExecutionContext
  /// The key of the request.
  public var key: ImageKey
  /// The source of the pixels; nil for a decode outside the pipeline (``ImagePipeline/recordDecode(of:from:to:_:)``).
  public var source: ImageSource?
  /// The requested representation.
  public var representation: ImageRepresentation
  /// The start time, on the run's clock.
  public var start: FrameInstant
  /// The end time, on the run's clock.
  public var end: FrameInstant
  /// Whether the image was read from the disk storage instead of being decoded.
  public var isStored: Bool
  /// The failure, or nil if an image was made.
  public var failure: ImageFailure?

  /// Creates a span.
  public init(
    context: ExecutionContext, key: ImageKey, source: ImageSource?, representation: ImageRepresentation,
    start: FrameInstant,
    end: FrameInstant,
    isStored: Bool = false, failure: ImageFailure? = nil
  ) {
    self.context = context
    self.key = key
    self.source = source
    self.representation = representation
    self.start = start
    self.end = end
    self.isStored = isStored
    self.failure = failure
  }
}

extension ImagePipeline {
  /// Whether the caller runs on the render thread, which is the thread that created the pipeline.
  nonisolated var isOnDrawingThread: Bool { renderThreadCheck.isOnRenderThread }

  /// Counts a decode that the calling thread performs outside the pipeline.
  ///
  /// On the render thread it counts in ``ImageStatistics/decodedOnRenderThread``, which stays 0 in a program that
  /// leaves decoding to its pipeline. It has no effect on other threads. Callable from any thread.
  public nonisolated func recordDecode() { renderThreadCheck.recordDecode() }

  /// Counts a decode that the calling thread performed outside the pipeline, and records it in the journal, if any.
  ///
  /// Callable from any thread.
  ///
  /// - Parameters:
  ///   - key: The key of the image.
  ///   - start: The start time, on the run's clock.
  ///   - end: The end time, on the run's clock.
  ///   - result: The bitmap, or the failure.
  public nonisolated func recordDecode(
    of key: ImageKey, from start: FrameInstant, to end: FrameInstant, _ result: Result<Bitmap, ImageFailure>
  ) {
    renderThreadCheck.recordDecode()
    guard let journal else { return }
    var span = DecodeSpan(
      context: renderThreadCheck.executionContext(of: 0, process: nil), key: key, source: nil, representation: .full,
      start: start,
      end: end)
    switch result {
    case .success(let bitmap): journal.record(span, of: bitmap)
    case .failure(let failure):
      span.failure = failure
      journal.record(span)
    }
  }
}

extension RenderThreadDecodeCounter {
  /// Returns the calling thread as the context of a decode.
  func executionContext(of worker: Int, process: Int32?) -> DecodeSpan.ExecutionContext {
    let thread = platform_thread_id()
    return DecodeSpan.ExecutionContext(
      worker: worker, thread: thread, process: process, isDrawingThread: thread == renderThread)
  }
}

extension ImageJob {
  /// Returns the record of the finished job.
  func span(
    in context: DecodeSpan.ExecutionContext, from start: FrameInstant, to end: FrameInstant, _ outcome: ImageOutcome
  ) -> DecodeSpan {
    var span = DecodeSpan(
      context: context, key: request.key, source: request.source, representation: request.representation, start: start,
      end: end
    )
    span.isStored = outcome.isStored
    if case .failure(let failure) = outcome { span.failure = failure }
    return span
  }
}
