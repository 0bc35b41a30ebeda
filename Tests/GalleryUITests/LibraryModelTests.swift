import CollectionUI
import Testing
import VitrineDiffableData
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineTestSupport
import VitrineThreads

@testable import VitrineGalleryUI

@Suite("The library applies a feed's events and returns the changes")
struct LibraryModelTests {
  @Test("Photos are added in the order of the scan, with their names")
  func added() {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.appendBatch(feed.photos(2), feed.photos(1) { _ in "caf\u{E9}.png" })
    #expect(library.hasPendingEvents)
    let changes = library.takeChanges()
    #expect(changes.hasEvents && changes.added.count == 3 && changes.changed.isEmpty)
    #expect(library.count == 3)
    #expect(changes.added.map(library.caption) == ["IMG_0.JPG", "IMG_1.JPG", "café.png"])
    #expect(!library.hasPendingEvents && !library.isComplete)
    #expect(!library.takeChanges().hasEvents)
  }

  @Test("A file's failure makes its photo fail, and a later valid version removes the failure")
  func failures() throws {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.appendBatch(feed.photos(2), feed.photos(1, failing: .brokenLink))
    let items = library.takeChanges().added
    #expect(library.failedItems == [items[2]])
    #expect(library.descriptions.failure(of: items[2]) == "broken link")
    feed.appendBatch(.headers([HeaderResult(ordinal: 0, identity: FakeFeed.identity(0), failure: .emptyFile)]))
    #expect(library.takeChanges().changed == [items[0]])
    #expect(library.failedItems == [items[0], items[2]])
    #expect(library.reference(to: items[0]) == nil, "a failed photo is not requested")
    feed.appendBatch(
      .headers([
        HeaderResult(ordinal: 0, identity: FakeFeed.identity(0, version: 2), header: ImageHeader(format: .jpeg))
      ]))
    #expect(library.takeChanges().changed == [items[0]])
    #expect(library.failedItems == [items[2]])
    #expect(library.reference(to: items[0]) != nil)
  }

  @Test("A new version of a file has another source identifier, and all identifiers are distinct")
  func references() throws {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.appendBatch(feed.photos(200, byteCount: 77))
    let items = library.takeChanges().added
    let before = try items.map { try #require(library.reference(to: $0)) }
    #expect(Set(before.map(\.sourceID)).count == 200)
    #expect(before[3].source == .file(path: Array("/pictures/IMG_3.JPG".utf8)))
    #expect(before[3].fileBytes == 77)
    feed.appendBatch(
      .headers([
        HeaderResult(ordinal: 3, identity: FakeFeed.identity(3, version: 2), header: ImageHeader(format: .png))
      ]))
    _ = library.takeChanges()
    #expect(library.reference(to: items[3])?.sourceID != before[3].sourceID)
    #expect(library.reference(to: items[4])?.sourceID == before[4].sourceID)
  }

  @Test("The status shows the activity or else the problems, and the empty texts give the reason")
  func texts() {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    #expect(library.status.isEmpty)
    #expect(library.emptyTexts.headline == "No pictures here")
    feed.activity = "Reading…"
    let problem = ScanProblem(folder: PhotoPath("/pictures/deep"), reason: .tooDeep)
    feed.appendBatch(.problem(problem))
    #expect(library.takeChanges().hasEvents)
    #expect(library.status == "Reading…")
    feed.activity = nil
    #expect(library.status == "1 folder could not be read")
    #expect(library.emptyTexts.headline == "The folder cannot be read")
    #expect(library.emptyTexts.hint == "\(problem).")
    feed.appendBatch(FakeFeed.end)
    _ = library.takeChanges()
    #expect(library.isComplete)
  }
}

// MARK: - Albums

@Suite("Albums without files, and arrangement on a thread")
struct AlbumTests {
  /// An album of a thousand pictures per month.
  ///
  /// Pictures with an even number are twice as wide as high, the others
  /// square.
  nonisolated struct CardAlbum: PictureAlbum {
    static let countPerMonth = 1_000
    let wide: PixelSize
    let square: PixelSize

    func title(at number: Int) -> String { "Card \(number)" }

    func size(at number: Int) -> PixelSize { number.isMultiple(of: 2) ? wide : square }

    func captureTime(at number: Int) -> Int64 {
      let month = Int64(600 - number / CardAlbum.countPerMonth)
      return month * 31 * 86_400 + Int64(number % CardAlbum.countPerMonth)
    }
  }

  static func feed(of count: Int) throws -> FakeFeed {
    let feed = FakeFeed()
    feed.album = CardAlbum(
      wide: try #require(PixelSize(width: 20, height: 10)), square: try #require(PixelSize(width: 10, height: 10)))
    feed.appendBatch(.listed(upTo: count), FakeFeed.end)
    return feed
  }

  /// Returns whether exactly the first pictures are shown, in order.
  ///
  /// It returns a Boolean because thousands of identifiers are unreadable in a failure.
  private static func showsExactly(_ gallery: GalleryFixture, first count: UInt32) -> Bool {
    gallery.screen.dataSource.displayedSnapshot().itemIdentifiers.map { $0.rawValue - 1 } == Array(0..<count)
  }

  @Test("The first frame shows the first screens, the second arranges all other pictures, and the third shows them")
  func firstFrame() throws {
    let gallery = try GalleryFixture(
      try Self.feed(of: 50_000), arrangementThread: ArrangementThread(waitsForResults: true) {})
    gallery.harness.run(frames: 1)
    #expect(Self.showsExactly(gallery, first: 4_000))
    #expect(gallery.library.count == 50_000 && !gallery.cells.isEmpty)
    gallery.harness.run(frames: 2)
    #expect(Self.showsExactly(gallery, first: 50_000))
    #expect(gallery.cells.first?.name == "Card 0")
    #expect(!gallery.library.hasPendingEvents && gallery.library.catalogue.bytesPerItem == 0)
  }

  @Test(
    "If the thread is not waited for, the library has pending events until it wakes the loop, and no picture is lost")
  func asynchronousArrangement() throws {
    let waker = TestWaker()
    let thread = ArrangementThread(waitsForResults: false) { waker.wake() }
    let library = LibraryModel(feed: try Self.feed(of: 20_000), arrangementThread: thread)
    #expect(library.takeChanges().isArranged)
    var snapshot = LibraryArrangement.Snapshot()
    _ = library.arrangeSnapshot(&snapshot)
    #expect(snapshot.numberOfItems == 4_000)
    try waker.wait(for: "the arrangement")
    #expect(library.hasPendingEvents)
    let arranged = try #require(library.takeChanges().arrangedSnapshot)
    #expect(arranged.numberOfItems == 20_000)
    #expect(!library.hasPendingEvents && library.takeChanges().arrangedSnapshot == nil)
    // Both snapshots contain the first pictures, so the difference is the others alone.
    #expect(arranged.changeset(from: snapshot).isAppendOnly)
  }

  @Test("Without a thread, and for a small album, all pictures are arranged in the frame")
  func synchronousArrangement() throws {
    let gallery = try GalleryFixture(try Self.feed(of: 9_000))
    gallery.harness.run(frames: 1)
    #expect(Self.showsExactly(gallery, first: 9_000))
    let small = try GalleryFixture(
      try Self.feed(of: 3_000), arrangementThread: ArrangementThread(waitsForResults: true) {})
    small.harness.run(frames: 1)
    #expect(Self.showsExactly(small, first: 3_000) && !small.library.hasPendingEvents)
  }

  @Test("A thread performs one task at a time, and accepts the next one once the result is taken")
  func oneTask() throws {
    let waker = TestWaker()
    let thread = ArrangementThread(waitsForResults: false) { waker.wake() }
    #expect(!thread.hasResult && thread.takeResult() == nil)
    #expect(thread.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    try waker.wait(for: "the first task")
    #expect(!thread.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    #expect(thread.takeResult() != nil && thread.takeResult() == nil)
    #expect(thread.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    try waker.wait(for: "the second task")
    #expect(thread.hasResult)
  }

  @Test("Sections by month are equal to those of an insertion in random order")
  func months() throws {
    let gallery = try GalleryFixture(
      try Self.feed(of: 12_345), grouping: .month, arrangementThread: ArrangementThread(waitsForResults: true) {})
    gallery.harness.run(frames: 2)
    let shown = gallery.screen.dataSource.displayedSnapshot()
    var expected = LibraryArrangement.Snapshot()
    var months = SortedArrangement()
    let items = (0..<12_345).map { AlbumRecords.id(ofNumber: $0) }
    var random = SeededGenerator(seed: 3)
    months.insertItems(items.shuffled(using: &random), into: &expected, using: gallery.library.catalogue)
    #expect(shown.sectionIdentifiers == expected.sectionIdentifiers)
    #expect(shown.itemIdentifiers == expected.itemIdentifiers)
    #expect(shown.numberOfSections == gallery.screen.sectionCount && shown.numberOfSections > 10)
  }

  @Test("Grouped by folder, all pictures of an album are in one section")
  func folders() throws {
    let gallery = try GalleryFixture(try Self.feed(of: 100), grouping: .folder)
    gallery.harness.run(frames: 1)
    #expect(gallery.screen.sectionCount == 1 && gallery.headers.isEmpty)
  }

  @Test("Justified rows have the pictures' aspect ratios, also for pictures that were arranged on the thread")
  func aspectRatios() throws {
    let gallery = try GalleryFixture(
      try Self.feed(of: 10_000), layout: .justified, arrangementThread: ArrangementThread(waitsForResults: true) {})
    gallery.harness.run(frames: 2)
    let ratios = gallery.library.aspectRatios
    #expect((0..<10_000).allSatisfy { ratios[AlbumRecords.id(ofNumber: $0)] == ($0.isMultiple(of: 2) ? 2 : 1) })
    for first in [0, 9_000] {
      let frames = (first..<first + 2).compactMap { number in
        gallery.screen.dataSource.indexPath(for: AlbumRecords.id(ofNumber: number)).flatMap {
          gallery.screen.grid.frameOfItem(at: $0)
        }
      }
      try #require(frames.count == 2)
      #expect(abs(frames[0].width / frames[0].height - 2) < 0.05 && abs(frames[1].width / frames[1].height - 1) < 0.05)
    }
  }

  @Test("A picture is requested by its number, and all source identifiers are distinct")
  func requests() throws {
    let gallery = try GalleryFixture(try Self.feed(of: 500))
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.allSatisfy { !$0.isWaiting } && gallery.screen.failedCount == 0)
    let references = try (0..<500).map { number in
      try #require(gallery.library.reference(to: AlbumRecords.id(ofNumber: number)))
    }
    #expect(references.enumerated().allSatisfy { $1.source == .generated(UInt64($0)) && $1.fileBytes == 0 })
    #expect(Set(references.map(\.sourceID)).count == 500)
    #expect(gallery.library.descriptions.dateText(of: AlbumRecords.id(ofNumber: 0)).contains("20"))
    #expect(gallery.library.descriptions.extentText(of: AlbumRecords.id(ofNumber: 0)) == "20 × 10")
  }
}
