import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("What is selected, copied, summed up and pointed at stays right while the library changes")
struct SelectingMeanwhileTests {
  private func key(_ gallery: Gallery, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.stage.run(milliseconds: 400)
  }

  private func middle(of place: Int, _ gallery: Gallery) throws -> Point {
    let cell = try #require(gallery.screen.grid.cell(at: place))
    let corner = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin
    return Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
  }

  private func click(
    _ gallery: Gallery, _ place: Int, _ button: PointerButton = .primary, _ modifiers: KeyModifiers = []
  ) throws {
    let point = try middle(of: place, gallery)
    gallery.stage.sendEvent(.pointerMoved(point))
    gallery.stage.sendEvent(.pointerDown(point, button: button, clicks: 1, modifiers: modifiers))
    gallery.stage.sendEvent(.pointerUp(point, button: button, modifiers: modifiers))
    gallery.stage.run(milliseconds: 100)
  }

  private func selected(_ gallery: Gallery) -> [Range<Int>] { gallery.screen.grid.selection.items.ranges }

  private func says(_ text: String, _ gallery: Gallery) -> Bool {
    !gallery.stage.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("A menu is about what is selected: through updates it stays so, and goes when something else is selected")
  func menuDuringUpdates() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(30), FakeFeed.end)
    let gallery = try Gallery(feed, grouping: .folder)
    gallery.stage.runUntilIdle()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    var snapshot = gallery.screen.dataSource.snapshot()
    let (others, first) = (Array(snapshot.itemIdentifiers.suffix(5)), try #require(snapshot.sectionIdentifiers.first))
    snapshot.deleteItems(others)
    snapshot.appendSections([.undated])
    snapshot.appendItems(others, toSection: .undated)
    gallery.screen.dataSource.apply(snapshot, animatingDifferences: false)
    gallery.stage.runUntilIdle()
    try click(gallery, 2)
    try click(gallery, 2, .secondary)
    snapshot.deleteItems(Array(snapshot.itemIdentifiers.prefix(1)))
    snapshot.moveSection(.undated, beforeSection: first)
    gallery.screen.dataSource.apply(snapshot, animatingDifferences: false)
    gallery.stage.runUntilIdle()
    let menu = try #require(gallery.screen.overlay as? MenuLayer)
    #expect(gallery.screen.grid.selection.items.count == 1 && menu.titles.contains("Select section"))
    let place = try #require(gallery.screen.grid.selection.items.first)
    choose("Copy path", of: menu, gallery)
    #expect(copied == ["/pictures/IMG_2.JPG"] && place == 6)
    key(gallery, .menu)
    choose("Select section", of: try #require(gallery.screen.overlay as? MenuLayer), gallery)
    #expect(selected(gallery).count == 1 && selected(gallery).first?.contains(place) == true)
    #expect(selected(gallery).first?.lowerBound == 5, "that of the photograph, and not the one with its former number")
    key(gallery, .menu)
    gallery.screen.grid.focusItem(at: 0)
    gallery.stage.run(frames: 2)
    #expect(gallery.screen.overlay == nil, "it was about others")
  }

  private func choose(_ title: String, of menu: MenuLayer, _ gallery: Gallery) {
    guard let place = menu.center(of: title) else { return }
    gallery.stage.sendEvent(.pointerDown(place, button: .primary, clicks: 1, modifiers: []))
    gallery.stage.sendEvent(.pointerUp(place, button: .primary, modifiers: []))
    gallery.stage.run(milliseconds: 100)
  }

  @Test("Many paths are copied in some frames, by what was selected then")
  func copyingMany() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(5_000), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    gallery.stage.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    gallery.stage.sendEvent(.keyDown(.character("c"), modifiers: .control, isRepeat: false))
    gallery.stage.run(frames: 2)
    #expect(copied.isEmpty && gallery.screen.pathCopy != nil)
    gallery.stage.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.stage.runUntilIdle()
    #expect(copied == [(0..<5_000).map { "/pictures/IMG_\($0).JPG" }.joined(separator: "\n")])
    #expect(gallery.screen.pathCopy == nil)
  }

  @Test("The sum is of the files as they are: after reading again too; what comes behind them does not begin it anew")
  func sumsAfterScans() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(30, byteCount: 1_000))
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    try click(gallery, 1)
    try click(gallery, 2, .primary, .shift)
    #expect(says("2 of 30 selected, 2.0 kB", gallery))
    let total = gallery.screen.selectionTotal
    feed.write(feed.photos(10, byteCount: 1_000), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.grid.itemCount == 40 && gallery.screen.selectionTotal == total)
    key(gallery, .function(5))
    feed.write(
      .found(
        (0..<40).map { number in
          FoundPhoto(
            ordinal: number, folder: PhotoPath("/pictures"), name: Array("IMG_\(number).JPG".utf8),
            identity: FakeFeed.identity(number, version: number == 1 ? 2 : 1, byteCount: number == 1 ? 8_000 : 1_000))
        }), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(says("2 of 40 selected, 9.0 kB", gallery))
    try click(gallery, 1, .primary, .control)
    #expect(says("1 of 40 selected, 1.0 kB", gallery))
  }

  @Test("A name that is cut is told while a scan goes on, too")
  func tipDuringScan() throws {
    let long = "A very long name of a photograph that no caption has room for at all.jpg"
    let feed = FakeFeed()
    feed.write(feed.photos(30) { $0 == 1 ? long : "s\($0).jpg" })
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    gallery.stage.sendEvent(.pointerMoved(try middle(of: 1, gallery)))
    for _ in 0..<20 {
      feed.write(feed.photos(3))
      gallery.stage.window.setNeedsFrame()
      gallery.stage.run(milliseconds: 50)
    }
    #expect(gallery.screen.grid.itemCount == 90 && gallery.screen.toolTip?.text == long)
  }
}
