import CollectionUI
import Testing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("What is remembered between runs")
@MainActor struct SettingsTests {
  private final class MemoryStore: SettingsStore {
    var stored = GallerySettings()
    func save(_ changes: GallerySettings) { stored.merge(changes) }
  }

  private func makeGallery(_ store: MemoryStore, folder: String = "/pictures", count: Int = 800) throws
    -> GalleryFixture
  {
    let feed = FakeFeed()
    feed.roots = [PhotoPath(folder)]
    feed.appendBatch(feed.photos(count / 2))
    feed.appendBatch(feed.photos(count / 2), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.screen.remember(store.stored, in: store, restoresFolder: true)
    gallery.harness.runUntilIdle()
    return gallery
  }

  @Test("Layout, order, size, side bar and place are restored by the next run, of this folder only")
  func restored() throws {
    let store = MemoryStore()
    let first = try makeGallery(store)
    first.screen.setLayout(.mosaic, level: 2)
    first.screen.libraryController.sort(by: .size)
    first.screen.setGrouping(.folder)
    first.screen.isSideBarShown = true
    first.harness.runUntilIdle()
    first.screen.grid.scroll(to: 5_000, animated: false)
    first.harness.runUntilIdle()
    let place = try #require(first.screen.placePath)
    first.screen.saveSettings()
    let second = try makeGallery(store)
    #expect(second.screen.gridController.layoutKind == .mosaic && second.screen.zoomLevel.index == 2)
    #expect(second.library.sorting == .size && second.library.grouping == .folder && second.screen.isSideBarShown)
    #expect(second.screen.placePath == place)
    #expect(second.screen.sideBar.view.map { !$0.list.visibleCells.isEmpty } == true, "it takes part in frames")
    let other = try makeGallery(store, folder: "/other")
    #expect(other.screen.gridController.layoutKind == .grid && other.screen.placePath == nil)
    #expect(other.screen.isSideBarShown, "the window's")
  }

  @Test("An action of the user while photographs are found ends the restoring of the place")
  func interruptedPlace() throws {
    let store = MemoryStore()
    let first = try makeGallery(store)
    first.screen.grid.scroll(to: 40_000, animated: false)
    first.harness.runUntilIdle()
    first.screen.saveSettings()
    let feed = FakeFeed()
    feed.roots = [PhotoPath("/pictures")]
    feed.appendBatch(feed.photos(100))
    let second = try GalleryFixture(feed)
    second.screen.remember(store.stored, in: store, restoresFolder: true)
    second.harness.runUntilIdle()
    second.harness.sendEvent(.pointerDown(Point(x: 3, y: 300), button: .primary, clicks: 1, modifiers: []))
    feed.appendBatch(feed.photos(700), FakeFeed.end)
    second.harness.window.setNeedsFrame()
    second.harness.runUntilIdle()
    #expect(second.screen.grid.contentOffset == -Metrics.barHeight)
  }

  @Test("Two instances add their folders to the same settings, and the number of folders is limited")
  func merged() {
    var stored = GallerySettings()
    var one = GallerySettings()
    one.remember(GallerySettings.Folder(PhotoPath("/a")))
    var other = GallerySettings()
    other.remember(GallerySettings.Folder(PhotoPath("/b")))
    other.sideBar = true
    stored.merge(one)
    stored.merge(other)
    #expect(stored.folders.map(\.path) == ["/b", "/a"] && stored.sideBar == true)
    for number in 0..<300 { stored.remember(GallerySettings.Folder(PhotoPath("/f\(number)"))) }
    #expect(stored.folders.count == GallerySettings.maximumFolders && stored.folders.first?.path == "/f299")
  }

  @Test("Names of layouts that this version does not know are ignored")
  func unknownNames() {
    var folder = GallerySettings.Folder(PhotoPath("/a"))
    (folder.layout, folder.group, folder.sort, folder.place) = ("cube", "colour", "mood", "%zz")
    #expect(folder.layoutKind == nil && folder.grouping == nil && folder.sorting == nil && folder.placePath == nil)
  }
}
