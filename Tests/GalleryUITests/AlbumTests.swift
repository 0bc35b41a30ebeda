import CollectionUI
import DiffableData
import Geometry
import ImagePipeline
import PhotoLibrary
import TestSupport
import Testing
import Threads

@testable import GalleryUI

@Suite("An album of pictures without files is shown at once, and what a frame has no time for is arranged aside")
struct AlbumTests {
  /// Thousand pictures a month, two wide for one high where the number is even.
  nonisolated struct Cards: PictureAlbum {
    static let perMonth = 1_000
    let wide: PixelSize
    let square: PixelSize

    func title(at number: Int) -> String { "Card \(number)" }

    func size(at number: Int) -> PixelSize { number.isMultiple(of: 2) ? wide : square }

    func captureTime(at number: Int) -> Int64 {
      let month = Int64(600 - number / Cards.perMonth)
      return month * 31 * 86_400 + Int64(number % Cards.perMonth)
    }
  }

  static func feed(of count: Int) throws -> FakeFeed {
    let feed = FakeFeed()
    feed.album = Cards(
      wide: try #require(PixelSize(width: 20, height: 10)), square: try #require(PixelSize(width: 10, height: 10)))
    feed.write(.listed(upTo: count), FakeFeed.end)
    return feed
  }

  /// Whether the first pictures are shown, in order, and no others; told in a word, as a list of thousands is none.
  private static func shows(_ gallery: Gallery, first count: UInt32) -> Bool {
    gallery.screen.dataSource.shownSnapshot().itemIdentifiers.map { $0.rawValue - 1 } == Array(0..<count)
  }

  @Test("The first frame shows the first screens; the next takes all others in, in order, and the one after shows them")
  func firstFrame() throws {
    let gallery = try Gallery(try Self.feed(of: 50_000), aside: ArrangementThread(waitsForResults: true) {})
    gallery.stage.run(frames: 1)
    #expect(Self.shows(gallery, first: 4_000))
    #expect(gallery.library.count == 50_000 && !gallery.cells.isEmpty)
    gallery.stage.run(frames: 2)
    #expect(Self.shows(gallery, first: 50_000))
    #expect(gallery.cells.first?.name == "Card 0")
    #expect(!gallery.library.hasPendingEvents && gallery.library.catalogue.bytesPerItem == 0)
  }

  @Test("Where nobody waits the loop goes on until it is woken, and loses nothing")
  func live() throws {
    let waker = TestWaker()
    let aside = ArrangementThread(waitsForResults: false) { waker.wake() }
    let library = LibraryModel(feed: try Self.feed(of: 20_000), arrangementThread: aside)
    #expect(library.takeChanges().isArranged)
    var snapshot = LibraryArrangement.Snapshot()
    _ = library.arrangeSnapshot(&snapshot)
    #expect(snapshot.numberOfItems == 4_000)
    try waker.wait(for: "the arrangement")
    #expect(library.hasPendingEvents)
    let arranged = try #require(library.takeChanges().arrangedSnapshot)
    #expect(arranged.numberOfItems == 20_000)
    #expect(!library.hasPendingEvents && library.takeChanges().arrangedSnapshot == nil)
    // What stood there before is known to both: the difference is the rest alone.
    #expect(arranged.changeset(from: snapshot).isAppendOnly)
  }

  @Test("Without a thread everything is arranged in the frame; a small album needs none")
  func inTheFrame() throws {
    let gallery = try Gallery(try Self.feed(of: 9_000))
    gallery.stage.run(frames: 1)
    #expect(Self.shows(gallery, first: 9_000))
    let small = try Gallery(try Self.feed(of: 3_000), aside: ArrangementThread(waitsForResults: true) {})
    small.stage.run(frames: 1)
    #expect(Self.shows(small, first: 3_000) && !small.library.hasPendingEvents)
  }

  @Test("A thread does one task at a time, and takes the next once the last was taken")
  func oneTask() throws {
    let waker = TestWaker()
    let aside = ArrangementThread(waitsForResults: false) { waker.wake() }
    #expect(!aside.hasResult && aside.takeResult() == nil)
    #expect(aside.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    try waker.wait(for: "the first task")
    #expect(!aside.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    #expect(aside.takeResult() != nil && aside.takeResult() == nil)
    #expect(aside.start { ArrangedLibrary(snapshot: LibraryArrangement.Snapshot()) })
    try waker.wait(for: "the second task")
    #expect(aside.hasResult)
  }

  @Test("By months the sections are those that a search and a sort would make")
  func months() throws {
    let gallery = try Gallery(
      try Self.feed(of: 12_345), grouping: .month, aside: ArrangementThread(waitsForResults: true) {})
    gallery.stage.run(frames: 2)
    let shown = gallery.screen.dataSource.shownSnapshot()
    var expected = LibraryArrangement.Snapshot()
    var months = SortedArrangement()
    let items = (0..<12_345).map { AlbumRecords.id(ofNumber: $0) }
    var random = SeededGenerator(seed: 3)
    months.insertItems(items.shuffled(using: &random), into: &expected, by: gallery.library.catalogue)
    #expect(shown.sectionIdentifiers == expected.sectionIdentifiers)
    #expect(shown.itemIdentifiers == expected.itemIdentifiers)
    #expect(shown.numberOfSections == gallery.screen.sectionCount && shown.numberOfSections > 10)
  }

  @Test("By folders all stand in one section, as there are none")
  func folders() throws {
    let gallery = try Gallery(try Self.feed(of: 100), grouping: .folder)
    gallery.stage.run(frames: 1)
    #expect(gallery.headers == ["All photographs"])
  }

  @Test("Rows keep the pictures' shapes, those that came aside too")
  func shapes() throws {
    let gallery = try Gallery(
      try Self.feed(of: 10_000), layout: .justified, aside: ArrangementThread(waitsForResults: true) {})
    gallery.stage.run(frames: 2)
    let shapes = gallery.library.aspectRatios
    #expect((0..<10_000).allSatisfy { shapes[AlbumRecords.id(ofNumber: $0)] == ($0.isMultiple(of: 2) ? 2 : 1) })
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

  @Test("A picture is asked for by its number, and no two by the same key")
  func requests() throws {
    let gallery = try Gallery(try Self.feed(of: 500))
    gallery.stage.runUntilIdle()
    #expect(gallery.cells.allSatisfy { !$0.isWaiting } && gallery.screen.failedCount == 0)
    let references = try (0..<500).map { number in
      try #require(gallery.library.reference(to: AlbumRecords.id(ofNumber: number)))
    }
    #expect(references.enumerated().allSatisfy { $1.source == .generated(UInt64($0)) && $1.fileBytes == 0 })
    #expect(Set(references.map(\.sourceID)).count == 500)
    #expect(gallery.library.dateText(of: AlbumRecords.id(ofNumber: 0)).contains("20"))
    #expect(gallery.library.extentText(of: AlbumRecords.id(ofNumber: 0)) == "20 × 10")
  }
}
