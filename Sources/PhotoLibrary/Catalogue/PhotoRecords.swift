package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// A source of information about the photographs of a library.
///
/// A ``PhotoCatalogue`` stores the results of file scans. ``AlbumRecords`` store nothing and compute every answer.
package protocol PhotoRecords: Sendable {
  /// The number of photographs.
  var count: Int { get }

  /// The memory used per photograph, in bytes; 0 if there are no photographs.
  var bytesPerItem: Int { get }

  /// Whether everything is computed from a photograph's number.
  ///
  /// If true, photographs never change and the library lists them month by month.
  var isComputed: Bool { get }

  /// A copy for reading on another thread while events are applied to the original.
  ///
  /// The copy cannot look up paths, because the index would have to be copied as a whole as soon as the original adds a
  /// photograph. ``id(at:)`` returns nil, and no event may be applied to the copy.
  ///
  /// - Complexity: O(1).
  var readOnlyCopy: any PhotoRecords { get }

  /// Starts a new scan: the next events belong to it.
  mutating func beginScan()

  /// Applies an event.
  ///
  /// The events of one library must be applied in order.
  mutating func apply(_ event: LibraryEvent) -> CatalogueChange

  /// Returns the identifier of the photograph at the given path, or nil if there is none.
  func id(at path: PhotoPath) -> PhotoID?

  /// Returns the folder of the given photograph, or nil if it has no file.
  func folder(of id: PhotoID) -> PhotoPath?

  /// Returns whether a photograph of a folder, or of one within, satisfies a condition.
  func containsPhoto(within folder: PhotoPath, where condition: (PhotoID) -> Bool) -> Bool

  /// Returns the index of the list that contains the given picture, or nil if it is in none.
  func list(of id: PhotoID) -> Int?

  /// Returns the position of the given picture in its list, or nil if it is in none.
  func listPosition(of id: PhotoID) -> Int?

  /// Returns the bytes of the given photograph's name.
  func name(of id: PhotoID) -> ArraySlice<UInt8>?

  /// Returns the format of the given photograph's file, or nil if its header has not been read.
  func format(of id: PhotoID) -> ImageFormat?

  /// Returns whether the given photograph's file is known to contain an embedded thumbnail.
  func hasPreview(_ id: PhotoID) -> Bool

  /// Returns the size of the given photograph in pixels, after orientation, or nil if it is unknown.
  func size(of id: PhotoID) -> PixelSize?

  /// Returns the time at which the given photograph was taken, in seconds since 1970 in the camera's local time, or nil
  /// if it is unknown.
  func time(of id: PhotoID) -> Int64?

  /// Returns the camera of the given photograph, or nil if it is unknown.
  func camera(of id: PhotoID) -> String?

  /// Returns the rating of the given photograph, 1 to 5, or 0 if it has none.
  func rating(of id: PhotoID) -> Int

  /// Returns whether the given photograph's file states where it was taken.
  func hasLocation(_ id: PhotoID) -> Bool

  /// Returns why the given photograph cannot be shown, or nil if no reason is known.
  func failure(of id: PhotoID) -> PhotoFailure?

  /// Returns a number for cache keys that changes when the photograph's content changes.
  func version(of id: PhotoID) -> UInt64

  /// Returns the key under which data about the given photograph is cached, in this run and in later ones, or nil if
  /// its content is unknown.
  func fingerprint(of id: PhotoID) -> FileFingerprint?

  /// Returns a tiny preview of the given photograph, or nil if none is available without its pixels.
  func tinyPreview(of id: PhotoID) -> TinyPreview?

  /// Returns the source of the given photograph's pixels.
  func imageSource(of id: PhotoID) -> ImageSource?

  /// Returns the size of the given photograph's file in bytes, or 0 if it has no file.
  func byteCount(of id: PhotoID) -> Int

  /// Returns whether everything that the photograph's header or list entry contains is known.
  func isRead(_ id: PhotoID) -> Bool
}

extension PhotoRecords {
  /// The records themselves: computed records have no index to leave out.
  package var readOnlyCopy: any PhotoRecords { self }

  /// Returns false: only files have folders.
  package func containsPhoto(within folder: PhotoPath, where condition: (PhotoID) -> Bool) -> Bool { false }

  /// Returns nil: only pictures on the web are in lists.
  package func list(of id: PhotoID) -> Int? { nil }

  /// Returns nil: only pictures on the web are in lists.
  package func listPosition(of id: PhotoID) -> Int? { nil }

  /// Returns nil: only files state a camera.
  package func camera(of id: PhotoID) -> String? { nil }

  /// Returns 0: only files state a rating.
  package func rating(of id: PhotoID) -> Int { 0 }

  /// Returns false: only files state a location.
  package func hasLocation(_ id: PhotoID) -> Bool { false }

  /// Returns nil: the preview of a file is unknown until the file is decoded.
  package func tinyPreview(of id: PhotoID) -> TinyPreview? { nil }

  /// Returns whether everything that the photograph's header contains is known.
  package func isRead(_ id: PhotoID) -> Bool { isComputed || format(of: id) != nil || failure(of: id) != nil }
}

/// The changes that one scan event made to a catalogue, in the order of the event.
package struct CatalogueChange: Hashable, Sendable {
  /// The photographs that the scan listed, new or known; appended to the previously listed ones, they form the library
  /// in its final order.
  package var listed: [PhotoID] = []
  /// The listed photographs that are new.
  package var added: [PhotoID] = []
  /// Known photographs whose file, header or failure has changed; their cells must be reconfigured.
  package var changed: [PhotoID] = []
  /// The changed photographs whose file is different now.
  package var replaced: [PhotoID] = []
  /// Known photographs that a folder which was listed again does not contain any more, in no particular order.
  ///
  /// Some may have been removed before.
  package var unlisted: [PhotoID] = []

  /// Creates an empty change.
  package init() {}

  /// Whether nothing changed.
  package var isEmpty: Bool { listed.isEmpty && added.isEmpty && changed.isEmpty && unlisted.isEmpty }
}
