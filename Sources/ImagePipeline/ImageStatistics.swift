public import FramePacing

/// What an image pipeline did so far, in numbers; the report's `images` fields take theirs from it.
public struct ImageStatistics: Hashable, Sendable {
  /// Requests made.
  public var requested = 0
  /// Requests that joined an earlier one for the same key, and end with it.
  public var coalesced = 0
  /// Requests that ended because they were cancelled.
  public var cancelled = 0
  /// Pictures decoded, those included that nobody wanted any more when they were done.
  public var decoded = 0
  /// Requests that ended with a failure.
  public var failed = 0
  /// Small pictures of files' own that were shown before the pictures themselves.
  public var previews = 0
  /// Decodes that were told to stop, for nobody wanted them or something on screen needed their worker.
  public var interrupted = 0
  /// Pictures that were read from disk as they had been prepared before, in place of being decoded.
  public var storeHits = 0
  /// Requests and look-ups that found their picture in memory.
  public var memoryHits = 0
  /// Decodes that ran on the thread that made the pipeline, which is the one that draws.
  public var decodedOnRenderThread = 0
  /// The median time of a decode, on a modelled time line its modelled time; within 3 %.
  public var decodeMedian: FrameDuration = .zero
  /// The time that 99 of 100 decodes do not exceed; within 3 %.
  public var decode99thPercentile: FrameDuration = .zero
  /// Requests that wait for a worker now.
  public var queueDepth = 0
  /// Jobs that workers have now.
  public var running = 0
  /// Bytes of pixels in memory now.
  public var cacheBytes = 0
  /// The most bytes of pixels that are kept now, visible pictures apart.
  public var cacheLimit = 0

  /// No statistics yet.
  public init() {}
}

extension ImageStatistics {
  /// What a scheduler knows.
  init(_ scheduler: ImageScheduler) {
    requested = scheduler.counts.requested
    coalesced = scheduler.counts.coalesced
    cancelled = scheduler.counts.cancelled
    decoded = scheduler.counts.decoded
    failed = scheduler.counts.failed
    storeHits = scheduler.counts.stored
    previews = scheduler.counts.previews
    interrupted = scheduler.counts.interrupted
    decodeMedian = scheduler.durations.quantile(0.5)
    decode99thPercentile = scheduler.durations.quantile(0.99)
    queueDepth = scheduler.waitingCount
    running = scheduler.running
  }
}
