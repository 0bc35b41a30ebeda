import ImageMetadata

/// Decides what a library tells that was listed once, by what a scan finds there now: a pure value.
///
/// Where all is as it was, the scan's own events; else the files of the listing in its order: one that is missing keeps its
/// place and shape and cannot be shown, one that was changed is shown as it is now, and one that is new is left out. A file
/// that does not tell when it was taken counts as taken when it did then.
public struct ListingReplay: Sendable {
  /// The events, a batch a frame.
  public let batches: [[LibraryEvent]]
  /// Files of the listing that are not there.
  public private(set) var missing: [PhotoPath] = []
  /// Files of the listing that have another length or another time of change.
  public private(set) var changed: [PhotoPath] = []
  /// Files that are there and are not in the listing.
  public private(set) var added: [PhotoPath] = []

  /// Compares.
  ///
  /// - Parameters:
  ///   - listing: what was listed; of two files at one path the first.
  ///   - scanned: the batches of a scan, to its end.
  ///   - portion: photographs a batch.
  /// - Complexity: O(n) in the files of both.
  public init(_ listing: [ListedFile], scanned: [[LibraryEvent]], batchSize: Int) {
    var listed: Set<PhotoPath> = []
    let listing = listing.filter { listed.insert($0.path).inserted }
    var found: [FoundPhoto] = []
    var facts: [UInt32: HeaderResult] = [:]
    for event in scanned.joined() {
      switch event {
      case .found(let photos): found += photos
      case .headers(let told): for fact in told { facts[fact.ordinal] = fact }
      default: break
      }
    }
    var places: [PhotoPath: Int] = [:]
    for (place, photo) in found.enumerated() { places[photo.path] = place }
    var (missing, changed): ([PhotoPath], [PhotoPath]) = ([], [])
    for file in listing {
      guard let place = places[file.path] else {
        missing.append(file.path)
        continue
      }
      let identity = facts[found[place].ordinal]?.identity ?? found[place].identity
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
      for place in first..<min(listing.count, first + max(1, batchSize)) {
        let file = listing[place]
        let known = places[file.path].map { found[$0] }
        photos.append(ListingReplay.makePhoto(file, known, at: UInt32(place)))
        headers.append(
          ListingReplay.makeHeaderResult(file, known.flatMap { facts[$0.ordinal] }, photos[photos.count - 1]))
      }
      batches.append([.found(photos), .headers(headers)])
    }
    var summary = ScanSummary()
    summary.found = listing.count
    batches.append([.finished(summary)])
    self.batches = batches
  }

  private static func makePhoto(_ file: ListedFile, _ known: FoundPhoto?, at place: UInt32) -> FoundPhoto {
    var photo =
      known
      ?? FoundPhoto(
        ordinal: place, folder: file.path.parent, name: Array(file.path.lastComponent),
        identity: FileIdentity(
          device: 0, inode: UInt64(place) + 1, byteCount: file.byteCount,
          modificationNanoseconds: file.modificationNanoseconds),
        failure: .missing)
    photo.ordinal = place
    return photo
  }

  /// What the header tells; of a file that is missing, what it told.
  private static func makeHeaderResult(_ file: ListedFile, _ known: HeaderResult?, _ photo: FoundPhoto) -> HeaderResult
  {
    if var known {
      known.ordinal = photo.ordinal
      return datedResult(known, file.captureTime)
    }
    var fact = HeaderResult(ordinal: photo.ordinal, identity: photo.identity, failure: photo.failure ?? .missing)
    // For its shape and its date alone: nobody reads it.
    fact.header = ImageHeader(format: .jpeg, storedSize: file.size, captureTime: file.captureTime)
    return fact
  }

  /// What a scan told, with the times of files that tell none.
  private static func datedEvent(_ event: LibraryEvent, dated times: [UInt32: Int64]) -> LibraryEvent {
    guard case .headers(let facts) = event else { return event }
    return .headers(facts.map { datedResult($0, times[$0.ordinal]) })
  }

  private static func datedResult(_ fact: HeaderResult, _ time: Int64?) -> HeaderResult {
    guard let time, fact.header?.captureTime == nil else { return fact }
    var fact = fact
    // Of one that cannot be shown the header is for its date alone: nobody reads it.
    fact.header = fact.header ?? ImageHeader(format: .jpeg)
    fact.header?.captureTime = time
    return fact
  }
}
