import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Photos are grouped by folder or month, in sections with headers")
struct GroupingTests {
  static let day: Int64 = 86_400

  /// Returns the header of a photo that was taken a number of days after the start of 1970.
  static func header(takenOnDay day: Int64, width: Int = 40, height: Int = 30) -> ImageHeader {
    ImageHeader(
      format: .jpeg, storedSize: PixelSize(width: width, height: height), captureTime: day * GroupingTests.day)
  }

  static func displayedNames(_ gallery: GalleryFixture) -> [String] {
    gallery.pictureCells.compactMap { $0.item }.map(gallery.library.caption)
  }

  @Test("A photo is added to its month once its header is read, and the title bar shows the number of the others")
  func months() throws {
    let feed = FakeFeed()
    feed.activity = "Reading…"
    feed.appendBatch(feed.photos(6))
    let gallery = try GalleryFixture(feed, size: Size(width: 640, height: 900), layout: .list, grouping: .month)
    gallery.harness.runUntilIdle()
    #expect(gallery.pictureCells.isEmpty)
    #expect(gallery.harness.drawnTexts(["Reading… 6 to be dated"], in: Theme.detailStyle).count == 1)
    feed.appendBatch(
      FakeFeed.headers(
        0,
        [
          Self.header(takenOnDay: 10), Self.header(takenOnDay: 40), Self.header(takenOnDay: 9),
          Self.header(takenOnDay: 70),
        ]))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["March 1970", "February 1970", "January 1970"])
    #expect(Self.displayedNames(gallery) == ["IMG_3.JPG", "IMG_1.JPG", "IMG_2.JPG", "IMG_0.JPG"])
    #expect(gallery.harness.drawnTexts(["Reading… 2 to be dated"], in: Theme.detailStyle).count == 1)
    feed.activity = nil
    feed.appendBatch(FakeFeed.headers(4, [Self.header(takenOnDay: 8), ImageHeader(format: .png)]), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["March 1970", "February 1970", "January 1970", "Without a date"])
    #expect(
      Self.displayedNames(gallery) == ["IMG_3.JPG", "IMG_1.JPG", "IMG_4.JPG", "IMG_2.JPG", "IMG_0.JPG", "IMG_5.JPG"])
    #expect(gallery.harness.drawnTexts(["3"], in: Theme.detailStyle).count == 1, "the count of January is updated")
    #expect(gallery.screen.sectionCount == 4 && gallery.library.count == 6)
  }

  @Test("The order does not depend on the batches in which photos arrive")
  func batchSizes() throws {
    func shownItems(_ batchSize: Int) throws -> [PhotoID] {
      var generator = SeededGenerator(seed: 3)
      let headers = (0..<300).map { _ in Self.header(takenOnDay: Int64.random(in: 0..<900, using: &generator)) }
      let feed = FakeFeed()
      feed.appendBatch(feed.photos(300))
      for start in stride(from: 0, to: 300, by: batchSize) {
        feed.appendBatch(FakeFeed.headers(UInt32(start), Array(headers[start..<min(300, start + batchSize)])))
      }
      feed.appendBatch(FakeFeed.end)
      let gallery = try GalleryFixture(feed, grouping: .month)
      gallery.harness.runUntilIdle()
      return gallery.screen.dataSource.displayedSnapshot().itemIdentifiers
    }
    let whole = try shownItems(300)
    #expect(whole.count == 300)
    #expect(try shownItems(7) == whole)
    #expect(try shownItems(64) == whole)
  }

  @Test("Months that are inserted above the viewport do not move the visible photos")
  func insertionAboveViewport() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(200))
    feed.appendBatch(FakeFeed.headers(0, (0..<100).map { Self.header(takenOnDay: Int64($0)) }))
    let gallery = try GalleryFixture(feed, grouping: .month)
    gallery.harness.runUntilIdle()
    gallery.screen.grid.scroll(to: 900, animated: false)
    gallery.harness.runUntilIdle()
    let before = Dictionary(
      uniqueKeysWithValues: gallery.pictureCells.compactMap { cell in
        cell.item.map { ($0, gallery.screen.grid.origin(of: cell)) }
      })
    feed.appendBatch(FakeFeed.headers(100, (0..<100).map { Self.header(takenOnDay: Int64(200 + $0)) }), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    let after = gallery.pictureCells.compactMap { cell in cell.item.map { ($0, gallery.screen.grid.origin(of: cell)) } }
    #expect(after.count == before.count && !before.isEmpty)
    for (item, origin) in after { #expect(before[item] == origin) }
  }

  @Test("Folders have titles, in the order of the scan, and F5 updates each of them")
  func folders() throws {
    let feed = FakeFeed()
    func found(_ files: [(String, UInt32)]) -> LibraryEvent {
      .found(
        files.enumerated().map { offset, file in
          FoundPhoto(
            ordinal: UInt32(offset), folder: PhotoPath(file.0), name: Array("\(file.1).jpg".utf8),
            identity: FakeFeed.identity(file.1))
        })
    }
    feed.appendBatch(found([("/p/Alps", 1), ("/p/Alps", 2), ("/p/Sea", 3)]), FakeFeed.end)
    let gallery = try GalleryFixture(feed, layout: .list, grouping: .folder)
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["Alps", "Sea"])
    #expect(Self.displayedNames(gallery) == ["1.jpg", "2.jpg", "3.jpg"])
    gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    feed.appendBatch(
      found([("/p/Aare", 9), ("/p/Alps", 7), ("/p/Alps", 2), ("/p/River", 4), ("/p/River", 5)]), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["Aare", "Alps", "River"])
    #expect(Self.displayedNames(gallery) == ["9.jpg", "7.jpg", "2.jpg", "4.jpg", "5.jpg"])
  }

  @Test("F5 inserts new photos into their month, and moves photos whose date has changed")
  func rescan() throws {
    let feed = FakeFeed()
    feed.appendBatch(
      feed.photos(3),
      FakeFeed.headers(0, [Self.header(takenOnDay: 5), Self.header(takenOnDay: 6), Self.header(takenOnDay: 45)]),
      FakeFeed.end)
    let gallery = try GalleryFixture(feed, layout: .list, grouping: .month)
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    feed.appendBatch(
      feed.photos(4),
      FakeFeed.headers(
        0,
        [
          Self.header(takenOnDay: 5), Self.header(takenOnDay: 50), Self.header(takenOnDay: 45),
          Self.header(takenOnDay: 4),
        ]))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.run(frames: 1)
    #expect(Self.displayedNames(gallery) == ["IMG_2.JPG", "IMG_0.JPG", "IMG_1.JPG"], "the scan is not finished")
    feed.appendBatch(FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["February 1970", "January 1970"])
    #expect(Self.displayedNames(gallery) == ["IMG_2.JPG", "IMG_1.JPG", "IMG_3.JPG", "IMG_0.JPG"])
  }

  @Test("The requested photo is scrolled into view once it has a position")
  func requestedPhoto() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(400))
    feed.appendBatch(FakeFeed.headers(0, (0..<400).map { Self.header(takenOnDay: Int64(900 - $0)) }), FakeFeed.end)
    let gallery = try GalleryFixture(feed, grouping: .month, pathToReveal: PhotoPath("/pictures/IMG_390.JPG"))
    gallery.harness.runUntilIdle()
    #expect(Self.displayedNames(gallery).contains("IMG_390.JPG"))
    #expect(gallery.pictureCells.contains { $0.isSelected && $0.name == "IMG_390.JPG" })
  }

  @Test(
    "Other sections are made at run time, in the frame or in the background, and the visible photos stay in view",
    arguments: [500, 2_500], [false, true])
  func groupingAgain(count: Int, hasFocus: Bool) throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count))
    feed.appendBatch(
      FakeFeed.headers(0, (0..<count).map { Self.header(takenOnDay: Int64($0 / 10)) }), FakeFeed.end)
    let waker = TestWaker()
    let gallery = try GalleryFixture(feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    gallery.harness.runUntilIdle()
    let (grid, source) = (gallery.screen.grid, gallery.screen.dataSource)
    func isVisible(_ item: PhotoID) -> Bool {
      guard let frame = gallery.screen.gridController.frame(of: item) else { return false }
      return frame.minY < grid.frame.maxY && frame.maxY > grid.frame.minY
    }
    grid.scroll(to: 3_000, animated: false)
    gallery.harness.runUntilIdle()
    let middle = (grid.visibleRange.lowerBound + grid.visibleRange.upperBound) / 2
    if hasFocus { grid.focusItem(at: middle, animated: false) }
    for grouping in [GalleryGrouping.month, .folder, .none, .month, .none] {
      // Without focus the first visible photo stays, which is another one each time.
      let index = hasFocus ? grid.selection.lead : grid.visibleRange.lowerBound
      let held = try #require(index.flatMap { source.itemIdentifier(atFlatIndex: $0) })
      gallery.screen.libraryController.group(by: grouping)
      #expect(gallery.library.grouping == grouping)
      gallery.harness.runUntilIdle()
      #expect(isVisible(held) && source.displayedSnapshot().numberOfItems == count)
      let sections = source.displayedSnapshot().sectionIdentifiers
      switch grouping {
      case .none: #expect(sections == [.all] && gallery.headers.isEmpty)
      case .folder: #expect(sections == [.folder(PhotoPath("/pictures"))] && gallery.headers == ["pictures"])
      case .month: #expect(sections.count > 1 && !gallery.headers.isEmpty)
      }
      #expect(gallery.library.sorting == grouping.naturalSorting)
      #expect(grid.scrollIndicator.scrubberLabelInset == (grouping == .none ? 0 : Metrics.headerHeight))
    }
    gallery.screen.libraryController.sort(by: .size)
    gallery.screen.libraryController.group(by: .month)
    gallery.harness.runUntilIdle()
    #expect(gallery.library.sorting == .size, "an order that was chosen stays")
  }
}
