import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import Testing

@testable import GalleryUI

@Suite("The library takes a feed's events in and says what changed")
struct LibraryModelTests {
  @Test("Photographs are added in the scan's order, under their names")
  func added() {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.write(feed.photos(2), feed.photos(1) { _ in "caf\u{E9}.png" })
    #expect(library.hasPendingEvents)
    let news = library.takeChanges()
    #expect(news.hasEvents && news.added.count == 3 && news.changed.isEmpty)
    #expect(library.count == 3)
    #expect(news.added.map(library.caption) == ["IMG_0.JPG", "IMG_1.JPG", "café.png"])
    #expect(!library.hasPendingEvents && !library.isComplete)
    #expect(!library.takeChanges().hasEvents)
  }

  @Test("What a file tells makes it fail, and a later version of it whole again")
  func failures() throws {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.write(feed.photos(2), feed.photos(1, failing: .brokenLink))
    let items = library.takeChanges().added
    #expect(library.failedItems == [items[2]])
    #expect(library.failure(of: items[2]) == "link to nothing")
    feed.write(.headers([HeaderResult(ordinal: 0, identity: FakeFeed.identity(0), failure: .emptyFile)]))
    #expect(library.takeChanges().changed == [items[0]])
    #expect(library.failedItems == [items[0], items[2]])
    #expect(library.reference(to: items[0]) == nil, "what cannot be shown is not asked for")
    feed.write(
      .headers([
        HeaderResult(ordinal: 0, identity: FakeFeed.identity(0, version: 2), header: ImageHeader(format: .jpeg))
      ]))
    #expect(library.takeChanges().changed == [items[0]])
    #expect(library.failedItems == [items[2]])
    #expect(library.reference(to: items[0]) != nil)
  }

  @Test("Another version of a file is another picture, and no two items are the same")
  func references() throws {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    feed.write(feed.photos(200, byteCount: 77))
    let items = library.takeChanges().added
    let before = try items.map { try #require(library.reference(to: $0)) }
    #expect(Set(before.map(\.sourceID)).count == 200)
    #expect(before[3].source == .file(path: Array("/pictures/IMG_3.JPG".utf8)))
    #expect(before[3].fileBytes == 77)
    feed.write(
      .headers([
        HeaderResult(ordinal: 3, identity: FakeFeed.identity(3, version: 2), header: ImageHeader(format: .png))
      ]))
    _ = library.takeChanges()
    #expect(library.reference(to: items[3])?.sourceID != before[3].sourceID)
    #expect(library.reference(to: items[4])?.sourceID == before[4].sourceID)
  }

  @Test("The status is what goes on, then what went wrong; an empty window says why it is empty")
  func texts() {
    let feed = FakeFeed()
    let library = LibraryModel(feed: feed)
    #expect(library.status.isEmpty)
    #expect(library.emptyTexts.headline == "No pictures here")
    feed.activity = "Reading…"
    let problem = ScanProblem(folder: PhotoPath("/pictures/deep"), reason: .tooDeep)
    feed.write(.problem(problem))
    #expect(library.takeChanges().hasEvents)
    #expect(library.status == "Reading…")
    feed.activity = nil
    #expect(library.status == "1 folder could not be read")
    #expect(library.emptyTexts.headline == "The folder cannot be read")
    #expect(library.emptyTexts.hint == problem.description)
    feed.write(FakeFeed.end)
    _ = library.takeChanges()
    #expect(library.isComplete)
  }
}
