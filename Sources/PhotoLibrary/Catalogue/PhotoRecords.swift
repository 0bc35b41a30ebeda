public import Geometry
public import ImageMetadata
public import ImagePipeline

/// What is known of a library's photographs, by their names.
///
/// A ``PhotoCatalogue`` keeps what a scan of files has told; ``AlbumRecords`` keep nothing and compute it.
public protocol PhotoRecords: Sendable {
  /// How many photographs there are.
  var count: Int { get }

  /// The memory that is held for each photograph, in bytes; 0 when there are none.
  var bytesPerItem: Int { get }

  /// Whether everything is computed from a photograph's number: nothing is ever to be learnt of it, and the library lists
  /// its photographs month by month.
  var isComputed: Bool { get }

  /// The same photographs, to be read on another thread while this one goes on being filled: without what finds them by
  /// their paths, which would be copied whole as soon as another photograph comes.
  ///
  /// ``id(at:)`` finds nothing there, and no event may be applied to it.
  ///
  /// - Complexity: O(1).
  var readOnlyCopy: any PhotoRecords { get }

  /// Says that the next events are those of a new scan.
  mutating func beginScan()

  /// Takes an event in, the events of one library in their order.
  mutating func apply(_ event: LibraryEvent) -> CatalogueChange

  /// The name of the photograph at a path; nothing where there is none.
  func id(at path: PhotoPath) -> PhotoID?

  /// The folder a photograph lies in; nothing where it has no file.
  func folder(of id: PhotoID) -> PhotoPath?

  /// The bytes of what a photograph is called.
  func name(of id: PhotoID) -> ArraySlice<UInt8>?

  /// The format of a photograph's file, once its first bytes were read.
  func format(of id: PhotoID) -> ImageFormat?

  /// Whether a photograph's file has a small picture of itself, as far as its first bytes were read.
  func hasPreview(_ id: PhotoID) -> Bool

  /// A photograph's extent in pixels as it is looked at, once it is known.
  func size(of id: PhotoID) -> PixelSize?

  /// When a photograph was taken, in seconds since 1970 by the camera's own clock, where that is known.
  func time(of id: PhotoID) -> Int64?

  /// Why a photograph cannot be shown, if that is known.
  func failure(of id: PhotoID) -> PhotoFailure?

  /// A number for the keys of caches: another one once what is behind the photograph was changed.
  func version(of id: PhotoID) -> UInt64

  /// By what is kept about a photograph is found again, in this run and later ones; nothing where it is not known what is
  /// behind it.
  func fingerprint(of id: PhotoID) -> FileFingerprint?

  /// What a photograph looks like, small, where that is known without its pixels.
  func tinyPreview(of id: PhotoID) -> TinyPreview?

  /// Where a photograph's pixels come from.
  func imageSource(of id: PhotoID) -> ImageSource?

  /// The bytes of a photograph's file; 0 where it has none.
  func byteCount(of id: PhotoID) -> Int

  /// Whether all is known of a photograph that its first bytes, or its list, tell.
  func isRead(_ id: PhotoID) -> Bool
}

extension PhotoRecords {
  /// These themselves: where all is computed nothing is kept to find them by.
  public var readOnlyCopy: any PhotoRecords { self }

  /// Of files nobody knows without reading them.
  public func tinyPreview(of id: PhotoID) -> TinyPreview? { nil }

  /// Whether all is known of a photograph that its first bytes tell.
  public func isRead(_ id: PhotoID) -> Bool { isComputed || format(of: id) != nil || failure(of: id) != nil }
}
