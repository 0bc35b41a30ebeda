import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// The texts, locations and pixel sources of photographs, read from their records and previews.
///
/// It is made for a few reads. It must not be stored, because the records would be copied when the next event changes
/// them.
struct PhotoDescriptions {
  private let records: any PhotoRecords
  private let previews: PhotoPreviewCache

  /// Creates the descriptions of the photographs with the given records and previews.
  init(_ records: any PhotoRecords, previews: PhotoPreviewCache) {
    self.records = records
    self.previews = previews
  }

  // MARK: Texts

  /// Returns the capture date of a photograph for display, or an empty string if it is unknown.
  func dateText(of item: PhotoID) -> String {
    records.time(of: item).map { CalendarMoment(secondsSince1970: $0).text } ?? ""
  }

  /// Returns the size of a photograph in pixels for display, or an empty string if it is unknown.
  func extentText(of item: PhotoID) -> String {
    records.size(of: item).map { "\($0.width) × \($0.height)" } ?? ""
  }

  /// Returns the month section of a photograph.
  func month(of item: PhotoID) -> GallerySection {
    records.time(of: item).map { .month(CalendarMonth(containing: $0)) } ?? .undated
  }

  /// Returns the capture day of a photograph, such as `3 July 2024`, or nil if it is unknown.
  func dayText(of item: PhotoID) -> String? {
    records.time(of: item).map { CalendarMoment(secondsSince1970: $0) }.map { "\($0.day) \($0.month.name)" }
  }

  /// Returns the uppercase initial of a photograph's name, `#` if it is not a letter, or nil if there is no name.
  func initial(of item: PhotoID) -> String? {
    guard let name = records.name(of: item), !name.isEmpty else { return nil }
    let first = String(decoding: name.prefix(4), as: UTF8.self).unicodeScalars.first
    return first.map { $0.properties.isAlphabetic ? $0.properties.uppercaseMapping : "#" }
  }

  /// Returns the name of a photograph for display.
  func caption(of item: PhotoID) -> String {
    records.name(of: item).map { SanitizedText(bytes: $0).string } ?? ""
  }

  /// Returns a short reason why the file of a photograph cannot be shown, or nil if there is none.
  func failure(of item: PhotoID) -> String? { records.failure(of: item)?.description }

  /// Returns a short reason why a picture could not be loaded.
  ///
  /// For a format without a decoder, it names the format.
  func failureText(for failure: ImageFailure, of item: PhotoID) -> String {
    if case .refused(.unsupportedFormat) = failure, let format = records.format(of: item) {
      return "no preview for \(format.name)"
    }
    return failure.description
  }

  // MARK: Files

  /// Returns the location of a photograph, or nil if it has no file.
  func location(of item: PhotoID) -> PictureLocation? {
    switch records.imageSource(of: item) {
    case .file(path: let path): .file(PhotoPath(path).absolute.bytes)
    case .remote(let image): .url(image.address)
    case .memory, .generated, nil: nil
    }
  }

  /// Returns the size of a photograph's file in bytes, or 0 if it has no file.
  func byteCount(of item: PhotoID) -> Int64 { Int64(records.byteCount(of: item)) }

  // MARK: Pixels

  /// Returns the data of a photograph that the image pipeline needs, or nil if the photograph cannot be shown.
  func reference(to item: PhotoID) -> PhotoReference? {
    guard records.failure(of: item) == nil, let pixels = records.imageSource(of: item) else { return nil }
    return PhotoReference(
      source: pixels, sourceID: PhotoDescriptions.sourceID(of: item, version: records.version(of: item)),
      fileBytes: records.byteCount(of: item), hasPreview: records.hasPreview(item),
      fingerprint: records.fingerprint(of: item))
  }

  /// Returns a hash of the item and its file's version, which differs between versions of a file and between items.
  private static func sourceID(of item: PhotoID, version: UInt64) -> UInt64 {
    (version ^ UInt64(item.rawValue)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Returns the recorded or computed tiny preview of a photograph, or nil if there is none.
  func tinyPreview(of item: PhotoID) -> TinyPreview? {
    records.fingerprint(of: item).flatMap { previews[$0] } ?? records.tinyPreview(of: item)
  }

  /// Returns the size of a photograph in pixels, from its file or else from its preview.
  func size(of item: PhotoID) -> PixelSize? { records.size(of: item) ?? tinyPreview(of: item)?.pictureSize }
}

/// The data of a photograph that the image pipeline needs.
struct PhotoReference {
  /// The source of the pixels.
  var source: ImageSource
  /// A hash of the item and the version of its pixels.
  var sourceID: UInt64
  /// The size of the file in bytes.
  var fileBytes: Int
  /// Whether the file contains an embedded thumbnail.
  var hasPreview: Bool
  /// The key under which the preview of the file is stored.
  var fingerprint: FileFingerprint?
}
