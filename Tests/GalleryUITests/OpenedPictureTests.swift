import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("A picture that is opened is shown before its folder has been listed")
struct OpenedPictureTests {
  private static let path = PhotoPath("/pictures/IMG_5.JPG")

  private func photo(_ number: UInt32) -> FoundPhoto {
    FoundPhoto(
      ordinal: number, folder: PhotoPath("/pictures"), name: Array("IMG_\(number).JPG".utf8),
      identity: FakeFeed.identity(number))
  }

  private func picture(_ number: UInt32) -> OpenedPicture {
    OpenedPicture(
      photo(number),
      HeaderResult(
        ordinal: 0, identity: FakeFeed.identity(number),
        header: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))))
  }

  private func gallery(_ feed: FakeFeed) throws -> GalleryFixture {
    feed.picture = picture(5)
    let gallery = try GalleryFixture(feed, size: Size(width: 900, height: 480), pathToReveal: OpenedPictureTests.path)
    gallery.harness.runUntilIdle()
    return gallery
  }

  /// A gallery of a library that is known from an earlier run, in which the opened picture is not.
  private func restoredGallery() throws -> (GalleryFixture, FakeFeed) {
    let feed = FakeFeed()
    feed.roots = [PhotoPath("/pictures")]
    var catalogue = PhotoCatalogue()
    catalogue.insert(picture(5))
    catalogue.beginScan()
    _ = catalogue.apply(.found((0..<3).map(photo)))
    feed.restored = catalogue
    return (try gallery(feed), feed)
  }

  private func press(_ key: Key, _ gallery: GalleryFixture) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
  }

  private func send(_ gallery: GalleryFixture, _ events: LibraryEvent...) {
    for event in events { gallery.feed.appendBatch(event) }
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
  }

  private func name(_ gallery: GalleryFixture) -> String? {
    gallery.screen.viewer.openItem.map { gallery.library.caption(of: $0) }
  }

  @Test("It is shown without any event of the scan, and has its place and its neighbors once it is listed")
  func scanned() throws {
    let feed = FakeFeed()
    let gallery = try gallery(feed)
    let viewer = try #require(gallery.screen.viewer.state?.view)
    #expect(name(gallery) == "IMG_5.JPG" && viewer.showsPicture && gallery.library.count == 0)
    #expect(
      !gallery.harness.drawnTexts(["Reading the folder…   1600 × 1200"], in: Theme.detailStyle).isEmpty)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 5_000)
    #expect(gallery.harness.display.presentedFrames == frames, "waiting draws no frames")
    press(.right, gallery)
    #expect(name(gallery) == "IMG_5.JPG", "nothing is known beside it")
    let decodes = gallery.decoder.started.count
    send(gallery, feed.photos(4))
    #expect(name(gallery) == "IMG_5.JPG" && gallery.screen.viewer.position == nil)
    send(gallery, feed.photos(5), FakeFeed.end)
    #expect(gallery.screen.viewer.state?.view === viewer && gallery.screen.viewer.state?.index == 5)
    #expect(gallery.library.count == 9)
    let items = gallery.screen.dataSource.displayedSnapshot().itemIdentifiers
    #expect(items.map { gallery.library.caption(of: $0) } == (0..<9).map { "IMG_\($0).JPG" })
    let size = try #require(PixelSize(width: 900, height: 480))
    let source = gallery.library.reference(to: items[5])?.sourceID
    #expect(
      gallery.decoder.started.dropFirst(decodes).allSatisfy { $0.source != source || $0.size != size },
      "it is not decoded again")
    press(.left, gallery)
    #expect(name(gallery) == "IMG_4.JPG")
    press(.escape, gallery)
    #expect(gallery.screen.viewer.state == nil && gallery.screen.grid.selection.lead == 4)
    #expect(gallery.screen.grid.selection.items.ranges == [4..<5], "the selection follows")
  }

  @Test(
    "It is decoded before there is a window, and again only if the window has another size", arguments: [false, true])
  func prepared(hasExpectedSize: Bool) throws {
    let feed = FakeFeed()
    feed.picture = picture(5)
    let gallery = try GalleryFixture(
      feed, size: Size(width: 900, height: 480), decodeDelay: .seconds(1), pathToReveal: OpenedPictureTests.path)
    let expected = try #require(PixelSize(width: hasExpectedSize ? 900 : 700, height: 480))
    gallery.screen.prepareOpenedPicture(for: Size(width: Double(expected.width), height: 480))
    #expect(gallery.pipeline.statistics.requested == 1 && gallery.screen.viewer.state == nil)
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.viewer.state?.view.showsPicture == true)
    let shown = try #require(PixelSize(width: 900, height: 480))
    #expect(gallery.decoder.started.filter { $0.size == shown }.count == 1)
    #expect(gallery.pipeline.statistics.cancelled == (hasExpectedSize ? 0 : 1))
  }

  @Test("The photographs of the grid are decoded after it, or when it is closed", arguments: [false, true])
  func othersWait(isClosed: Bool) throws {
    let feed = FakeFeed()
    feed.picture = picture(5)
    feed.appendBatch(feed.photos(9), FakeFeed.end)
    let gallery = try GalleryFixture(
      feed, size: Size(width: 900, height: 480), decodeDelay: .seconds(1), pathToReveal: OpenedPictureTests.path)
    gallery.harness.run(milliseconds: 500)
    let size = try #require(PixelSize(width: 900, height: 480))
    #expect(!gallery.decoder.started.isEmpty && gallery.decoder.started.allSatisfy { $0.size == size })
    if isClosed { gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false)) }
    gallery.harness.runUntilIdle()
    #expect(gallery.decoder.started.count { $0.size != size } == 9 && gallery.screen.pendingPictureCount == 0)
  }

  @Test("Escape shows the grid at once, which stays where it is when the picture is listed")
  func closedBefore() throws {
    let feed = FakeFeed()
    let gallery = try gallery(feed)
    press(.escape, gallery)
    #expect(gallery.screen.viewer.state == nil)
    send(gallery, feed.photos(500), FakeFeed.end)
    #expect(gallery.screen.viewer.state == nil && gallery.screen.grid.cell(at: 0) != nil)
  }

  @Test("In a library that is known from an earlier run it has its place at once, whether it was known or is new")
  func restored() throws {
    for known in [[0, 1, 2, 5, 10, 11], [0, 1, 2, 10, 11], [0, 1], [7, 8]] as [[UInt32]] {
      let feed = FakeFeed()
      // As a restoration makes it: the opened picture is the first photograph.
      var catalogue = PhotoCatalogue()
      catalogue.insert(picture(5))
      catalogue.beginScan()
      _ = catalogue.apply(
        .found(
          known.enumerated().map { ordinal, number in
            var photo = photo(number)
            photo.ordinal = UInt32(ordinal)
            return photo
          }))
      feed.restored = catalogue
      feed.canRescan = false
      let gallery = try gallery(feed)
      let expected = Set(known + [5]).sorted()
      let items = gallery.screen.dataSource.displayedSnapshot().itemIdentifiers
      #expect(items.map { gallery.library.caption(of: $0) } == expected.map { "IMG_\($0).JPG" })
      #expect(name(gallery) == "IMG_5.JPG" && gallery.screen.viewer.state?.index == expected.firstIndex(of: 5))
      #expect(gallery.library.count == expected.count)
    }
  }

  @Test("A hidden file is shown although it is not in its folder's list, and arrows go on to the others")
  func hidden() throws {
    let feed = FakeFeed()
    let gallery = try gallery(feed)
    send(gallery, feed.photos(3), FakeFeed.end)
    #expect(name(gallery) == "IMG_5.JPG" && gallery.library.count == 3)
    press(.right, gallery)
    #expect(name(gallery) == "IMG_0.JPG")
    press(.right, gallery)
    #expect(name(gallery) == "IMG_1.JPG")
  }

  @Test("A hidden file, or a link to a photograph, stays in view when a known library has been read again")
  func hiddenAndRestored() throws {
    let (gallery, feed) = try restoredGallery()
    #expect(name(gallery) == "IMG_5.JPG" && gallery.library.count == 4 && feed.rescanCount == 1)
    send(gallery, feed.photos(3), FakeFeed.end)
    #expect(gallery.library.count == 3 && gallery.screen.dataSource.snapshot().numberOfItems == 3)
    #expect(name(gallery) == "IMG_5.JPG" && gallery.screen.viewer.position == nil)
    press(.right, gallery)
    #expect(name(gallery) == "IMG_0.JPG")
  }

  @Test("A picture of a library that is known from an earlier run is removed when its file is")
  func removedAfterRestoration() throws {
    let (gallery, feed) = try restoredGallery()
    send(gallery, feed.photos(6), FakeFeed.end)
    #expect(name(gallery) == "IMG_5.JPG" && gallery.screen.viewer.position?.index == 5)
    gallery.library.requestRescan()
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    send(gallery, feed.photos(3), FakeFeed.end)
    #expect(gallery.library.count == 3 && name(gallery) == "IMG_2.JPG")
  }
}
