import GalleryUI
import ImageMetadata
import PhotoLibrary

/// A feed whose events a test writes, portion by portion.
final class FakeFeed: LibraryFeed {
  var title = "Holiday"
  var activity: String?
  var progress: Double?
  var emptyTexts = (headline: "No pictures here", hint: "Put some in")
  /// Pictures without files that it tells of, in place of photographs.
  var album: (any PictureAlbum)?
  private(set) var isComplete = false
  private var portions: [[LibraryEvent]] = []
  private var found: UInt32 = 0

  var hasPendingEvents: Bool { !portions.isEmpty }

  func takePendingEvents() -> [LibraryEvent] {
    guard !portions.isEmpty else { return [] }
    let events = portions.removeFirst()
    for case .finished in events { isComplete = true }
    return events
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    return album.map { AlbumRecords($0) } ?? catalogue
  }

  func end() {}

  /// Whether there is anything to read again, and how often that was asked.
  var canRescan = true
  private(set) var rescans = 0

  func rescan() -> Bool {
    rescans += 1
    guard canRescan else { return false }
    isComplete = false
    found = 0
    return true
  }

  /// Writes the next portion.
  func write(_ events: LibraryEvent...) { portions.append(events) }

  /// Photographs in the order of the scan, after those of before.
  func photos(
    _ count: Int, failing failure: PhotoFailure? = nil, byteCount: Int64 = 0,
    name: (UInt32) -> String = { "IMG_\($0).JPG" }
  ) -> LibraryEvent {
    let photos = (0..<count).map { _ in
      defer { found += 1 }
      return FoundPhoto(
        ordinal: found, folder: PhotoPath("/pictures"), name: Array(name(found).utf8),
        identity: FakeFeed.identity(found, byteCount: byteCount), failure: failure)
    }
    return .found(photos)
  }

  static func identity(_ number: UInt32, version: Int64 = 1, byteCount: Int64 = 0) -> FileIdentity {
    FileIdentity(device: 1, inode: UInt64(number) + 1, byteCount: byteCount, modificationNanoseconds: version)
  }

  /// What reading the headers of photographs told, from the one at a place on.
  static func headers(_ first: UInt32, _ headers: [ImageHeader]) -> LibraryEvent {
    .headers(
      headers.enumerated().map { place, header in
        HeaderResult(
          ordinal: first + UInt32(place), identity: identity(first + UInt32(place)), header: header)
      })
  }

  static var end: LibraryEvent { .finished(ScanSummary()) }
}
