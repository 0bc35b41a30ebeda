import CollectionUI
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The outline of a library")
struct LibraryOutlineTests {
  /// Records of photographs in the given folders, with dates.
  private static func makeRecords(_ photos: [(folder: String, date: Int64?)]) -> (PhotoCatalogue, [PhotoID]) {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = false
    let found = photos.enumerated().map { index, photo in
      FoundPhoto(
        ordinal: UInt32(index), folder: PhotoPath(photo.folder), name: Array("p\(index).jpg".utf8),
        identity: FileIdentity(device: 1, inode: UInt64(index) + 1, byteCount: 1, modificationNanoseconds: 1),
        failure: nil)
    }
    let change = catalogue.apply(.found(found))
    return (catalogue, change.added)
  }

  @Test("Folders directly within the root are counted with all that is in them; photographs in the root are not")
  func folders() throws {
    let (records, items) = Self.makeRecords([
      ("/p", nil), ("/p/2019/07", nil), ("/p/2019/08", nil), ("/p/2018", nil), ("/p/2019", nil), ("/p/10", nil),
      ("/p/9", nil),
    ])
    let outline = try #require(LibraryOutline(items, of: records, roots: [PhotoPath("/p")]))
    #expect(outline.folders.map(\.path.label) == ["9", "10", "2018", "2019"])
    #expect(outline.folders.map(\.count) == [1, 1, 1, 3])
    #expect(outline.months.isEmpty)
    let root = try #require(LibraryOutline(items, of: records, roots: [PhotoPath("/")]))
    #expect(root.folders.map(\.path.label) == ["p"] && root.folders.map(\.count) == [7])
  }

  @Test("Months come latest first, also before 1970 and after 2038, and add up to years")
  func months() {
    var content = SideBarContent()
    #expect(content.items(of: .dates).isEmpty)
    let months = [(2100, 1, 2), (2019, 7, 5), (2019, 6, 1), (1938, 12, 3)]
    content.outline = LibraryOutline(
      months: months.map { LibraryOutline.Month(month: CalendarMonth(year: $0.0, month: $0.1), count: $0.2) })
    #expect(content.items(of: .dates) == [.year(2100), .year(2019), .year(1938)])
    content.openYear = 2019
    #expect(content.items(of: .dates).count == 5)
    #expect(content.counts[.year(2019)] == 6)
    #expect(SideBarItem.month(CalendarMonth(year: 2019, month: 7)).query == "2019-07")
    #expect(SideBarItem.year(938).query == "0938")
  }

  @Test("A count that is no longer needed ends")
  func cancellation() {
    let (records, items) = Self.makeRecords((0..<5_000).map { _ in ("/p", nil) })
    #expect(LibraryOutline(items, of: records, roots: []) { true } == nil)
  }
}

@Suite("The side bar")
@MainActor struct SideBarTests {
  @Test("F9 shows it beside the photographs, a click on a folder opens it, and F9 hides it")
  func folders() throws {
    let opener = FakeOpener()
    let feed = FakeFeed()
    feed.roots = [PhotoPath("/")]
    feed.appendBatch(feed.photos(30), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 1_000, height: 600))
    gallery.screen.opener = opener
    gallery.screen.places = [PhotoPath("/home/user/Pictures")]
    gallery.harness.runUntilIdle()
    let width = gallery.screen.grid.frame.width
    gallery.harness.sendEvent(.keyDown(.function(9), modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.frame.width == width - SideBarController.width)
    let list = try #require(gallery.screen.sideBar.view).list
    let rows = list.visibleCells.compactMap { $0 as? SideBarRow }
    #expect(rows.map(\.accessibilityLabel) == ["pictures", "Pictures"])
    #expect(rows.map(\.accessibilityValue) == ["30", ""])
    let frame = rows[0].frameInWindow
    let point = Point(x: frame.midX, y: frame.midY)
    gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    gallery.harness.run(frames: 2)
    #expect(opener.openedPaths == [[Array("/pictures".utf8)]])
    // By keyboard: to the header bar, to the side bar, to its second row.
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    for key: Key in [.function(6), .function(6), .down, .down, .enter] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.sendEvent(.keyUp(key, modifiers: []))
      gallery.harness.run(frames: 2)
    }
    #expect(opener.openedPaths.last == [Array("/home/user/Pictures".utf8)])
    gallery.harness.sendEvent(.keyDown(.function(9), modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.frame.width == width)
    #expect(gallery.harness.window.firstResponder === gallery.screen.grid)
  }

  @Test("Recent folders keep their places while they are shown, and are sorted when they are shown next")
  func recents() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(3), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 1_000, height: 600))
    let sideBar = gallery.screen.sideBar
    let (a, b, c) = (PhotoPath("/a"), PhotoPath("/b"), PhotoPath("/c"))
    sideBar.setPlaces([], recents: [a, b])
    sideBar.isShown = true
    #expect(sideBar.content.recents == [a, b])
    sideBar.setPlaces([], recents: [b, a])
    #expect(sideBar.content.recents == [a, b])
    sideBar.setPlaces([], recents: [c, b, a])
    #expect(sideBar.content.recents == [c, a, b], "a new one comes first")
    sideBar.setPlaces([], recents: [c, b])
    #expect(sideBar.content.recents == [c, b])
    sideBar.setPlaces([], recents: [b, c])
    sideBar.isShown = false
    sideBar.isShown = true
    #expect(sideBar.content.recents == [b, c])
  }
}
