import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Photos are selected, copied and sorted, and the title bar shows the selection")
struct SelectionTests {
  private func gallery(
    _ count: Int = 400, layout: GalleryLayoutKind = .grid, byteCount: Int64 = 1_000, pathToReveal: PhotoPath? = nil,
    name: @escaping (UInt32) -> String = { "IMG_\($0).JPG" }
  ) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count, byteCount: byteCount, name: name), FakeFeed.end)
    let gallery = try GalleryFixture(feed, layout: layout, pathToReveal: pathToReveal)
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func pressKey(_ gallery: GalleryFixture, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.harness.run(milliseconds: 400)
  }

  private func center(of index: Int, _ gallery: GalleryFixture) throws -> Point {
    let cell = try #require(gallery.screen.grid.cell(at: index))
    let corner = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin
    return Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
  }

  private func click(
    _ gallery: GalleryFixture, _ index: Int, _ button: PointerButton = .primary, _ modifiers: KeyModifiers = [],
    clicks: Int = 1
  ) throws {
    let point = try center(of: index, gallery)
    gallery.harness.sendEvent(.pointerMoved(point))
    gallery.harness.sendEvent(.pointerDown(point, button: button, clicks: clicks, modifiers: modifiers))
    gallery.harness.sendEvent(.pointerUp(point, button: button, modifiers: modifiers))
    gallery.harness.run(milliseconds: 100)
  }

  private func selectedRanges(_ gallery: GalleryFixture) -> [Range<Int>] { gallery.screen.grid.selection.items.ranges }

  private func showsDetail(_ text: String, _ gallery: GalleryFixture) -> Bool {
    !gallery.harness.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("The bar shows the number and the bytes of the selected photos, without adding all of them in one frame")
  func status() throws {
    let gallery = try gallery(3_000)
    try click(gallery, 1)
    #expect(showsDetail("1 of 3,000 selected, 1.0 kB", gallery))
    try click(gallery, 3, .primary, .shift)
    #expect(showsDetail("3 of 3,000 selected, 3.0 kB", gallery))
    gallery.harness.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    gallery.harness.run(frames: 1)
    #expect(gallery.screen.grid.selection.items.count == 3_000)
    gallery.harness.runUntilIdle()
    #expect(showsDetail("3,000 of 3,000 selected, 3.0 MB", gallery))
    pressKey(gallery, .escape)
    #expect(showsDetail("3,000 photographs", gallery))
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 20_000)
    #expect(gallery.harness.display.presentedFrames == frames, "the loop is idle")
  }

  @Test(
    "Selected photos have a ring and a tick, the focused photo has another ring, and selected rows have a background")
  func appearance() throws {
    let gallery = try gallery()
    let frame = try #require(gallery.harness.display.frames.last)
    #expect(GalleryFixture.fillCount(Theme.dark.accent, in: frame) == 0)
    try click(gallery, 1)
    gallery.harness.runUntilIdle()
    let clicked = try #require(gallery.harness.display.frames.last)
    #expect(GalleryFixture.fillCount(Theme.dark.accent, in: clicked) > 0)
    #expect(GalleryFixture.fillCount(Theme.dark.primaryText, in: clicked) == 0)
    #expect(gallery.cells[1].subviews.contains { $0 is SelectionTick })
    pressKey(gallery, .right)
    gallery.harness.runUntilIdle()
    let focused = try #require(gallery.harness.display.frames.last)
    #expect(GalleryFixture.fillCount(Theme.dark.primaryText, in: focused) > 0)
    #expect(!gallery.cells[1].subviews.contains { $0 is SelectionTick })
    let rows = try self.gallery(layout: .list)
    try click(rows, 1)
    rows.harness.runUntilIdle()
    #expect(GalleryFixture.fillCount(Theme.dark.selectedRow, in: try #require(rows.harness.display.frames.last)) > 0)
  }

  @Test("Paths are copied as text or as URLs, and the bar reports success and failure")
  func copying() throws {
    let gallery = try gallery()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    pressKey(gallery, .character("c"), .control)
    #expect(copied.isEmpty && showsDetail("Nothing is selected", gallery))
    try click(gallery, 0)
    try click(gallery, 2, .primary, .control)
    pressKey(gallery, .character("c"), .control)
    pressKey(gallery, .character("c"), [.control, .shift])
    #expect(
      copied == [
        "/pictures/IMG_0.JPG\n/pictures/IMG_2.JPG", "file:///pictures/IMG_0.JPG\nfile:///pictures/IMG_2.JPG",
      ])
    #expect(showsDetail("Copied 2 URLs", gallery))
    gallery.harness.run(milliseconds: 5_000)
    #expect(!showsDetail("Copied 2 URLs", gallery))
    gallery.screen.onCopy = { _ in false }
    pressKey(gallery, .character("c"), .control)
    #expect(showsDetail("Paths could not be copied", gallery))
  }

  @Test("The menu applies to the selection, a secondary click selects an unselected photo, and items act on it")
  func menu() throws {
    let gallery = try gallery()
    try click(gallery, 1)
    try click(gallery, 4, .secondary)
    let menu = try #require(gallery.screen.overlays.openView as? MenuLayer)
    #expect(selectedRanges(gallery) == [4..<5])
    #expect(
      menu.titles == [
        "Open", "Copy path", "Copy URL", "Select all", "Sort by name", "Sort by date", "Sort by size",
      ])
    pressKey(gallery, .character("a"), .control)
    #expect(
      selectedRanges(gallery) == [4..<5] && gallery.screen.overlays.openView === menu, "the menu handles all keys")
    pressKey(gallery, .up)
    pressKey(gallery, .enter)
    #expect(gallery.screen.overlays.openView == nil && gallery.screen.library.sorting == .size)
    #expect(gallery.harness.window.firstResponder === gallery.screen.grid)
    pressKey(gallery, .character("a"), .control)
    pressKey(gallery, .function(10), .shift)
    #expect((gallery.screen.overlays.openView as? MenuLayer)?.titles[1] == "Copy paths")
    pressKey(gallery, .escape)
    #expect(
      gallery.screen.overlays.openView == nil && selectedRanges(gallery) == [0..<400], "Escape closes the menu alone")
    pressKey(gallery, .escape)
    #expect(selectedRanges(gallery).isEmpty)
    pressKey(gallery, .menu)
    #expect((gallery.screen.overlays.openView as? MenuLayer)?.titles.first == "Select all")
  }

  @Test("F1 and a typed question mark show the list of keyboard shortcuts, and any key closes it")
  func keyGuide() throws {
    let gallery = try gallery()
    func isShown() -> Bool { gallery.screen.overlays.openView is KeyboardShortcutsLayer }
    for (symbol, modifiers) in [(.character("/"), .shift), (.character("ß"), .shift), (.character(","), .shift)]
      as [(Key, KeyModifiers)]
    {
      for isOpen in [true, false] {
        gallery.harness.sendEvent(.keyDown(symbol, modifiers: modifiers, isRepeat: false))
        gallery.harness.sendEvent(.text("?"))
        gallery.harness.sendEvent(.keyUp(symbol, modifiers: modifiers))
        gallery.harness.run(milliseconds: 50)
        #expect(isShown() == isOpen, "the key that closes the guide does not open it again")
      }
    }
    for closing: Key in [.function(1), .escape, .down, .pageDown, .space, .enter, .tab, .menu, .character("x")] {
      pressKey(gallery, .function(1))
      #expect(isShown() && !gallery.harness.drawnTexts(["copy paths"], in: Theme.rowStyle).isEmpty)
      pressKey(gallery, closing)
      #expect(gallery.screen.overlays.openView == nil)
    }
    #expect(gallery.screen.grid.selection.lead == nil, "the key has no other effect")
    gallery.type("/")
    #expect(
      !isShown() && showsDetail("No name begins with “/”", gallery), "only a typed question mark shows the guide")
  }

  @Test("Sorting by size, date and name keeps the selection and the focus")
  func sorting() throws {
    let feed = FakeFeed()
    for number in 0..<60 { feed.appendBatch(feed.photos(1, byteCount: Int64(number * 37 % 60 + 1))) }
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let source = gallery.screen.dataSource
    let names = { source.displayedSnapshot().itemIdentifiers.map { gallery.library.caption(of: $0) } }
    let listed = names()
    try click(gallery, 5)
    try click(gallery, 3, .primary, .control)
    let selectedItems = { gallery.screen.grid.indexPathsForSelectedItems.compactMap { source.itemIdentifier(for: $0) } }
    let before = Set(selectedItems())
    let lead = gallery.screen.grid.selection.lead.flatMap { source.itemIdentifier(atFlatIndex: $0) }
    pressKey(gallery, .character("3"), .control)
    gallery.harness.runUntilIdle()
    let sizes = source.displayedSnapshot().itemIdentifiers.map { gallery.library.byteCount(of: $0) }
    #expect(sizes == Array((1...60).reversed()))
    #expect(Set(selectedItems()) == before && before.count == 2)
    #expect(gallery.screen.grid.selection.lead.flatMap { source.itemIdentifier(atFlatIndex: $0) } == lead)
    let index = try #require(gallery.screen.grid.selection.lead)
    #expect(gallery.screen.grid.cell(at: index) != nil, "the focused photo is in view")
    pressKey(gallery, .character("1"), .control)
    gallery.harness.runUntilIdle()
    #expect(names() == listed && Set(selectedItems()) == before)
    let bytes = [5, 3].map { $0 * 37 % 60 + 1 }.reduce(0, +)
    #expect(showsDetail("2 of 60 selected, \(bytes) bytes", gallery))
  }

  @Test("A requested photo is selected and in view")
  func requestedPhoto() throws {
    let gallery = try gallery(pathToReveal: PhotoPath("/pictures/IMG_390.JPG"))
    #expect(selectedRanges(gallery) == [390..<391] && gallery.screen.grid.focusedIndexPath?.item == 390)
    #expect(gallery.screen.grid.cell(at: 390)?.isSelected == true)
    #expect(showsDetail("1 of 400 selected, 1.0 kB", gallery))
    gallery.type("+-")
    gallery.harness.runUntilIdle()
    #expect(selectedRanges(gallery) == [390..<391], "a zoom keeps the selection")
  }

  @Test("A resting pointer shows the tool tip of a truncated name, and the next action hides it")
  func toolTip() throws {
    let long = "A very long name of a photograph that no caption has room for at all.jpg"
    let gallery = try gallery { $0 == 1 ? long : "s\($0).jpg" }
    gallery.harness.sendEvent(.pointerMoved(try center(of: 0, gallery)))
    gallery.harness.run(milliseconds: 2_000)
    #expect(gallery.screen.toolTips.toolTip == nil, "a short name is not truncated")
    gallery.harness.sendEvent(.pointerMoved(try center(of: 1, gallery)))
    gallery.harness.run(milliseconds: 300)
    #expect(gallery.screen.toolTips.toolTip == nil)
    gallery.harness.run(milliseconds: 400)
    #expect(gallery.screen.toolTips.toolTip?.text == long)
    let frame = try #require(gallery.screen.toolTips.toolTip?.frame)
    #expect(frame.minX >= 0 && frame.maxX <= 640 && frame.maxY <= 480)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 20_000)
    #expect(gallery.harness.display.presentedFrames == frames, "the tool tip draws no frames")
    pressKey(gallery, .right)
    #expect(gallery.screen.toolTips.toolTip == nil)
    gallery.harness.run(milliseconds: 2_000)
    #expect(gallery.screen.toolTips.toolTip == nil)
  }
}

// MARK: - Updates

@Suite("The selection, its byte count, its menu and tool tips stay correct while the library changes")
struct SelectionUpdateTests {
  private func pressKey(_ gallery: GalleryFixture, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.harness.run(milliseconds: 400)
  }

  private func center(of index: Int, _ gallery: GalleryFixture) throws -> Point {
    let cell = try #require(gallery.screen.grid.cell(at: index))
    let corner = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin
    return Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
  }

  private func click(
    _ gallery: GalleryFixture, _ index: Int, _ button: PointerButton = .primary, _ modifiers: KeyModifiers = []
  ) throws {
    let point = try center(of: index, gallery)
    gallery.harness.sendEvent(.pointerMoved(point))
    gallery.harness.sendEvent(.pointerDown(point, button: button, clicks: 1, modifiers: modifiers))
    gallery.harness.sendEvent(.pointerUp(point, button: button, modifiers: modifiers))
    gallery.harness.run(milliseconds: 100)
  }

  private func selectedRanges(_ gallery: GalleryFixture) -> [Range<Int>] { gallery.screen.grid.selection.items.ranges }

  private func showsDetail(_ text: String, _ gallery: GalleryFixture) -> Bool {
    !gallery.harness.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("A menu applies to the selection: it stays open through updates, and closes when the selection changes")
  func menuDuringUpdates() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(30), FakeFeed.end)
    let gallery = try GalleryFixture(feed, grouping: .folder)
    gallery.harness.runUntilIdle()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    var snapshot = gallery.screen.dataSource.snapshot()
    let (lastItems, first) = (
      Array(snapshot.itemIdentifiers.suffix(5)), try #require(snapshot.sectionIdentifiers.first)
    )
    snapshot.deleteItems(lastItems)
    snapshot.appendSections([.undated])
    snapshot.appendItems(lastItems, toSection: .undated)
    gallery.screen.dataSource.apply(snapshot, animatingDifferences: false)
    gallery.harness.runUntilIdle()
    try click(gallery, 2)
    try click(gallery, 2, .secondary)
    snapshot.deleteItems(Array(snapshot.itemIdentifiers.prefix(1)))
    snapshot.moveSection(.undated, beforeSection: first)
    gallery.screen.dataSource.apply(snapshot, animatingDifferences: false)
    gallery.harness.runUntilIdle()
    let menu = try #require(gallery.screen.overlays.openView as? MenuLayer)
    #expect(gallery.screen.grid.selection.items.count == 1 && menu.titles.contains("Select section"))
    let index = try #require(gallery.screen.grid.selection.items.first)
    choose("Copy path", of: menu, gallery)
    #expect(copied == ["/pictures/IMG_2.JPG"] && index == 6)
    pressKey(gallery, .menu)
    choose("Select section", of: try #require(gallery.screen.overlays.openView as? MenuLayer), gallery)
    #expect(selectedRanges(gallery).count == 1 && selectedRanges(gallery).first?.contains(index) == true)
    #expect(
      selectedRanges(gallery).first?.lowerBound == 5, "the section of the photo, not the one at its previous index")
    pressKey(gallery, .menu)
    gallery.screen.grid.focusItem(at: 0)
    gallery.harness.run(frames: 2)
    #expect(gallery.screen.overlays.openView == nil, "the menu applied to other photos")
  }

  private func choose(_ title: String, of menu: MenuLayer, _ gallery: GalleryFixture) {
    guard let location = menu.center(of: title) else { return }
    gallery.harness.sendEvent(.pointerDown(location, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(location, button: .primary, modifiers: []))
    gallery.harness.run(milliseconds: 100)
  }

  @Test("The byte count includes changed files after a rescan, and appended photos do not restart it")
  func byteCountAfterScans() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(30, byteCount: 1_000))
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    try click(gallery, 1)
    try click(gallery, 2, .primary, .shift)
    #expect(showsDetail("2 of 30 selected, 2.0 kB", gallery))
    let total = gallery.screen.selectionBytes.total
    feed.appendBatch(feed.photos(10, byteCount: 1_000), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.itemCount == 40 && gallery.screen.selectionBytes.total == total)
    pressKey(gallery, .function(5))
    feed.appendBatch(
      .found(
        (0..<40).map { number in
          FoundPhoto(
            ordinal: number, folder: PhotoPath("/pictures"), name: Array("IMG_\(number).JPG".utf8),
            identity: FakeFeed.identity(number, version: number == 1 ? 2 : 1, byteCount: number == 1 ? 8_000 : 1_000))
        }), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(showsDetail("2 of 40 selected, 9.0 kB", gallery))
    try click(gallery, 1, .primary, .control)
    #expect(showsDetail("1 of 40 selected, 1.0 kB", gallery))
  }

  @Test("The tool tip of a truncated name is shown during a scan")
  func toolTipDuringScan() throws {
    let long = "A very long name of a photograph that no caption has room for at all.jpg"
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(30) { $0 == 1 ? long : "s\($0).jpg" })
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.pointerMoved(try center(of: 1, gallery)))
    for _ in 0..<20 {
      feed.appendBatch(feed.photos(3))
      gallery.harness.window.setNeedsFrame()
      gallery.harness.run(milliseconds: 50)
    }
    #expect(gallery.screen.grid.itemCount == 90 && gallery.screen.toolTips.toolTip?.text == long)
  }
}
