import Testing
import VitrineGeometry
import VitrineImageMetadata

@testable import VitrinePhotoLibrary

@Suite("A listed library is replayed with the files that a scan finds")
struct ListingReplayTests {
  private static func identity(_ number: Int, changed: Int64 = 5) -> FileIdentity {
    FileIdentity(device: 1, inode: UInt64(number) + 1, byteCount: 100, modificationNanoseconds: changed)
  }

  private static func path(_ number: Int) -> PhotoPath { PhotoPath("/p/\(number).jpg") }

  /// Returns the events of a scan, with two photos per batch.
  private static func scan(_ numbers: [Int], changed: Set<Int> = []) -> [[LibraryEvent]] {
    var batches: [[LibraryEvent]] = []
    for first in stride(from: 0, to: numbers.count, by: 2) {
      let part = Array(numbers.enumerated())[first..<min(numbers.count, first + 2)]
      let photos = part.map { offset, number in
        FoundPhoto(
          ordinal: UInt32(offset), folder: PhotoPath("/p"), name: Array("\(number).jpg".utf8),
          identity: identity(number, changed: changed.contains(number) ? 6 : 5))
      }
      let headers = photos.map {
        HeaderResult(
          ordinal: $0.ordinal, identity: $0.identity,
          header: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30)))
      }
      batches.append([.found(photos), .headers(headers)])
    }
    return batches + [[.finished(ScanSummary())]]
  }

  private static func catalogue(of batches: [[LibraryEvent]]) -> PhotoCatalogue {
    var catalogue = PhotoCatalogue()
    for event in batches.joined() { _ = catalogue.apply(event) }
    return catalogue
  }

  private static let listing = catalogue(of: scan([0, 1, 2, 3, 4])).listing

  @Test("If no file has changed, the replay consists of the scan's events")
  func unchanged() {
    #expect(Self.listing.map(\.path) == (0...4).map(Self.path))
    let scanned = Self.scan([0, 1, 2, 3, 4])
    let replay = ListingReplay(Self.listing, scanned: scanned, batchSize: 2)
    #expect(replay.batches == scanned)
    #expect(replay.missing.isEmpty && replay.changed.isEmpty && replay.added.isEmpty)
  }

  @Test("A changed file is reported, and its new version is shown")
  func changed() {
    let scanned = Self.scan([0, 1, 2, 3, 4], changed: [3])
    let replay = ListingReplay(Self.listing, scanned: scanned, batchSize: 2)
    #expect(replay.batches == scanned && replay.changed == [Self.path(3)] && replay.missing.isEmpty)
  }

  @Test("A missing file keeps its index and size, and a new file is left out")
  func missing() throws {
    let replay = ListingReplay(Self.listing, scanned: Self.scan([9, 0, 2, 4]), batchSize: 2)
    #expect(replay.missing == [Self.path(1), Self.path(3)] && replay.added == [Self.path(9)])
    #expect(replay.batches.count == 4)
    let catalogue = Self.catalogue(of: replay.batches)
    #expect(catalogue.listing.map(\.path) == (0...4).map(Self.path))
    #expect(catalogue.listing.map(\.size) == Self.listing.map(\.size))
    for (index, file) in catalogue.listing.enumerated() {
      let id = try #require(catalogue.id(at: file.path))
      #expect(catalogue.failure(of: id) == (index % 2 == 0 ? nil : .missing))
    }
  }

  @Test("A file without a date keeps its listed date, and a path that is listed twice is shown once")
  func dates() throws {
    let day: Int64 = 86_400
    var listing = Self.listing
    listing[1].captureTime = 3 * day
    listing.append(listing[2])
    for scanned in [Self.scan([0, 1, 2, 3, 4]), Self.scan([1, 2, 3, 4], changed: [1])] {
      let replay = ListingReplay(listing, scanned: scanned, batchSize: 2)
      var catalogue = PhotoCatalogue()
      catalogue.datesByFile = false
      for event in replay.batches.joined() { _ = catalogue.apply(event) }
      #expect(catalogue.count == 5)
      for number in 0..<5 {
        let id = try #require(catalogue.id(at: Self.path(number)))
        #expect(catalogue.time(of: id) == (number == 1 ? 3 * day : nil))
      }
      #expect(catalogue.listing.map(\.captureTime) == listing.prefix(5).map(\.captureTime))
    }
  }

  @Test("If the scan finds no files, every file is a placeholder and the replay finishes")
  func nothingFound() {
    let replay = ListingReplay(Self.listing, scanned: [], batchSize: 1_000)
    #expect(replay.missing.count == 5)
    #expect(Self.catalogue(of: replay.batches).listing == Self.listing)
    guard case .finished(let summary)? = replay.batches.last?.last else {
      Issue.record("no end")
      return
    }
    #expect(summary.found == 5)
    let empty = ListingReplay([], scanned: [], batchSize: 1_000)
    #expect(empty.batches.last?.last != nil && Self.catalogue(of: empty.batches).count == 0)
  }
}
