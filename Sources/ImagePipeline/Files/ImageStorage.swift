package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
import VitrineThreads

/// The storage of thumbnails on disk, as a pipeline and its workers use it.
///
/// All methods are called from several threads. Those of the render thread never wait for the disk.
package protocol ImageStorage: AnyObject, Sendable {
  // MARK: Render thread

  /// Whether a file may have a thumbnail that was made before.
  var mayHaveThumbnails: Bool { get }

  /// Records a request, which interrupts idle work.
  func recordRequest()

  /// Records that a frame is drawn at a time of the frame clock.
  func recordFrame(at instant: FrameInstant)

  /// The status of the thumbnails.
  var status: StorageStatus { get }

  /// Starts idle work, such as sharing thumbnails, if the storage has any.
  ///
  /// - Parameter makeDecoder: Returns a decoder for idle work on the thread that uses it, or nil if none is available.
  func startIdleWork(makeDecoder: @escaping @Sendable () -> IdleDecoder?) throws

  /// Makes and stores the thumbnails of files while the pipeline is idle, in place of those that were set before.
  func makeThumbnails(of files: (any ThumbnailFiles)?)

  /// Finishes pending writes and ends the threads within the given time.
  func close(_ time: ShutdownBudget)

  // MARK: Workers

  /// Records that a worker has started a job.
  func beginWork()

  /// Records that a worker has finished a job.
  func endWork()

  /// Returns the pixels of a thumbnail, or nil if there are none.
  func pixels(for key: FileFingerprint) -> StoredThumbnail?

  /// Stores the pixels of a thumbnail later.
  func insertPixels(_ thumbnail: StoredThumbnail, for key: FileFingerprint)

  /// Returns the image of a compressed thumbnail of a file, of our own or of another program, or the failure that was
  /// recorded, or nil if there is none.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The bytes of its path.
  ///   - request: The request. For a preview, a thumbnail that is too small is enlarged.
  ///   - decode: Decodes an open file, which is the thumbnail.
  func storedImage(
    of file: borrowing ImageFile, at path: [UInt8], for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome?

  /// Returns the image of a compressed thumbnail of a file that cannot be opened, or nil if there is none.
  ///
  /// A thumbnail that is too small is enlarged.
  ///
  /// - Parameters:
  ///   - fingerprint: The version of the file.
  ///   - request: The request.
  ///   - decode: Decodes an open file, which is the thumbnail.
  func storedImage(
    ofUnreachable fingerprint: FileFingerprint, for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome?

  /// Records that a stored thumbnail was shown.
  func recordShown(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, sourceSize: PixelSize?)

  /// Records that a file was decoded, or could not be.
  func recordDecoded(_ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome)
}

/// A description of a pipeline's disk storage, which the pipeline opens.
///
/// The module ImageStore provides one: `.disk(_:)`.
public struct ImageStorageProvider: Sendable {
  /// Opens the storage.
  ///
  /// The parameters are the layout of pixels in memory, and whether the pipeline runs in real time.
  package let open: @Sendable (_ pixels: PixelStorage, _ isLive: Bool) throws -> any ImageStorage

  /// Creates a provider.
  package init(open: @escaping @Sendable (_ pixels: PixelStorage, _ isLive: Bool) throws -> any ImageStorage) {
    self.open = open
  }
}

/// A thumbnail as it is stored on disk.
package struct StoredThumbnail: Sendable {
  /// The opaque pixels.
  package var bitmap: Bitmap
  /// The size of the original, if known.
  package var sourceSize: PixelSize?
  /// The decoders that made the pixels; nil if unknown, after which they are not stored.
  package var origin: DecoderOrigin?

  /// Creates a thumbnail.
  package init(bitmap: Bitmap, sourceSize: PixelSize? = nil, origin: DecoderOrigin?) {
    self.bitmap = bitmap
    self.sourceSize = sourceSize
    self.origin = origin
  }
}

extension StoredThumbnail {
  /// Returns whether the size satisfies a request; files on disk are not trusted.
  func satisfies(_ request: ImageRequest) -> Bool {
    let (size, requested) = (bitmap.size, request.key.size)
    guard size.width <= requested.width, size.height <= requested.height else { return false }
    return request.key.fit != .fill || size == requested
  }
}

/// The files of a library whose thumbnails are made while the pipeline is idle.
///
/// The methods are called on other threads.
public protocol ThumbnailFiles: Sendable {
  /// The number of files.
  var count: Int { get }

  /// The colour behind transparent pixels: red in the lowest byte, then green, then blue.
  var background: UInt32 { get }

  /// Returns a file, or nil if there is none at an index or it has no thumbnail.
  ///
  /// - Parameter index: The index, from 0 to ``count``.
  func file(at index: Int) -> ThumbnailFile?
}

/// A file whose thumbnail is made.
public struct ThumbnailFile: Hashable, Sendable {
  /// The bytes of the path.
  public var path: [UInt8]
  /// The fingerprint, by which an existing thumbnail is found without opening the file.
  public var fingerprint: FileFingerprint

  /// Creates a file.
  public init(path: [UInt8], fingerprint: FileFingerprint) {
    self.path = path
    self.fingerprint = fingerprint
  }
}

/// The progress of making the thumbnails of a library.
public struct ThumbnailProgress: Hashable, Sendable {
  /// The number of files that have a thumbnail or get none.
  public var doneCount: Int
  /// The number of files.
  public var totalCount: Int

  /// Creates a progress.
  public init(doneCount: Int, totalCount: Int) {
    self.doneCount = doneCount
    self.totalCount = totalCount
  }

  /// Whether all files are done.
  public var isComplete: Bool { doneCount == totalCount }
}

/// The status of the thumbnails on disk.
public struct StorageStatus: Hashable, Sendable {
  /// A sentence that explains why no thumbnails are stored any more; nil if there is no fault.
  public package(set) var fault: String?
  /// The number of thumbnails.
  public package(set) var count = 0
  /// The size of the thumbnails in bytes.
  public package(set) var byteCount = 0
  /// The number of thumbnails written or rewritten by this instance.
  public package(set) var written = 0
  /// The number of thumbnails that were not written because the disk was too slow or full.
  public package(set) var dropped = 0
  /// The number of thumbnails that were not used because their decoder was fixed after it made them, or because their
  /// origin is unknown.
  public package(set) var rejected = 0
  /// The progress of making a library's thumbnails; nil if none are being made.
  public package(set) var libraryProgress: ThumbnailProgress?
  /// The number of thumbnails and failures written to the shared folder.
  public package(set) var shared = 0
  /// A sentence that explains why no thumbnails are shared any more; nil if there is no fault.
  public package(set) var sharingFault: String?

  /// Creates the status of an empty storage.
  public init() {}
}
