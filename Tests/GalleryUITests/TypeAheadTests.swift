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

@Suite("A typed name selects the photo whose name starts with it")
struct TypeAheadTests {
  private func gallery(_ count: Int, name: @escaping (UInt32) -> String) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count, byteCount: 1_000, name: name), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func pressKey(_ gallery: GalleryFixture, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.harness.run(milliseconds: 400)
  }

  private func lead(_ gallery: GalleryFixture) -> Int? { gallery.screen.grid.selection.lead }

  private func showsDetail(_ text: String, _ gallery: GalleryFixture) -> Bool {
    !gallery.harness.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("A search takes one or more frames, and the typed text expires")
  func search() throws {
    let gallery = try gallery(12_000) { $0 == 9_000 ? "zebra.jpg" : $0 % 2 == 0 ? "a\($0).jpg" : "b 9-\($0).jpg" }
    gallery.type("b")
    #expect(lead(gallery) == 1 && showsDetail("Name: b", gallery))
    gallery.type("b")
    #expect(lead(gallery) == 3, "the next match")
    gallery.type("b")
    pressKey(gallery, .backspace)
    pressKey(gallery, .escape)
    #expect(
      gallery.screen.grid.selection.items.ranges == [5..<6], "Escape clears the typed text alone")
    gallery.type("b 9-11")
    #expect(lead(gallery) == 11)
    gallery.harness.run(milliseconds: 3_000)
    #expect(showsDetail("1 of 12,000 selected, 1.0 kB", gallery) && !showsDetail("Name: b 9-11", gallery))
    gallery.type("zeb")
    gallery.harness.runUntilIdle()
    #expect(lead(gallery) == 9_000)
    gallery.type("qx")
    #expect(showsDetail("No name begins with “qx”", gallery))
    #expect(lead(gallery) == 9_000)
    gallery.harness.run(milliseconds: 3_000)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 20_000)
    #expect(gallery.harness.display.presentedFrames == frames)
  }

  @Test("Characters that need Shift are part of the name, and no shortcuts while a name is typed")
  func shiftedCharacters() throws {
    let gallery = try gallery(300) { $0 < 100 ? "_DSC\($0).NEF.jpg" : $0 < 200 ? "IMG_\($0).JPG" : "a+b? (\($0)).jpg" }
    let size = gallery.screen.grid.firstItemSize
    gallery.type("IMG_17")
    #expect(lead(gallery) == 117 + 53 && showsDetail("Name: IMG_17", gallery))
    pressKey(gallery, .escape)
    gallery.type("_dsc9")
    #expect(lead(gallery) == 9)
    pressKey(gallery, .escape)
    gallery.type("a+b? (22")
    #expect(lead(gallery) == 220 && gallery.screen.overlays.openView == nil)
    #expect(gallery.screen.grid.firstItemSize == size)
    pressKey(gallery, .escape)
    gallery.type("+")
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.firstItemSize.width > size.width && !gallery.screen.nameSearch.typeAhead.isActive)
    let offset = gallery.screen.grid.contentOffset
    gallery.type(" ")
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.contentOffset != offset, "without typed text, Space scrolls")
  }

  @Test("Keys change the query alone, and each frame searches once")
  func oneSearchPerFrame() throws {
    let gallery = try gallery(30_000) { $0 == 29_000 ? "xyz.jpg" : "x\($0).jpg" }
    gallery.type("xyz", milliseconds: 0)
    gallery.harness.run(frames: 1)
    #expect(gallery.screen.nameSearch.isSearching && lead(gallery) == nil)
    gallery.harness.run(milliseconds: 2_000)
    #expect(!gallery.screen.nameSearch.isSearching && lead(gallery) == 29_000)
    let event = InputEvent(time: gallery.harness.clock.now(), kind: .text("x"))
    let before = lead(gallery)
    for _ in 0..<3 { _ = gallery.screen.handle(event) }
    #expect(lead(gallery) == before && gallery.screen.nameSearch.isSearching)
  }

  @Test(
    "Any other action cancels the search without further effects",
    arguments: ["click", "arrow", "all", "menu", "open", "escape"])
  func cancelled(by action: String) throws {
    let gallery = try gallery(60_000) { $0 == 59_000 ? "zebra.jpg" : "z\($0).jpg" }
    let location = Point(x: 100, y: 120)
    func press(_ button: PointerButton) {
      gallery.harness.sendEvent(.pointerDown(location, button: button, clicks: 1, modifiers: []))
      gallery.harness.sendEvent(.pointerUp(location, button: button, modifiers: []))
    }
    press(.primary)
    gallery.harness.run(frames: 2)
    gallery.type("zeb", milliseconds: 0)
    gallery.harness.run(frames: 2)
    #expect(gallery.screen.nameSearch.isSearching)
    switch action {
    case "click": press(.primary)
    case "arrow": gallery.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    case "all": gallery.harness.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    case "menu": press(.secondary)
    case "open": gallery.harness.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
    default: gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    }
    gallery.harness.run(frames: 2)
    let selection = gallery.screen.grid.selection
    #expect(!gallery.screen.nameSearch.isSearching && !gallery.screen.nameSearch.typeAhead.isActive)
    #expect(selection.items.count == (action == "all" ? 60_000 : 1))
    gallery.harness.run(milliseconds: 6_000)
    #expect(gallery.screen.grid.selection == selection)
  }

  @Test("The query does not expire during a search, nor right after it")
  func expiry() throws {
    let gallery = try gallery(60_000) { "z\($0).jpg" }
    gallery.type("zeb", milliseconds: 0)
    while gallery.screen.nameSearch.typeAhead.isActive, gallery.screen.nameSearch.isSearching {
      gallery.harness.run(frames: 1)
    }
    gallery.harness.run(milliseconds: 1_000)
    #expect(showsDetail("No name begins with “zeb”", gallery))
    gallery.harness.run(milliseconds: 1_000)
    #expect(!gallery.screen.nameSearch.typeAhead.isActive)
  }
}

// MARK: - Name search

@Suite("A search finds a name that starts with the typed text")
struct NameSearchTests {
  private let names = ["Apple.jpg", "apricot.jpg", "Banana.jpg", "Ärger.jpg", "ärmel.jpg", "apex.png", ""]

  private func find(_ text: String, from start: Int, batchSize: Int = 100) -> NameSearch.State {
    var search = NameSearch(for: text, from: start, of: names.count)
    var state = NameSearch.State.searching
    while state == .searching { state = search.advance(atMost: batchSize) { Array(names[$0].utf8)[...] } }
    return state
  }

  @Test(
    "The search starts at an index, wraps around, and ignores case",
    arguments: [
      ("a", 0, 0), ("a", 1, 1), ("a", 2, 5), ("ap", 6, 0), ("APR", 0, 1), ("b", 5, 2), ("är", 0, 3), ("ÄRM", 0, 4),
      ("a", 700, 0),
    ])
  func found(text: String, start: Int, index: Int) {
    #expect(find(text, from: start) == .found(index))
    #expect(find(text, from: start, batchSize: 1) == .found(index))
  }

  @Test("A text that no name starts with is not found", arguments: ["x", "apx", "banana.jpgs", ""])
  func notFound(text: String) {
    #expect(find(text, from: 3, batchSize: 2) == .notFound)
  }

  @Test("Without names, the search fails")
  func noNames() {
    var search = NameSearch(for: "a", from: 4, of: 0)
    let state = search.advance(atMost: 9) { _ in nil }
    #expect(state == .notFound)
  }

  @Test(
    "Letters typed in quick succession form a prefix, a repeated letter steps to the next name, and the text expires")
  func typing() {
    var typeAhead = TypeAhead()
    let start = FrameInstant.zero
    typeAhead.appendLetter("a", at: start)
    #expect(typeAhead.query == ("a", false))
    typeAhead.appendLetter("p", at: start + .milliseconds(500))
    #expect(typeAhead.query == ("ap", true))
    let expiries = [1_999.0, 2_000, 9_000].map { typeAhead.expire(at: start + .milliseconds($0)) }
    #expect(expiries == [false, true, false])
    #expect(!typeAhead.isActive && typeAhead.expiry == nil)
    typeAhead.appendLetter("b", at: start)
    typeAhead.appendLetter("b", at: start)
    #expect(typeAhead.query == ("b", false) && typeAhead.text == "bb")
    typeAhead.deleteLastLetter(at: start)
    typeAhead.deleteLastLetter(at: start)
    #expect(!typeAhead.isActive && typeAhead.expiry == nil)
    for _ in 0..<200 { typeAhead.appendLetter("x", at: start) }
    #expect(typeAhead.text.count == 64)
  }
}
