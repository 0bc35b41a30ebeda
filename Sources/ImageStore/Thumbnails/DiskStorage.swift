import Geometry
public import ImagePipeline
import Rendering
import Threads

extension ImageStorageProvider {
  /// Storage in a folder.
  ///
  /// The pipeline throws `ThreadError` if the system has no thread available. A folder that cannot be used is no error:
  /// the pipeline's `storageStatus` describes it.
  public static func disk(_ configuration: StorageConfiguration) -> ImageStorageProvider {
    ImageStorageProvider { pixels, isLive in try DiskStorage(configuration, pixels: pixels, isLive: isLive) }
  }
}

/// The storage of a pipeline in a folder: its own thumbnails, and those shared with other programs.
final class DiskStorage: ImageStorage {
  private let configuration: StorageConfiguration
  private let store: ThumbnailStore
  /// The queue of thumbnails to share with other programs, or nil if none are.
  private let sharing: SharingCoordinator?
  private let sharer = Lock<ThumbnailSharer?>(nil)

  /// Opens the storage.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - pixels: The layout of thumbnails in memory.
  ///   - isLive: Whether the pipeline runs in real time. Only then thumbnails are shared.
  init(_ configuration: StorageConfiguration, pixels: PixelStorage, isLive: Bool) throws(ThreadError) {
    self.configuration = configuration
    store = try ThumbnailStore(configuration, pixels: pixels)
    let isSharing = isLive && configuration.sharesThumbnails && configuration.sharedThumbnails != nil
    sharing = isSharing ? SharingCoordinator(pause: configuration.idleTimeBeforeSharing) : nil
  }

  var usesSharedThumbnails: Bool { store.sharedThumbnails != nil }

  func recordRequest() { sharing?.recordRequest() }

  func recordFrame() { sharing?.recordFrame() }

  var status: StorageStatus {
    var status = store.status
    if let sharing { (status.shared, status.sharingFault) = sharing.status }
    return status
  }

  func startIdleWork(makeDecoder: @escaping @Sendable () -> IdleDecoder?) throws {
    guard let sharing, let folder = configuration.sharedThumbnails else { return }
    let started = try ThumbnailSharer(
      sharing, thumbnails: folder, excluded: [configuration.directory] + configuration.unsharedFolders,
      makeDecoder: makeDecoder)
    sharer.withLock { $0 = started }
  }

  func close(_ time: ShutdownBudget) {
    // All threads stop before any is waited for.
    sharing?.close()
    store.close(within: time.remaining)
    sharer.withLock { $0 }?.close(within: time.remaining)
  }

  func beginWork() { sharing?.beginWork() }

  func endWork() { sharing?.endWork() }

  func thumbnail(for key: FileFingerprint) -> StoredThumbnail? { store.thumbnail(for: key) }

  func insert(_ thumbnail: StoredThumbnail, for key: FileFingerprint) { store.insert(thumbnail, for: key) }

  func sharedThumbnail(
    of file: borrowing ImageFile, at path: [UInt8], for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    store.sharedThumbnails?.image(of: file, at: path, for: request, decode: decode)
  }

  func recordShown(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, sourceSize: PixelSize?) {
    // The run that made the thumbnail may have had no idle time to share it.
    sharing?.addCandidate(SharingCandidate.shown(path, version, request, of: sourceSize))
  }

  func recordDecoded(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome) {
    sharing?.addCandidate(SharingCandidate.decoded(path, version, request, outcome))
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
