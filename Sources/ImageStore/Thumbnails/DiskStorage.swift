import VitrineFileReading
import VitrineFramePacing
import VitrineGeometry
public import VitrineImagePipeline
import VitrineRendering
import VitrineThreads

extension ImageStorageProvider {
  /// Storage in a folder.
  ///
  /// The pipeline throws `ThreadError` if the system has no thread available. A folder that cannot be used is no error:
  /// the pipeline's `storageStatus` describes it.
  public static func disk(_ configuration: StorageConfiguration) -> ImageStorageProvider {
    ImageStorageProvider { pixels, isLive in try DiskStorage(configuration, pixels: pixels, isLive: isLive) }
  }
}

/// The storage of a pipeline in a folder: its own thumbnails, those shared with other programs, and the work that is
/// done while the pipeline is idle.
final class DiskStorage: ImageStorage {
  private let configuration: StorageConfiguration
  private let store: ThumbnailStore
  /// The queue of thumbnails to share with other programs, or nil if none are.
  private let sharing: SharingCoordinator?
  private let sharer = Lock<ThumbnailSharer?>(nil)
  private let libraryThumbnailer = Lock<LibraryThumbnailer?>(nil)
  private let monitor = IdleMonitor()
  private let isLive: Bool
  /// The reader of files of other programs, which starts a process when there are some.
  private let reader = FileReader()

  /// Opens the storage.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - pixels: The layout of thumbnails in memory.
  ///   - isLive: Whether the pipeline runs in real time. Only then work is done while it is idle.
  init(_ configuration: StorageConfiguration, pixels: PixelStorage, isLive: Bool) throws(ThreadError) {
    self.configuration = configuration
    store = try ThumbnailStore(configuration, pixels: pixels, reader: reader)
    self.isLive = isLive
    let isSharing = isLive && configuration.sharesThumbnails && configuration.sharedThumbnails != nil
    sharing = isSharing ? SharingCoordinator(monitor: monitor, pause: configuration.idleTime) : nil
  }

  var mayHaveThumbnails: Bool { true }

  func recordRequest() { monitor.recordRequest() }

  func recordFrame(at instant: FrameInstant) { monitor.recordFrame(at: instant) }

  var status: StorageStatus {
    var status = store.status
    if let sharing { (status.shared, status.sharingFault) = sharing.status }
    status.libraryProgress = libraryThumbnailer.withLock { $0 }?.progress
    return status
  }

  func startIdleWork(makeDecoder: @escaping @Sendable () -> IdleDecoder?) throws {
    guard isLive else { return }
    libraryThumbnailer.withLock {
      $0 = LibraryThumbnailer(
        store, monitor: monitor, pause: configuration.idleTime, threadCount: configuration.idleDecoders,
        directory: configuration.directory, reader: reader, makeDecoder: makeDecoder)
    }
    guard let sharing, let folder = configuration.sharedThumbnails else { return }
    let started = try ThumbnailSharer(
      sharing, thumbnails: folder, excluded: [configuration.directory] + configuration.unsharedFolders,
      fixes: configuration.securityFixes, reader: reader, makeDecoder: makeDecoder)
    sharer.withLock { $0 = started }
  }

  func makeThumbnails(of files: (any ThumbnailFiles)?) { libraryThumbnailer.withLock { $0 }?.setFiles(files) }

  func close(_ time: ShutdownBudget) {
    // All threads stop before any is waited for. The store comes first, as it has something to write.
    let libraryThumbnailer = libraryThumbnailer.withLock { $0 }
    sharing?.close()
    libraryThumbnailer?.stop()
    store.close(within: time.remaining)
    libraryThumbnailer?.close(within: time.remaining)
    sharer.withLock { $0 }?.close(within: time.remaining)
  }

  // The threads of the thumbnailer retain it, and the store.
  deinit { libraryThumbnailer.withLock { $0 }?.close(within: .zero) }

  func beginWork() { monitor.beginWork() }

  func endWork() { monitor.endWork() }

  func pixels(for key: FileFingerprint) -> StoredThumbnail? { store.pixels(for: key) }

  func insertPixels(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    store.insertPixels(thumbnail, for: key)
  }

  func storedImage(
    of file: borrowing ImageFile, at path: [UInt8], for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    let compressed = compressedImage(of: file.version, for: request, decode: decode)
    if case .success(let image)? = compressed, image.representation == .full { return compressed }
    if case .failure? = compressed { return compressed }
    // A shared thumbnail may be larger.
    return store.sharedThumbnails?.image(of: file, at: path, for: request, decode: decode) ?? compressed
  }

  /// Returns the image of a file's compressed thumbnail, or nil if there is none.
  ///
  /// For a preview, a thumbnail that is too small is enlarged.
  private func compressedImage(
    of version: ImageFile.Version, for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    guard let thumbnail = store.compressedThumbnail(of: version) else { return nil }
    guard thumbnail.matches(request) else {
      // Another is made with the new background.
      store.removeCompressedThumbnail(of: version)
      return nil
    }
    let isSufficient = thumbnail.isSufficient(for: request)
    guard isSufficient || request.representation == .embedded,
      let file = try? ImageFile(contents: thumbnail.bytes, name: "thumbnail")
    else { return nil }
    switch decode(file.number, file.version.identity, request.ofFullImage) {
    case .success(let decoded) where !decoded.isDamaged:
      let image = decoded.derived(from: thumbnail.origin)
      return .success(isSufficient ? image.markedStored(sourceSize: thumbnail.sourceSize) : image.markedPlaceholder)
    case .failure(.interrupted): return .failure(.interrupted)
    case .failure(let failure) where failure.persistence == .transient: return nil
    case .success, .failure:
      // A broken thumbnail, or one that stops a process, is not the file's fault.
      store.removeCompressedThumbnail(of: version)
      return nil
    }
  }

  func storedImage(
    ofUnreachable fingerprint: FileFingerprint, for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    guard let thumbnail = store.compressedThumbnail(for: fingerprint), thumbnail.matches(request),
      let file = try? ImageFile(contents: thumbnail.bytes, name: "thumbnail"),
      case .success(let image) = decode(file.number, file.version.identity, request.ofFullImage), !image.isDamaged
    else { return nil }
    return .success(image.derived(from: thumbnail.origin))
  }

  func recordShown(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, sourceSize: PixelSize?) {
    // The run that made the thumbnail may have had no idle time for it.
    makeThumbnail(of: path, version, request)
    sharing?.addCandidate(SharingCandidate.shown(path, version, request, of: sourceSize))
  }

  func recordDecoded(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome) {
    if case .success(let image) = outcome, !image.isDamaged { makeThumbnail(of: path, version, request) }
    sharing?.addCandidate(SharingCandidate.decoded(path, version, request, outcome))
  }

  /// Makes the thumbnail of a file that was shown in no more pixels than a thumbnail has.
  ///
  /// A single large image is shown on another background.
  private func makeThumbnail(of path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest) {
    guard max(request.key.size.width, request.key.size.height) <= LibraryThumbnailer.side else { return }
    libraryThumbnailer.withLock { $0 }?
      .addShown(ThumbnailFile(path: path, fingerprint: version.fingerprint), background: request.background)
  }
}

/// The configuration of a pipeline's disk storage.
public struct StorageConfiguration: Hashable, Sendable {
  /// The bytes of the cache folder's path; the folder is created if it is missing.
  public var directory: [UInt8]
  /// The maximum size of the compressed thumbnails on disk in bytes.
  public var thumbnailBytes: Int
  /// The maximum size of the pixels of the thumbnails shown last on disk in bytes.
  public var pixelBytes: Int
  /// The bytes of the absolute path of the shared thumbnails (freedesktop.org); nil to ignore them.
  public var sharedThumbnails: [UInt8]?
  /// Whether thumbnails are also written to the shared folder while the pipeline is idle; in real time only.
  public var sharesThumbnails: Bool
  /// The bytes of the paths of folders whose images get no shared thumbnails, in addition to ``directory`` and the
  /// folder of thumbnails itself.
  public var unsharedFolders: [[UInt8]]
  /// The number of decoding processes that make the thumbnails of a library at the same time.
  public var idleDecoders: Int
  /// The time without requests and frames after which idle work starts.
  var idleTime = Duration.seconds(1)
  /// The fixes of decoders; what a decoder made before its fix is made again.
  var securityFixes = SecurityFixes.current

  /// Creates a configuration.
  ///
  /// - Precondition: The sizes and the number of decoders are positive.
  public init(
    directory: [UInt8], thumbnailBytes: Int = 3 << 29, pixelBytes: Int = 96 << 20, sharedThumbnails: [UInt8]? = nil,
    sharesThumbnails: Bool = false, unsharedFolders: [[UInt8]] = [], idleDecoders: Int = 2
  ) {
    self.directory = directory
    self.thumbnailBytes = thumbnailBytes
    self.pixelBytes = pixelBytes
    self.idleDecoders = idleDecoders
    self.sharedThumbnails = sharedThumbnails
    self.sharesThumbnails = sharesThumbnails
    self.unsharedFolders = unsharedFolders
  }
}
