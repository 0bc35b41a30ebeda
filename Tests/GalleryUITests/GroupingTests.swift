import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImageMetadata
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("The gallery shows sections by folder or month, each under its name")
struct GroupingTests {
  static let day: Int64 = 86_400

  /// A header of a photograph that was taken so many days after the beginning of 1970.
  static func taken(_ days: Int64, width: Int = 40, height: Int = 30) -> ImageHeader {
    ImageHeader(
      format: .jpeg, storedSize: PixelSize(width: width, height: height), captureTime: days * GroupingTests.day)
  }

  static func names(_ gallery: Gallery) -> [String] {
    gallery.pictures.compactMap { $0.item }.map(gallery.library.caption)
  }

  @Test("Photographs appear under their month once their header was read; the others are counted in the bar")
  func months() throws {
    let feed = FakeFeed()
    feed.activity = "Reading…"
    feed.write(feed.photos(6))
    let gallery = try Gallery(feed, size: Size(width: 640, height: 900), layout: .list, grouping: .month)
    gallery.stage.runUntilIdle()
    #expect(gallery.pictures.isEmpty)
    #expect(gallery.stage.drawnTexts(["Reading… 6 to be dated"], in: Theme.detailStyle).count == 1)
    feed.write(FakeFeed.headers(0, [Self.taken(10), Self.taken(40), Self.taken(9), Self.taken(70)]))
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.headers == ["March 1970", "February 1970", "January 1970"])
    #expect(Self.names(gallery) == ["IMG_3.JPG", "IMG_1.JPG", "IMG_2.JPG", "IMG_0.JPG"])
    #expect(gallery.stage.drawnTexts(["Reading… 2 to be dated"], in: Theme.detailStyle).count == 1)
    feed.activity = nil
    feed.write(FakeFeed.headers(4, [Self.taken(8), ImageHeader(format: .png)]), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.headers == ["March 1970", "February 1970", "January 1970", "Without a date"])
    #expect(
      Self.names(gallery) == ["IMG_3.JPG", "IMG_1.JPG", "IMG_4.JPG", "IMG_2.JPG", "IMG_0.JPG", "IMG_5.JPG"])
    #expect(gallery.stage.drawnTexts(["3"], in: Theme.detailStyle).count == 1, "January's header counts anew")
    #expect(gallery.screen.sectionCount == 4 && gallery.library.count == 6)
  }

  @Test("The same photographs in other portions end in the same places")
  func portions() throws {
    func shown(_ portion: Int) throws -> [PhotoID] {
      var generator = SeededGenerator(seed: 3)
      let headers = (0..<300).map { _ in Self.taken(Int64.random(in: 0..<900, using: &generator)) }
      let feed = FakeFeed()
      feed.write(feed.photos(300))
      for start in stride(from: 0, to: 300, by: portion) {
        feed.write(FakeFeed.headers(UInt32(start), Array(headers[start..<min(300, start + portion)])))
      }
      feed.write(FakeFeed.end)
      let gallery = try Gallery(feed, grouping: .month)
      gallery.stage.runUntilIdle()
      return gallery.screen.dataSource.shownSnapshot().itemIdentifiers
    }
    let whole = try shown(300)
    #expect(whole.count == 300)
    #expect(try shown(7) == whole)
    #expect(try shown(64) == whole)
  }

  @Test("Months that come in above what is seen move nothing on screen")
  func comingAbove() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(200))
    feed.write(FakeFeed.headers(0, (0..<100).map { Self.taken(Int64($0)) }))
    let gallery = try Gallery(feed, grouping: .month)
    gallery.stage.runUntilIdle()
    gallery.screen.grid.scroll(to: 900, animated: false)
    gallery.stage.runUntilIdle()
    let before = Dictionary(
      uniqueKeysWithValues: gallery.pictures.compactMap { cell in
        cell.item.map { ($0, gallery.screen.grid.origin(of: cell)) }
      })
    feed.write(FakeFeed.headers(100, (0..<100).map { Self.taken(Int64(200 + $0)) }), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    let after = gallery.pictures.compactMap { cell in cell.item.map { ($0, gallery.screen.grid.origin(of: cell)) } }
    #expect(after.count == before.count && !before.isEmpty)
    for (item, place) in after { #expect(before[item] == place) }
  }

  @Test("Folders are named by their own name, in the order of the scan; F5 takes in what changed in each")
  func folders() throws {
    let feed = FakeFeed()
    func found(_ files: [(String, UInt32)]) -> LibraryEvent {
      .found(
        files.enumerated().map { place, file in
          FoundPhoto(
            ordinal: UInt32(place), folder: PhotoPath(file.0), name: Array("\(file.1).jpg".utf8),
            identity: FakeFeed.identity(file.1))
        })
    }
    feed.write(found([("/p/Alps", 1), ("/p/Alps", 2), ("/p/Sea", 3)]), FakeFeed.end)
    let gallery = try Gallery(feed, layout: .list, grouping: .folder)
    gallery.stage.runUntilIdle()
    #expect(gallery.headers == ["Alps", "Sea"])
    #expect(Self.names(gallery) == ["1.jpg", "2.jpg", "3.jpg"])
    gallery.stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.stage.run(frames: 1)
    feed.write(
      found([("/p/Aare", 9), ("/p/Alps", 7), ("/p/Alps", 2), ("/p/River", 4), ("/p/River", 5)]), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.headers == ["Aare", "Alps", "River"])
    #expect(Self.names(gallery) == ["9.jpg", "7.jpg", "2.jpg", "4.jpg", "5.jpg"])
  }

  @Test("F5 puts what is new into its month, and what was taken at another time into another")
  func rescan() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(3), FakeFeed.headers(0, [Self.taken(5), Self.taken(6), Self.taken(45)]), FakeFeed.end)
    let gallery = try Gallery(feed, layout: .list, grouping: .month)
    gallery.stage.runUntilIdle()
    gallery.stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.stage.run(frames: 1)
    feed.write(
      feed.photos(4), FakeFeed.headers(0, [Self.taken(5), Self.taken(50), Self.taken(45), Self.taken(4)]))
    gallery.stage.window.setNeedsFrame()
    gallery.stage.run(frames: 1)
    #expect(Self.names(gallery) == ["IMG_2.JPG", "IMG_0.JPG", "IMG_1.JPG"], "not before all was read")
    feed.write(FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.headers == ["February 1970", "January 1970"])
    #expect(Self.names(gallery) == ["IMG_2.JPG", "IMG_1.JPG", "IMG_3.JPG", "IMG_0.JPG"])
  }

  @Test("The photograph that was asked for is brought into view once it has its place")
  func wanted() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(400))
    feed.write(FakeFeed.headers(0, (0..<400).map { Self.taken(Int64(900 - $0)) }), FakeFeed.end)
    let gallery = try Gallery(feed, grouping: .month, wantedPath: PhotoPath("/pictures/IMG_390.JPG"))
    gallery.stage.runUntilIdle()
    #expect(Self.names(gallery).contains("IMG_390.JPG"))
    #expect(gallery.pictures.contains { $0.isSelected && $0.name == "IMG_390.JPG" })
  }
}
