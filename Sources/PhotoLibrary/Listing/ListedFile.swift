public import Geometry
import ImageMetadata

/// A file of a library as it was once listed.
public struct ListedFile: Hashable, Sendable {
  /// Where it lay.
  public var path: PhotoPath
  /// Its length in bytes.
  public var byteCount: Int64
  /// When it was last changed, in nanoseconds since 1970.
  public var modificationNanoseconds: Int64
  /// Its extent in pixels as it is looked at, where that was known.
  public var size: PixelSize?
  /// When it counted as taken, in seconds since 1970 (``PhotoCatalogue/time(of:)``), where that was known.
  public var captureTime: Int64?

  /// Makes one.
  public init(
    path: PhotoPath, byteCount: Int64, modificationNanoseconds: Int64, size: PixelSize?, captureTime: Int64?
  ) {
    self.path = path
    self.byteCount = byteCount
    self.modificationNanoseconds = modificationNanoseconds
    self.size = size
    self.captureTime = captureTime
  }

  /// Whether a file that was found is this one, unchanged.
  func matches(_ identity: FileIdentity) -> Bool {
    identity.byteCount == byteCount && identity.modificationNanoseconds == modificationNanoseconds
  }
}

extension PhotoCatalogue {
  /// The files of a library of which one scan told, in its order.
  /// - Complexity: O(photographs).
  public var listing: [ListedFile] {
    (0..<count).compactMap { place in
      self[PhotoID(rawValue: UInt32(place) + 1)].map { photo in
        ListedFile(
          path: photo.path, byteCount: photo.identity.byteCount,
          modificationNanoseconds: photo.identity.modificationNanoseconds, size: photo.header?.size,
          captureTime: time(of: photo.id))
      }
    }
  }
}
