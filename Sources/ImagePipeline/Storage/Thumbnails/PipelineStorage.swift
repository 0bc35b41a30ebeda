import FramePacing
import Glibc
import Threads

/// The disk storage of a pipeline: its own thumbnails, and those shared with other programs.
final class PipelineStorage: Sendable {
  private let store: ThumbnailStore
  private let sharer: ThumbnailSharer?

  /// Creates the storage.
  init(_ store: ThumbnailStore, _ sharer: ThumbnailSharer?) {
    self.store = store
    self.sharer = sharer
  }

  /// Returns a request to send to the workers, and interrupts the sharing of thumbnails.
  func prepareForDispatch(_ request: ImageRequest) -> ImageRequest {
    sharer?.coordinator.recordRequest()
    var request = request
    if case .file = request.source { request.mayHaveSharedThumbnail = store.sharedThumbnails != nil }
    return request
  }

  /// Records that a frame is drawn.
  func recordFrame() { sharer?.coordinator.recordFrame() }

  /// The status of the thumbnails.
  var status: StorageStatus {
    var status = store.status
    if let sharer { (status.shared, status.sharingFault) = sharer.coordinator.status }
    return status
  }

  /// Finishes pending writes and ends the threads within the given time.
  func close(_ time: ShutdownBudget) {
    // All threads stop before any is waited for.
    sharer?.coordinator.close()
    store.close(within: time.remaining)
    sharer?.close(within: time.remaining)
  }
}

/// The configuration of a pipeline's disk storage.
public struct StorageConfiguration: Hashable, Sendable {
  /// The bytes of the cache folder's path; the folder is created if it is missing.
  public var directory: [UInt8]
  /// The maximum size of the thumbnails on disk in bytes.
  public var thumbnailBytes: Int
  /// The bytes of the absolute path of the shared thumbnails (freedesktop.org); nil to ignore them.
  public var sharedThumbnails: [UInt8]?
  /// Whether thumbnails are also written to the shared folder while the pipeline is idle; in real time only.
  public var sharesThumbnails: Bool
  /// The bytes of the paths of folders whose images get no shared thumbnails, in addition to ``directory`` and the
  /// folder of thumbnails itself.
  public var unsharedFolders: [[UInt8]]
  /// The idle time before a thumbnail is shared.
  var idleTimeBeforeSharing = Duration.seconds(1)

  /// Creates a configuration.
  ///
  /// - Precondition: `thumbnailBytes` is positive.
  public init(
    directory: [UInt8], thumbnailBytes: Int = 1 << 30, sharedThumbnails: [UInt8]? = nil, sharesThumbnails: Bool = false,
    unsharedFolders: [[UInt8]] = []
  ) {
    self.directory = directory
    self.thumbnailBytes = thumbnailBytes
    self.sharedThumbnails = sharedThumbnails
    self.sharesThumbnails = sharesThumbnails
    self.unsharedFolders = unsharedFolders
  }
}

/// The status of the thumbnails on disk.
public struct StorageStatus: Hashable, Sendable {
  /// A sentence that explains why no thumbnails are stored any more; nil if there is no fault.
  public internal(set) var fault: String?
  /// The number of thumbnails.
  public internal(set) var count = 0
  /// The size of the thumbnails in bytes.
  public internal(set) var byteCount = 0
  /// The number of thumbnails written or rewritten by this instance.
  public internal(set) var written = 0
  /// The number of thumbnails that were not written because the disk was too slow or full.
  public internal(set) var dropped = 0
  /// The number of thumbnails and failures written to the shared folder.
  public internal(set) var shared = 0
  /// A sentence that explains why no thumbnails are shared any more; nil if there is no fault.
  public internal(set) var sharingFault: String?

  /// Creates the status of an empty storage.
  public init() {}
}

/// A time limit shared by all waits for file systems at the end of a program.
///
/// The time starts with the first access to ``remaining``. Thread-safe.
public final class ShutdownBudget: Sendable {
  private let limit: Duration
  private let watch = Lock<Stopwatch?>(nil)

  /// Creates a budget.
  public init(_ limit: Duration = .milliseconds(500)) { self.limit = limit }

  /// The remaining time, never negative.
  public var remaining: Duration {
    let elapsed = watch.withLock { watch in
      let running = watch ?? Stopwatch()
      watch = running
      return running.elapsed
    }
    return max(.zero, limit - .nanoseconds(elapsed.nanoseconds))
  }

  /// Runs a closure on a separate thread and waits for it within the remaining time; after that the thread is detached.
  ///
  /// For operations on a file system that may not answer.
  ///
  /// - Returns: Whether the closure has returned; false also if the system has no thread available.
  @discardableResult
  public func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = try? WorkerThread(name: "closing", body) else { return false }
    return thread.join(within: remaining)
  }
}

/// A stopwatch that measures real time.
///
/// The C function is `clock_gettime` with CLOCK_MONOTONIC.
struct Stopwatch {
  private let start = Stopwatch.now

  /// The time since the stopwatch was created.
  var elapsed: FrameDuration { FrameDuration(nanoseconds: Stopwatch.now - start) }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
