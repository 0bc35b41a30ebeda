public import VitrineFramePacing

/// The statistics of an image pipeline; the source of the report's `images` fields.
public struct ImageStatistics: Hashable, Sendable {
  /// The number of requests.
  public var requested = 0
  /// The number of requests that joined an earlier one for the same key.
  public var coalesced = 0
  /// The number of cancelled requests.
  public var cancelled = 0
  /// The number of decoded images, including those that were no longer needed when they were done.
  public var decoded = 0
  /// The number of failed requests.
  public var failed = 0
  /// The number of embedded previews shown before the images themselves.
  public var previews = 0
  /// The number of decodes that were interrupted because they were no longer needed, or because an image on screen
  /// needed their worker.
  public var interrupted = 0
  /// The number of images that were read from the disk storage instead of being decoded.
  public var storeHits = 0
  /// The number of requests and lookups that found their image in memory.
  public var memoryHits = 0
  /// The number of decodes on the render thread, which is the thread that created the pipeline.
  public var decodedOnRenderThread = 0
  /// The median duration of a decode, within 3 %; the modelled duration on a modelled timeline.
  public var decodeMedian: FrameDuration = .zero
  /// The 99th percentile of the durations, within 3 %.
  public var decode99thPercentile: FrameDuration = .zero
  /// The number of requests that wait for a worker now.
  public var queueDepth = 0
  /// The number of running jobs now.
  public var running = 0
  /// The size of the cached images in bytes of pixels now.
  public var cacheBytes = 0
  /// The current cache limit in bytes of pixels; pinned images may exceed it.
  public var cacheLimit = 0

  /// Creates empty statistics.
  public init() {}
}

extension ImageStatistics {
  /// Creates the statistics of a scheduler.
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

/// The counters of a scheduler.
///
/// Every task ends exactly once, so `requested == coalesced + cancelled + delivered + failed + the wanted tasks that
/// wait, run or have arrived` at any time.
struct SchedulerCounts: Hashable, Sendable {
  /// The number of requests.
  var requested = 0
  /// The number of requests that joined an earlier one for the same key.
  var coalesced = 0
  /// The number of tasks that were cancelled.
  var cancelled = 0
  /// The number of tasks that ended with their image.
  var delivered = 0
  /// The number of tasks that failed.
  var failed = 0
  /// The number of embedded previews made before the images themselves.
  var previews = 0
  /// The number of jobs that were interrupted because they were no longer needed, an image on screen needed their
  /// worker, or another worker was faster.
  var interrupted = 0
  /// The number of decoded images, including those that were no longer needed when they were done.
  var decoded = 0
  /// The number of images that were read from disk instead of being decoded.
  var stored = 0
}
