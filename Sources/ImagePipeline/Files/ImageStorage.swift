package import Geometry
package import Rendering
import Threads

/// The storage of thumbnails on disk, as a pipeline and its workers use it.
///
/// All methods are called from several threads. Those of the render thread never wait for the disk.
package protocol ImageStorage: AnyObject, Sendable {
  // MARK: Render thread

  /// Whether thumbnails of other programs are used.
  var usesSharedThumbnails: Bool { get }

  /// Records a request, which interrupts idle work.
  func recordRequest()

  /// Records that a frame is drawn.
  func recordFrame()

  /// The status of the thumbnails.
  var status: StorageStatus { get }

  /// Starts idle work, such as sharing thumbnails, if the storage has any.
  ///
  /// - Parameter makeDecoder: Returns a decoder for idle work on the thread that uses it, or nil if none is available.
  func startIdleWork(makeDecoder: @escaping @Sendable () -> IdleDecoder?) throws

  /// Finishes pending writes and ends the threads within the given time.
  func close(_ time: ShutdownBudget)

  // MARK: Workers

  /// Records that a worker has started a job.
  func beginWork()

  /// Records that a worker has finished a job.
  func endWork()

  /// Returns a thumbnail, or nil if there is none.
  func thumbnail(for key: FileFingerprint) -> StoredThumbnail?

  /// Stores a thumbnail later.
  func insert(_ thumbnail: StoredThumbnail, for key: FileFingerprint)

  /// Returns the image of another program's thumbnail of a file, or the failure that it recorded, or nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The bytes of its path.
  ///   - request: The request. For a preview, a thumbnail that is too small is enlarged.
  ///   - decode: Decodes an open file, which is the thumbnail.
  func sharedThumbnail(
    of file: borrowing ImageFile, at path: [UInt8], for request: ImageRequest,
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

  /// Creates a thumbnail.
  package init(bitmap: Bitmap, sourceSize: PixelSize? = nil) {
    self.bitmap = bitmap
    self.sourceSize = sourceSize
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
  /// The number of thumbnails and failures written to the shared folder.
  public package(set) var shared = 0
  /// A sentence that explains why no thumbnails are shared any more; nil if there is no fault.
  public package(set) var sharingFault: String?

  /// Creates the status of an empty storage.
  public init() {}
}
