package import VitrineGeometry
import VitrineImageMetadata

/// The events that replay an earlier listing of a library, compared with a scan of the current files.
///
/// If the files are the same and in the same order, these are the events of the scan. Otherwise, they list the files of
/// the listing in its order: a missing file keeps its position and size and cannot be shown, a changed file is shown as
/// it is now, and new files are omitted. A file without a capture time gets the capture time from the listing.
package struct ListingReplay: Sendable {
  /// The events, one batch per frame.
  package let batches: [[LibraryEvent]]
  /// The files of the listing that no longer exist.
  package private(set) var missing: [PhotoPath] = []
  /// The files of the listing with a different length or modification date.
  package private(set) var changed: [PhotoPath] = []
  /// The files that exist but are not in the listing.
  package private(set) var added: [PhotoPath] = []

  /// Compares a listing with a scan.
  ///
  /// - Parameters:
  ///   - listing: The listed files. If two have the same path, the first one counts.
  ///   - scanned: The batches of a complete scan.
  ///   - batchSize: The number of photographs per batch.
  /// - Complexity: O(*n*) in the number of files of both.
  package init(_ listing: [ListedFile], scanned: [[LibraryEvent]], batchSize: Int) {
    var listed: Set<PhotoPath> = []
    let listing = listing.filter { listed.insert($0.path).inserted }
    var found: [FoundPhoto] = []
    var results: [UInt32: HeaderResult] = [:]
    for event in scanned.joined() {
      switch event {
      case .found(let photos): found += photos
      case .headers(let headerResults): for result in headerResults { results[result.ordinal] = result }
      default: break
      }
    }
    var indexByPath: [PhotoPath: Int] = [:]
    for (index, photo) in found.enumerated() { indexByPath[photo.path] = index }
    var (missing, changed): ([PhotoPath], [PhotoPath]) = ([], [])
    for file in listing {
      guard let index = indexByPath[file.path] else {
        missing.append(file.path)
        continue
      }
      let identity = results[found[index].ordinal]?.identity ?? found[index].identity
      if !file.matches(identity) { changed.append(file.path) }
    }
    let added = found.map(\.path).filter { !listed.contains($0) }
    (self.missing, self.changed, self.added) = (missing, changed, added)
    let isInOrder = missing.isEmpty && added.isEmpty && zip(listing, found).allSatisfy { $0.path == $1.path }
    guard !isInOrder || scanned.isEmpty else {
      var times: [UInt32: Int64] = [:]
      for (file, photo) in zip(listing, found) { times[photo.ordinal] = file.captureTime }
      self.batches = scanned.map { $0.map { ListingReplay.datedEvent($0, dated: times) } }
      return
    }
    var batches: [[LibraryEvent]] = []
    for first in stride(from: 0, to: max(1, listing.count), by: max(1, batchSize)) {
      var photos: [FoundPhoto] = []
      var headers: [HeaderResult] = []
      for index in first..<min(listing.count, first + max(1, batchSize)) {
        let file = listing[index]
        let foundPhoto = indexByPath[file.path].map { found[$0] }
        photos.append(ListingReplay.makePhoto(file, foundPhoto, at: UInt32(index)))
        headers.append(
          ListingReplay.makeHeaderResult(file, foundPhoto.flatMap { results[$0.ordinal] }, photos[photos.count - 1]))
      }
      batches.append([.found(photos), .headers(headers)])
    }
    var summary = ScanSummary()
    summary.found = listing.count
    batches.append([.finished(summary)])
    self.batches = batches
  }

  private static func makePhoto(_ file: ListedFile, _ found: FoundPhoto?, at index: UInt32) -> FoundPhoto {
    var photo =
      found
      ?? FoundPhoto(
        ordinal: index, folder: file.path.parent, name: Array(file.path.lastComponent),
        identity: FileIdentity(
          device: 0, inode: UInt64(index) + 1, byteCount: file.byteCount,
          modificationNanoseconds: file.modificationNanoseconds),
        failure: .missing)
    photo.ordinal = index
    return photo
  }

  /// Returns the scanned header with the listed capture time, or a header made from the listing for a missing file.
  private static func makeHeaderResult(_ file: ListedFile, _ scanned: HeaderResult?, _ photo: FoundPhoto)
    -> HeaderResult
  {
    if var scanned {
      scanned.ordinal = photo.ordinal
      return datedResult(scanned, file.captureTime)
    }
    var result = HeaderResult(ordinal: photo.ordinal, identity: photo.identity, failure: photo.failure ?? .missing)
    // Only for its size and date: the file is never decoded.
    result.header = ImageHeader(format: .jpeg, storedSize: file.size, captureTime: file.captureTime)
    return result
  }

  /// Returns the event with the listed capture times for files without one.
  private static func datedEvent(_ event: LibraryEvent, dated times: [UInt32: Int64]) -> LibraryEvent {
    guard case .headers(let results) = event else { return event }
    return .headers(results.map { datedResult($0, times[$0.ordinal]) })
  }

  private static func datedResult(_ result: HeaderResult, _ time: Int64?) -> HeaderResult {
    guard let time, result.header?.captureTime == nil else { return result }
    var result = result
    // If the file cannot be shown, the header is only for its date: the file is never decoded.
    result.header = result.header ?? ImageHeader(format: .jpeg)
    result.header?.captureTime = time
    return result
  }
}

/// A file of a library listing.
package struct ListedFile: Hashable, Sendable {
  /// The path of the file.
  package var path: PhotoPath
  /// The length in bytes.
  package var byteCount: Int64
  /// The modification date in nanoseconds since 1970.
  package var modificationNanoseconds: Int64
  /// The size in pixels, after orientation, or nil if it was unknown.
  package var size: PixelSize?
  /// The capture time in seconds since 1970 (see ``PhotoCatalogue/time(of:)``), or nil if it was unknown.
  package var captureTime: Int64?

  /// Creates a listed file.
  package init(
    path: PhotoPath, byteCount: Int64, modificationNanoseconds: Int64, size: PixelSize?, captureTime: Int64?
  ) {
    self.path = path
    self.byteCount = byteCount
    self.modificationNanoseconds = modificationNanoseconds
    self.size = size
    self.captureTime = captureTime
  }

  /// Returns whether a found file has the same length and modification date.
  func matches(_ identity: FileIdentity) -> Bool {
    identity.byteCount == byteCount && identity.modificationNanoseconds == modificationNanoseconds
  }
}

extension PhotoCatalogue {
  /// The listed files of a single scan, in its order.
  ///
  /// - Complexity: O(*n*) in the number of photographs.
  package var listing: [ListedFile] {
    (0..<count).compactMap { index in
      self[PhotoID(rawValue: UInt32(index) + 1)].map { photo in
        ListedFile(
          path: photo.path, byteCount: photo.identity.byteCount,
          modificationNanoseconds: photo.identity.modificationNanoseconds, size: photo.header?.size,
          captureTime: time(of: photo.id))
      }
    }
  }
}
