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

@Suite("Photographs are selected, found, copied and sorted, and the bar tells so")
struct SelectingTests {
  private func gallery(
    _ count: Int = 400, layout: GalleryLayoutKind = .grid, byteCount: Int64 = 1_000, wanted: PhotoPath? = nil,
    name: @escaping (UInt32) -> String = { "IMG_\($0).JPG" }
  ) throws -> Gallery {
    let feed = FakeFeed()
    feed.write(feed.photos(count, byteCount: byteCount, name: name), FakeFeed.end)
    let gallery = try Gallery(feed, layout: layout, wantedPath: wanted)
    gallery.stage.runUntilIdle()
    return gallery
  }

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
    _ gallery: Gallery, _ place: Int, _ button: PointerButton = .primary, _ modifiers: KeyModifiers = [],
    clicks: Int = 1
  ) throws {
    let point = try middle(of: place, gallery)
    gallery.stage.sendEvent(.pointerMoved(point))
    gallery.stage.sendEvent(.pointerDown(point, button: button, clicks: clicks, modifiers: modifiers))
    gallery.stage.sendEvent(.pointerUp(point, button: button, modifiers: modifiers))
    gallery.stage.run(milliseconds: 100)
  }

  private func selected(_ gallery: Gallery) -> [Range<Int>] { gallery.screen.grid.selection.items.ranges }

  private func says(_ text: String, _ gallery: Gallery) -> Bool {
    !gallery.stage.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("The bar tells how many are selected and how large they are, without a frame that adds up all")
  func status() throws {
    let gallery = try gallery(3_000)
    try click(gallery, 1)
    #expect(says("1 of 3,000 selected, 1.0 kB", gallery))
    try click(gallery, 3, .primary, .shift)
    #expect(says("3 of 3,000 selected, 3.0 kB", gallery))
    gallery.stage.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    gallery.stage.run(frames: 1)
    #expect(gallery.screen.grid.selection.items.count == 3_000)
    gallery.stage.runUntilIdle()
    #expect(says("3,000 of 3,000 selected, 3.0 MB", gallery))
    key(gallery, .escape)
    #expect(says("3,000 photographs", gallery))
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames, "and rests")
  }

  @Test("Selected photographs have a ring and a tick, the keyboard's one another ring; rows a ground")
  func looks() throws {
    let gallery = try gallery()
    let frame = try #require(gallery.stage.display.frames.last)
    #expect(Gallery.fills(Theme.dark.accent, in: frame) == 0)
    try click(gallery, 1)
    gallery.stage.runUntilIdle()
    let clicked = try #require(gallery.stage.display.frames.last)
    #expect(Gallery.fills(Theme.dark.accent, in: clicked) > 0)
    #expect(Gallery.fills(Theme.dark.primaryText, in: clicked) == 0)
    #expect(gallery.cells[1].subviews.contains { $0 is SelectionTick })
    key(gallery, .right)
    gallery.stage.runUntilIdle()
    let focused = try #require(gallery.stage.display.frames.last)
    #expect(Gallery.fills(Theme.dark.primaryText, in: focused) > 0)
    #expect(!gallery.cells[1].subviews.contains { $0 is SelectionTick })
    let rows = try self.gallery(layout: .list)
    try click(rows, 1)
    rows.stage.runUntilIdle()
    #expect(Gallery.fills(Theme.dark.selectedRow, in: try #require(rows.stage.display.frames.last)) > 0)
  }

  @Test("Paths are copied as text, or as addresses, and what cannot be copied is said")
  func copying() throws {
    let gallery = try gallery()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    key(gallery, .character("c"), .control)
    #expect(copied.isEmpty && says("Nothing is selected", gallery))
    try click(gallery, 0)
    try click(gallery, 2, .primary, .control)
    key(gallery, .character("c"), .control)
    key(gallery, .character("c"), [.control, .shift])
    #expect(
      copied == [
        "/pictures/IMG_0.JPG\n/pictures/IMG_2.JPG", "file:///pictures/IMG_0.JPG\nfile:///pictures/IMG_2.JPG",
      ])
    #expect(says("Copied 2 addresses", gallery))
    gallery.stage.run(milliseconds: 5_000)
    #expect(!says("Copied 2 addresses", gallery))
    gallery.screen.onCopy = { _ in false }
    key(gallery, .character("c"), .control)
    #expect(says("Paths could not be copied", gallery))
  }

  @Test("The menu is for the selection; the right button selects what is not, and what it says is done")
  func menu() throws {
    let gallery = try gallery()
    try click(gallery, 1)
    try click(gallery, 4, .secondary)
    let menu = try #require(gallery.screen.overlay as? MenuLayer)
    #expect(selected(gallery) == [4..<5])
    #expect(
      menu.titles == [
        "Open", "Copy path", "Copy address", "Select all", "Sort by name", "Sort by date", "Sort by size",
      ])
    key(gallery, .character("a"), .control)
    #expect(selected(gallery) == [4..<5] && gallery.screen.overlay === menu, "it has all keys")
    key(gallery, .up)
    key(gallery, .enter)
    #expect(gallery.screen.overlay == nil && gallery.screen.library.sorting == .size)
    #expect(gallery.stage.window.firstResponder === gallery.screen.grid)
    key(gallery, .character("a"), .control)
    key(gallery, .function(10), .shift)
    #expect((gallery.screen.overlay as? MenuLayer)?.titles[1] == "Copy paths")
    key(gallery, .escape)
    #expect(gallery.screen.overlay == nil && selected(gallery) == [0..<400], "one thing at a time")
    key(gallery, .escape)
    #expect(selected(gallery).isEmpty)
    key(gallery, .menu)
    #expect((gallery.screen.overlay as? MenuLayer)?.titles.first == "Select all")
  }

  @Test("The keys are shown by F1 and a question mark, however that is typed, and go by any key")
  func keys() throws {
    let gallery = try gallery()
    func isShown() -> Bool { gallery.screen.overlay is KeyGuideLayer }
    for (symbol, modifiers) in [(.character("/"), .shift), (.character("ß"), .shift), (.character(","), .shift)]
      as [(Key, KeyModifiers)]
    {
      for isOpen in [true, false] {
        gallery.stage.sendEvent(.keyDown(symbol, modifiers: modifiers, isRepeat: false))
        gallery.stage.sendEvent(.text("?"))
        gallery.stage.sendEvent(.keyUp(symbol, modifiers: modifiers))
        gallery.stage.run(milliseconds: 50)
        #expect(isShown() == isOpen, "what closes them does not open them again")
      }
    }
    for closing: Key in [.function(1), .escape, .down, .pageDown, .space, .enter, .tab, .menu, .character("x")] {
      key(gallery, .function(1))
      #expect(isShown() && !gallery.stage.drawnTexts(["copy paths"], in: Theme.rowStyle).isEmpty)
      key(gallery, closing)
      #expect(gallery.screen.overlay == nil)
    }
    #expect(gallery.screen.grid.selection.lead == nil, "and mean nothing beside that")
    gallery.type("/")
    #expect(!isShown() && says("No name begins with “/”", gallery), "only what is typed as one is a question mark")
  }

  @Test("Sorted by size, date and name the selection and the keyboard stay with their photographs")
  func sorting() throws {
    let feed = FakeFeed()
    for number in 0..<60 { feed.write(feed.photos(1, byteCount: Int64(number * 37 % 60 + 1))) }
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let source = gallery.screen.dataSource
    let names = { source.shownSnapshot().itemIdentifiers.map { gallery.library.caption(of: $0) } }
    let listed = names()
    try click(gallery, 5)
    try click(gallery, 3, .primary, .control)
    let chosen = { gallery.screen.grid.indexPathsForSelectedItems.compactMap { source.itemIdentifier(for: $0) } }
    let before = Set(chosen())
    let lead = gallery.screen.grid.selection.lead.flatMap { source.itemIdentifier(atFlatIndex: $0) }
    key(gallery, .character("3"), .control)
    gallery.stage.runUntilIdle()
    let sizes = source.shownSnapshot().itemIdentifiers.map { gallery.library.byteCount(of: $0) }
    #expect(sizes == Array((1...60).reversed()))
    #expect(Set(chosen()) == before && before.count == 2)
    #expect(gallery.screen.grid.selection.lead.flatMap { source.itemIdentifier(atFlatIndex: $0) } == lead)
    let place = try #require(gallery.screen.grid.selection.lead)
    #expect(gallery.screen.grid.cell(at: place) != nil, "the keyboard's one is in view")
    key(gallery, .character("1"), .control)
    gallery.stage.runUntilIdle()
    #expect(names() == listed && Set(chosen()) == before)
    let bytes = [5, 3].map { $0 * 37 % 60 + 1 }.reduce(0, +)
    #expect(says("2 of 60 selected, \(bytes) bytes", gallery))
  }

  @Test("A picture that was asked for is selected and in view")
  func wanted() throws {
    let gallery = try gallery(wanted: PhotoPath("/pictures/IMG_390.JPG"))
    #expect(selected(gallery) == [390..<391] && gallery.screen.grid.focusedIndexPath?.item == 390)
    #expect(gallery.screen.grid.cell(at: 390)?.isSelected == true)
    #expect(says("1 of 400 selected, 1.0 kB", gallery))
    gallery.type("+-")
    gallery.stage.runUntilIdle()
    #expect(selected(gallery) == [390..<391], "through a zoom it stays")
  }

  @Test("A name that is cut is told to a pointer that rests, and taken away by what is done")
  func tip() throws {
    let long = "A very long name of a photograph that no caption has room for at all.jpg"
    let gallery = try gallery { $0 == 1 ? long : "s\($0).jpg" }
    gallery.stage.sendEvent(.pointerMoved(try middle(of: 0, gallery)))
    gallery.stage.run(milliseconds: 2_000)
    #expect(gallery.screen.toolTip == nil, "all of a short one is seen")
    gallery.stage.sendEvent(.pointerMoved(try middle(of: 1, gallery)))
    gallery.stage.run(milliseconds: 300)
    #expect(gallery.screen.toolTip == nil)
    gallery.stage.run(milliseconds: 400)
    #expect(gallery.screen.toolTip?.text == long)
    let tip = try #require(gallery.screen.toolTip?.frame)
    #expect(tip.minX >= 0 && tip.maxX <= 640 && tip.maxY <= 480)
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames, "it stays without a frame")
    key(gallery, .right)
    #expect(gallery.screen.toolTip == nil)
    gallery.stage.run(milliseconds: 2_000)
    #expect(gallery.screen.toolTip == nil)
  }
}
