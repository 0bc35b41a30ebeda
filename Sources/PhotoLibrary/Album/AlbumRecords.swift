public import Geometry
public import ImageMetadata
public import ImagePipeline

/// What is known of the pictures of an album: nothing is kept for any of them.
public struct AlbumRecords: PhotoRecords {
  private let album: any PictureAlbum
  /// How many pictures were listed.
  public private(set) var count = 0

  /// Makes the records of an album of which no picture is listed yet.
  public init(_ album: any PictureAlbum) { self.album = album }

  /// The name of the picture with a number.
  public static func id(ofNumber number: Int) -> PhotoID { PhotoID(rawValue: UInt32(number) + 1) }

  /// Nothing is held for a picture.
  public var bytesPerItem: Int { 0 }

  /// Everything follows from the number.
  public var isComputed: Bool { true }

  /// An album is not read again.
  public func beginScan() {}

  /// Takes in that pictures are listed; what a scan of files tells means nothing here.
  public mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    if case .listed(let end) = event { count = max(count, end) }
    return CatalogueChange()
  }

  /// Pictures without files have no paths.
  public func id(at path: PhotoPath) -> PhotoID? { nil }

  /// Pictures without files have no folders.
  public func folder(of id: PhotoID) -> PhotoPath? { nil }

  /// The bytes of a picture's title.
  public func name(of id: PhotoID) -> ArraySlice<UInt8>? { number(of: id).map { Array(album.title(at: $0).utf8)[...] } }

  /// Pictures without files have no format.
  public func format(of id: PhotoID) -> ImageFormat? { nil }

  /// A painted picture has no file, and so no small picture in it.
  public func hasPreview(_ id: PhotoID) -> Bool { false }

  /// A picture's extent in pixels.
  public func size(of id: PhotoID) -> PixelSize? { number(of: id).map(album.size) }

  /// When a picture was taken, in seconds since 1970.
  public func time(of id: PhotoID) -> Int64? { number(of: id).map(album.captureTime) }

  /// Nothing is wrong with any of them.
  public func failure(of id: PhotoID) -> PhotoFailure? { nil }

  /// Pictures of an album never change.
  public func version(of id: PhotoID) -> UInt64 { 0 }

  /// The picture's number, on a device that no file is on.
  public func fingerprint(of id: PhotoID) -> FileFingerprint? {
    number(of: id).map {
      FileFingerprint(device: .max, inode: UInt64($0), byteCount: 0, modificationNanoseconds: 0)
    }
  }

  /// What a picture looks like, small.
  public func tinyPreview(of id: PhotoID) -> TinyPreview? { number(of: id).flatMap(album.tinyPreview) }

  /// The picture's number, by which it is painted.
  public func imageSource(of id: PhotoID) -> ImageSource? { number(of: id).map { .generated(UInt64($0)) } }

  /// There is no file.
  public func byteCount(of id: PhotoID) -> Int { 0 }

  private func number(of id: PhotoID) -> Int? {
    let number = Int(id.rawValue) - 1
    return (0..<count).contains(number) ? number : nil
  }
}
