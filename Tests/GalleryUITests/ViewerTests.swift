import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("A photograph fills the window, and Escape leads back to it")
struct ViewerTests {
  private func gallery(_ count: Int = 40, failing: Set<Int> = []) throws -> Gallery {
    let feed = FakeFeed()
    feed.write(feed.photos(count, byteCount: 2_000_000), FakeFeed.end)
    let paths = failing.map { Array("/pictures/IMG_\($0).JPG".utf8) }
    let gallery = try Gallery(feed) { request in
      if case .file(let path) = request.source, paths.contains(path) { return .failure(.decoderTimedOut) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.stage.runUntilIdle()
    return gallery
  }

  private func key(_ gallery: Gallery, _ keys: Key...) {
    for key in keys {
      gallery.stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.stage.runUntilIdle()
    }
  }

  private func name(_ gallery: Gallery) -> String? {
    gallery.screen.viewer.map { gallery.library.caption(of: $0.item) }
  }

  @Test("Enter opens what has the keyboard; the picture comes at the window's size; Escape goes back to the last one")
  func course() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    #expect(name(gallery) == "IMG_1.JPG")
    let viewer = try #require(gallery.screen.viewer?.view)
    #expect(viewer.showsPicture && viewer.opacity == 1)
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 640 && $0.destination.height == 480 })
    #expect(!gallery.stage.drawnTexts(["2 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty)
    key(gallery, .right, .right, .left, .space)
    #expect(name(gallery) == "IMG_3.JPG")
    key(gallery, .end, .right)
    #expect(name(gallery) == "IMG_39.JPG")
    key(gallery, .escape)
    #expect(gallery.screen.viewer == nil)
    #expect(gallery.screen.grid.selection.items.ranges == [39..<40])
    #expect(gallery.screen.grid.focusedIndexPath?.item == 39 && gallery.screen.grid.cell(at: 39) != nil)
    #expect(gallery.stage.window.firstResponder === gallery.screen.grid)
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames)
  }

  @Test("Several that were selected, or none, stay that; the keyboard goes to the picture that was looked at last")
  func selected() throws {
    let gallery = try gallery()
    let grid = gallery.screen.grid
    key(gallery, .right, .right)
    gallery.stage.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    key(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.count == 40 && grid.selection.lead == 2)
    key(gallery, .enter, .escape)
    #expect(grid.selection.items.count == 40 && grid.selection.lead == 2)
    key(gallery, .escape)
    gallery.stage.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false))
    key(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.isEmpty && grid.selection.lead == 4)
    key(gallery, .right)
    gallery.stage.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false))
    key(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.ranges == [5..<6] && grid.selection.lead == 7, "another one was selected")
    key(gallery, .left, .enter, .left, .right, .escape)
    #expect(grid.selection.items.ranges == [6..<7], "there and back")
  }

  @Test("Keys that are about the library mean the same there, and what they tell is seen")
  func otherKeys() throws {
    let gallery = try gallery()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    key(gallery, .right, .right)
    gallery.stage.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    key(gallery, .enter, .right)
    for modifiers: KeyModifiers in [.control, [.control, .shift]] {
      gallery.stage.sendEvent(.keyDown(.character("c"), modifiers: modifiers, isRepeat: false))
      gallery.stage.run(milliseconds: 50)
    }
    #expect(copied == ["/pictures/IMG_2.JPG", "file:///pictures/IMG_2.JPG"], "the one that is looked at")
    #expect(!gallery.stage.drawnTexts(["Copied 1 address"], in: Theme.detailStyle).isEmpty)
    gallery.stage.run(milliseconds: 5_000)
    #expect(!gallery.stage.drawnTexts(["3 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty, "and then which one it is")
    gallery.type("?", milliseconds: 50)
    #expect(gallery.screen.overlay is KeyGuideLayer)
    key(gallery, .escape)
    #expect(gallery.screen.overlay == nil && gallery.screen.viewer?.isOpen == true)
    key(gallery, .function(1))
    #expect(gallery.screen.overlay is KeyGuideLayer)
    key(gallery, .escape)
    gallery.type("+b ", milliseconds: 50)
    #expect(name(gallery) == "IMG_3.JPG", "Space goes on")
    #expect(!gallery.screen.typeAhead.isActive && gallery.screen.search == nil, "and nothing is typed")
    key(gallery, .function(5))
    #expect(gallery.feed.rescans == 1)
  }

  @Test("A finger that is drawn across turns to the next picture, once each time; down or a little way it does not")
  func fingers() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    func draw(to end: Point) {
      let start = Point(x: 320, y: 240)
      gallery.stage.sendEvent(.touch(TouchInput(finger: 1, phase: .began, location: start)))
      for step in 1...8 {
        let way = Point(x: (end.x - start.x) * Double(step) / 8, y: (end.y - start.y) * Double(step) / 8)
        gallery.stage.sendEvent(.touch(TouchInput(finger: 1, phase: .moved, location: start + way)))
        gallery.stage.run(frames: 1)
      }
      gallery.stage.sendEvent(.touch(TouchInput(finger: 1, phase: .ended, location: end)))
      gallery.stage.runUntilIdle()
    }
    draw(to: Point(x: 80, y: 260))
    #expect(name(gallery) == "IMG_2.JPG")
    draw(to: Point(x: 600, y: 200))
    #expect(name(gallery) == "IMG_1.JPG")
    draw(to: Point(x: 330, y: 20))
    draw(to: Point(x: 290, y: 250))
    #expect(name(gallery) == "IMG_1.JPG" && gallery.screen.viewer?.isOpen == true)
  }

  @Test("What a scan finds is counted; a file that is exchanged meanwhile is shown as it is now")
  func scanned() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(40, byteCount: 2_000_000))
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    key(gallery, .right, .right, .enter)
    #expect(!gallery.stage.drawnTexts(["2 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty)
    feed.write(feed.photos(2, byteCount: 2_000_000), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(!gallery.stage.drawnTexts(["2 of 42   2.0 MB"], in: Theme.detailStyle).isEmpty)
    let decodes = gallery.decoder.started.count
    key(gallery, .function(5))
    feed.write(
      .found(
        (0..<42).map { number in
          FoundPhoto(
            ordinal: number, folder: PhotoPath("/pictures"), name: Array("IMG_\(number).JPG".utf8),
            identity: FakeFeed.identity(
              number, version: number == 1 ? 2 : 1, byteCount: number == 1 ? 5_000_000 : 2_000_000))
        }), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(!gallery.stage.drawnTexts(["2 of 42   5.0 MB"], in: Theme.detailStyle).isEmpty)
    #expect(gallery.decoder.started.count >= decodes + 2, "in the window, and in its cell")
    #expect(gallery.screen.viewer?.view.showsPicture == true)
  }

  @Test("It fades in over some frames, and is there at once where motion is reduced")
  func fading() throws {
    let gallery = try gallery()
    func opacities() -> [Double] {
      gallery.stage.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
      return (0..<16).map { _ in
        gallery.stage.run(frames: 1)
        return gallery.screen.viewer?.view.opacity ?? -1
      }
    }
    key(gallery, .right)
    let seen = opacities()
    #expect(
      seen.first.map { $0 < 0.3 } == true && seen.last == 1 && zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 })
    key(gallery, .escape)
    gallery.screen.grid.reducesMotion = true
    #expect(opacities().allSatisfy { $0 == 1 })
    gallery.stage.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.stage.run(frames: 1)
    #expect(gallery.screen.viewer == nil)
  }

  @Test("A picture that cannot be had says why, and its neighbours are shown")
  func failure() throws {
    let gallery = try gallery(failing: [1])
    key(gallery, .right, .right, .enter)
    #expect(!gallery.stage.drawnTexts([ImageFailure.decoderTimedOut.description], in: Theme.reasonStyle).isEmpty)
    key(gallery, .right)
    #expect(name(gallery) == "IMG_2.JPG" && gallery.screen.viewer?.view.showsPicture == true)
  }

  @Test("A double click opens and closes; while it fades out keys are the grid's")
  func clicks() throws {
    let gallery = try gallery()
    let cell = try #require(gallery.screen.grid.cell(at: 2))
    let point = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin + Point(x: 20, y: 20)
    for clicks in [1, 2] {
      gallery.stage.sendEvent(.pointerDown(point, button: .primary, clicks: clicks, modifiers: []))
      gallery.stage.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    }
    gallery.stage.runUntilIdle()
    #expect(name(gallery) == "IMG_2.JPG")
    gallery.stage.sendEvent(.pointerDown(point, button: .primary, clicks: 2, modifiers: []))
    gallery.stage.run(frames: 2)
    #expect(gallery.screen.viewer?.isOpen == false)
    key(gallery, .right)
    #expect(gallery.screen.viewer == nil && gallery.screen.grid.selection.lead == 3)
  }

  @Test("A photograph that goes gives way to the next; a resize asks for its size")
  func following() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    var snapshot = gallery.screen.dataSource.snapshot()
    snapshot.deleteItems([try #require(gallery.screen.viewer?.item)])
    gallery.screen.dataSource.apply(snapshot)
    gallery.stage.runUntilIdle()
    #expect(name(gallery) == "IMG_2.JPG")
    gallery.stage.resize(to: Size(width: 500, height: 300))
    gallery.stage.runUntilIdle()
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 500 && $0.destination.height == 300 })
    key(gallery, .escape)
    #expect(gallery.screen.viewer == nil && gallery.screen.grid.selection.lead == 1)
  }
}
