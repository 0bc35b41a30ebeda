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

@Suite("A name is found as it is typed")
struct FindingTests {
  private func gallery(_ count: Int, name: @escaping (UInt32) -> String) throws -> Gallery {
    let feed = FakeFeed()
    feed.write(feed.photos(count, byteCount: 1_000, name: name), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    return gallery
  }

  private func key(_ gallery: Gallery, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.stage.run(milliseconds: 400)
  }

  private func lead(_ gallery: Gallery) -> Int? { gallery.screen.grid.selection.lead }

  private func says(_ text: String, _ gallery: Gallery) -> Bool {
    !gallery.stage.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  @Test("In a frame or in many, and forgotten after a while")
  func finding() throws {
    let gallery = try gallery(12_000) { $0 == 9_000 ? "zebra.jpg" : $0 % 2 == 0 ? "a\($0).jpg" : "b 9-\($0).jpg" }
    gallery.type("b")
    #expect(lead(gallery) == 1 && says("Name: b", gallery))
    gallery.type("b")
    #expect(lead(gallery) == 3, "the next one")
    gallery.type("b")
    key(gallery, .backspace)
    key(gallery, .escape)
    #expect(
      gallery.screen.grid.selection.items.ranges == [5..<6], "Escape gives up what was typed, and nothing else")
    gallery.type("b 9-11")
    #expect(lead(gallery) == 11)
    gallery.stage.run(milliseconds: 3_000)
    #expect(says("1 of 12,000 selected, 1.0 kB", gallery) && !says("Name: b 9-11", gallery))
    gallery.type("zeb")
    gallery.stage.runUntilIdle()
    #expect(lead(gallery) == 9_000)
    gallery.type("qx")
    #expect(says("No name begins with “qx”", gallery))
    #expect(lead(gallery) == 9_000)
    gallery.stage.run(milliseconds: 3_000)
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames)
  }

  @Test("With all that Shift types, which means nothing else while a name is typed")
  func shifted() throws {
    let gallery = try gallery(300) { $0 < 100 ? "_DSC\($0).NEF.jpg" : $0 < 200 ? "IMG_\($0).JPG" : "a+b? (\($0)).jpg" }
    let size = gallery.screen.grid.firstItemSize
    gallery.type("IMG_17")
    #expect(lead(gallery) == 117 + 53 && says("Name: IMG_17", gallery))
    key(gallery, .escape)
    gallery.type("_dsc9")
    #expect(lead(gallery) == 9)
    key(gallery, .escape)
    gallery.type("a+b? (22")
    #expect(lead(gallery) == 220 && gallery.screen.overlay == nil)
    #expect(gallery.screen.grid.firstItemSize == size)
    key(gallery, .escape)
    gallery.type("+")
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.grid.firstItemSize.width > size.width && !gallery.screen.typeAhead.isActive)
    let offset = gallery.screen.grid.contentOffset
    gallery.type(" ")
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.grid.contentOffset != offset, "nothing was typed: it scrolls")
  }

  @Test("Keys only say what is looked for: however many come in a frame, a frame looks once")
  func portions() throws {
    let gallery = try gallery(30_000) { $0 == 29_000 ? "xyz.jpg" : "x\($0).jpg" }
    gallery.type("xyz", milliseconds: 0)
    gallery.stage.run(frames: 1)
    #expect(gallery.screen.search != nil && lead(gallery) == nil)
    gallery.stage.run(milliseconds: 2_000)
    #expect(gallery.screen.search == nil && lead(gallery) == 29_000)
    let event = InputEvent(time: gallery.stage.clock.now(), kind: .text("x"))
    let before = lead(gallery)
    for _ in 0..<3 { _ = gallery.screen.handle(event) }
    #expect(lead(gallery) == before && gallery.screen.search != nil)
  }

  @Test(
    "Whatever a hand does meanwhile ends it, and nothing is taken from that",
    arguments: ["click", "arrow", "all", "menu", "open", "escape"])
  func ended(act: String) throws {
    let gallery = try gallery(60_000) { $0 == 59_000 ? "zebra.jpg" : "z\($0).jpg" }
    let place = Point(x: 100, y: 120)
    func press(_ button: PointerButton) {
      gallery.stage.sendEvent(.pointerDown(place, button: button, clicks: 1, modifiers: []))
      gallery.stage.sendEvent(.pointerUp(place, button: button, modifiers: []))
    }
    press(.primary)
    gallery.stage.run(frames: 2)
    gallery.type("zeb", milliseconds: 0)
    gallery.stage.run(frames: 2)
    #expect(gallery.screen.search != nil)
    switch act {
    case "click": press(.primary)
    case "arrow": gallery.stage.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    case "all": gallery.stage.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    case "menu": press(.secondary)
    case "open": gallery.stage.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
    default: gallery.stage.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    }
    gallery.stage.run(frames: 2)
    let chosen = gallery.screen.grid.selection
    #expect(gallery.screen.search == nil && !gallery.screen.typeAhead.isActive)
    #expect(chosen.items.count == (act == "all" ? 60_000 : 1))
    gallery.stage.run(milliseconds: 6_000)
    #expect(gallery.screen.grid.selection == chosen)
  }

  @Test("What is looked for is not forgotten before it was found, and a while longer")
  func remembered() throws {
    let gallery = try gallery(60_000) { "z\($0).jpg" }
    gallery.type("zeb", milliseconds: 0)
    while gallery.screen.typeAhead.isActive, gallery.screen.search != nil { gallery.stage.run(frames: 1) }
    gallery.stage.run(milliseconds: 1_000)
    #expect(says("No name begins with “zeb”", gallery))
    gallery.stage.run(milliseconds: 1_000)
    #expect(!gallery.screen.typeAhead.isActive)
  }
}
