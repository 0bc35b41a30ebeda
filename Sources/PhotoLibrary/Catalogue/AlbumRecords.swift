package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// The records of an album, which are computed and not stored.
package struct AlbumRecords: PhotoRecords {
  private let album: any PictureAlbum
  /// The number of listed pictures.
  package private(set) var count = 0

  /// Creates the records of an album without listed pictures.
  package init(_ album: any PictureAlbum) { self.album = album }

  /// Returns the identifier of the picture with the given number.
  package static func id(ofNumber number: Int) -> PhotoID { PhotoID(rawValue: UInt32(number) + 1) }

  /// Always 0: nothing is stored per picture.
  package var bytesPerItem: Int { 0 }

  /// Always true: everything is computed from the number.
  package var isComputed: Bool { true }

  /// Does nothing: an album is not scanned again.
  package func beginScan() {}

  /// Applies the number of listed pictures, and ignores all other events.
  package mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    if case .listed(let end) = event { count = max(count, end) }
    return CatalogueChange()
  }

  /// Returns nil: generated pictures have no paths.
  package func id(at path: PhotoPath) -> PhotoID? { nil }

  /// Returns nil: generated pictures have no folders.
  package func folder(of id: PhotoID) -> PhotoPath? { nil }

  /// Returns the bytes of the given picture's title.
  package func name(of id: PhotoID) -> ArraySlice<UInt8>? {
    number(of: id).map { Array(album.title(at: $0).utf8)[...] }
  }

  /// Returns nil: generated pictures have no file format.
  package func format(of id: PhotoID) -> ImageFormat? { nil }

  /// Returns false: generated pictures have no file with an embedded thumbnail.
  package func hasPreview(_ id: PhotoID) -> Bool { false }

  /// Returns the size of the given picture in pixels.
  package func size(of id: PhotoID) -> PixelSize? { number(of: id).map(album.size) }

  /// Returns the time at which the given picture was taken, in seconds since 1970.
  package func time(of id: PhotoID) -> Int64? { number(of: id).map(album.captureTime) }

  /// Returns nil: generated pictures never fail.
  package func failure(of id: PhotoID) -> PhotoFailure? { nil }

  /// Returns 0: generated pictures never change.
  package func version(of id: PhotoID) -> UInt64 { 0 }

  /// Returns a fingerprint with the picture's number, on a device number that no file system has.
  package func fingerprint(of id: PhotoID) -> FileFingerprint? {
    number(of: id).map {
      FileFingerprint(device: .max, inode: UInt64($0), byteCount: 0, modificationNanoseconds: 0)
    }
  }

  /// Returns the tiny preview of the given picture.
  package func tinyPreview(of id: PhotoID) -> TinyPreview? { number(of: id).flatMap(album.tinyPreview) }

  /// Returns a generated source with the picture's number.
  package func imageSource(of id: PhotoID) -> ImageSource? { number(of: id).map { .generated(UInt64($0)) } }

  /// Returns 0: generated pictures have no file.
  package func byteCount(of id: PhotoID) -> Int { 0 }

  private func number(of id: PhotoID) -> Int? {
    let number = Int(id.rawValue) - 1
    return (0..<count).contains(number) ? number : nil
  }
}

/// An album of generated pictures, which are computed from their numbers, starting at 0.
package protocol PictureAlbum: Sendable {
  /// Returns the title of the given picture.
  func title(at number: Int) -> String

  /// Returns the size of the given picture in pixels.
  func size(at number: Int) -> PixelSize

  /// Returns the time at which the given picture was taken, in seconds since 1970 in the camera's local time.
  ///
  /// Numbers go from month to month, latest month first, and forward in time within a month.
  func captureTime(at number: Int) -> Int64

  /// Returns a tiny preview of the given picture.
  ///
  /// Called on the main thread.
  func tinyPreview(at number: Int) -> TinyPreview?
}

extension PictureAlbum {
  /// Returns nil: no preview is available before the picture is drawn.
  package func tinyPreview(at number: Int) -> TinyPreview? { nil }
}
