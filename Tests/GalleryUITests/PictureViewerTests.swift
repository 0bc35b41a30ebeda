import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The viewer shows a photo in the whole window, and Escape returns to it in the grid")
struct PictureViewerTests {
  private func gallery(_ count: Int = 40, failing: Set<Int> = []) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count, byteCount: 2_000_000), FakeFeed.end)
    let paths = failing.map { Array("/pictures/IMG_\($0).JPG".utf8) }
    let gallery = try GalleryFixture(feed) { request in
      if case .file(let path) = request.source, paths.contains(path) { return .failure(.decoderTimedOut) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func pressKey(_ gallery: GalleryFixture, _ keys: Key...) {
    for key in keys {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
  }

  private func displayedName(_ gallery: GalleryFixture) -> String? {
    gallery.screen.viewer.state.map { gallery.library.caption(of: $0.item) }
  }

  @Test("Enter opens the focused photo at the window's size, keys navigate, and Escape returns to the last one")
  func navigation() throws {
    let gallery = try gallery()
    pressKey(gallery, .right, .right, .enter)
    #expect(displayedName(gallery) == "IMG_1.JPG")
    let viewer = try #require(gallery.screen.viewer.state?.view)
    #expect(viewer.showsPicture && viewer.opacity == 1)
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 640 && $0.destination.height == 480 })
    #expect(!gallery.harness.drawnTexts(["2 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty)
    pressKey(gallery, .right, .right, .left, .space)
    #expect(displayedName(gallery) == "IMG_3.JPG")
    pressKey(gallery, .end, .right)
    #expect(displayedName(gallery) == "IMG_39.JPG")
    pressKey(gallery, .escape)
    #expect(gallery.screen.viewer.state == nil)
    #expect(gallery.screen.grid.selection.items.ranges == [39..<40])
    #expect(gallery.screen.grid.focusedIndexPath?.item == 39 && gallery.screen.grid.cell(at: 39) != nil)
    #expect(gallery.harness.window.firstResponder === gallery.screen.grid)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 20_000)
    #expect(gallery.harness.display.presentedFrames == frames)
  }

  @Test(
    "An empty or multiple selection is unchanged after viewing, and the focus moves to the photo that was viewed last")
  func selectionAfterViewing() throws {
    let gallery = try gallery()
    let grid = gallery.screen.grid
    pressKey(gallery, .right, .right)
    gallery.harness.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    pressKey(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.count == 40 && grid.selection.lead == 2)
    pressKey(gallery, .enter, .escape)
    #expect(grid.selection.items.count == 40 && grid.selection.lead == 2)
    pressKey(gallery, .escape)
    gallery.harness.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false))
    pressKey(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.isEmpty && grid.selection.lead == 4)
    pressKey(gallery, .right)
    gallery.harness.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false))
    pressKey(gallery, .enter, .right, .escape)
    #expect(grid.selection.items.ranges == [5..<6] && grid.selection.lead == 7, "another photo was selected")
    pressKey(gallery, .left, .enter, .left, .right, .escape)
    #expect(grid.selection.items.ranges == [6..<7], "the viewer returned to the same photo")
  }

  @Test("Keys of the library work in the viewer, and their notices are shown")
  func libraryKeys() throws {
    let gallery = try gallery()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    pressKey(gallery, .right, .right)
    gallery.harness.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    pressKey(gallery, .enter, .right)
    for modifiers: KeyModifiers in [.control, [.control, .shift]] {
      gallery.harness.sendEvent(.keyDown(.character("c"), modifiers: modifiers, isRepeat: false))
      gallery.harness.run(milliseconds: 50)
    }
    #expect(copied == ["/pictures/IMG_2.JPG", "file:///pictures/IMG_2.JPG"], "the viewed photo")
    #expect(!gallery.harness.drawnTexts(["Copied 1 URL"], in: Theme.detailStyle).isEmpty)
    gallery.harness.run(milliseconds: 5_000)
    #expect(
      !gallery.harness.drawnTexts(["3 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty,
      "the notice is replaced by the position")
    gallery.type("?", milliseconds: 50)
    #expect(gallery.screen.overlays.openView is KeyboardShortcutsLayer)
    pressKey(gallery, .escape)
    #expect(gallery.screen.overlays.openView == nil && gallery.screen.viewer.state?.isOpen == true)
    pressKey(gallery, .function(1))
    #expect(gallery.screen.overlays.openView is KeyboardShortcutsLayer)
    pressKey(gallery, .escape)
    gallery.type("+b ", milliseconds: 50)
    #expect(displayedName(gallery) == "IMG_3.JPG", "Space shows the next photo")
    #expect(
      !gallery.screen.nameSearch.typeAhead.isActive && !gallery.screen.nameSearch.isSearching,
      "the text is not a search")
    pressKey(gallery, .function(5))
    #expect(gallery.feed.rescanCount == 1)
  }

  @Test("A horizontal swipe shows the next or previous picture once, and a vertical or short swipe does not")
  func swipes() throws {
    let gallery = try gallery()
    pressKey(gallery, .right, .right, .enter)
    func swipe(to end: Point) {
      let start = Point(x: 320, y: 240)
      gallery.harness.sendEvent(.touch(TouchInput(finger: 1, phase: .began, location: start)))
      for step in 1...8 {
        let translation = Point(x: (end.x - start.x) * Double(step) / 8, y: (end.y - start.y) * Double(step) / 8)
        gallery.harness.sendEvent(.touch(TouchInput(finger: 1, phase: .moved, location: start + translation)))
        gallery.harness.run(frames: 1)
      }
      gallery.harness.sendEvent(.touch(TouchInput(finger: 1, phase: .ended, location: end)))
      gallery.harness.runUntilIdle()
    }
    swipe(to: Point(x: 80, y: 260))
    #expect(displayedName(gallery) == "IMG_2.JPG")
    swipe(to: Point(x: 600, y: 200))
    #expect(displayedName(gallery) == "IMG_1.JPG")
    swipe(to: Point(x: 330, y: 20))
    swipe(to: Point(x: 290, y: 250))
    #expect(displayedName(gallery) == "IMG_1.JPG" && gallery.screen.viewer.state?.isOpen == true)
  }

  @Test("The viewer shows the count during a scan, and the new version of a changed file")
  func scanWhileViewing() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(40, byteCount: 2_000_000))
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    pressKey(gallery, .right, .right, .enter)
    #expect(!gallery.harness.drawnTexts(["2 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty)
    feed.appendBatch(feed.photos(2, byteCount: 2_000_000), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(!gallery.harness.drawnTexts(["2 of 42   2.0 MB"], in: Theme.detailStyle).isEmpty)
    let decodes = gallery.decoder.started.count
    pressKey(gallery, .function(5))
    feed.appendBatch(
      .found(
        (0..<42).map { number in
          FoundPhoto(
            ordinal: number, folder: PhotoPath("/pictures"), name: Array("IMG_\(number).JPG".utf8),
            identity: FakeFeed.identity(
              number, version: number == 1 ? 2 : 1, byteCount: number == 1 ? 5_000_000 : 2_000_000))
        }), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(!gallery.harness.drawnTexts(["2 of 42   5.0 MB"], in: Theme.detailStyle).isEmpty)
    #expect(gallery.decoder.started.count >= decodes + 2, "for the viewer and for the cell")
    #expect(gallery.screen.viewer.state?.view.showsPicture == true)
  }

  @Test("Enter opens the first visible photograph if none was chosen, and nothing in an empty library")
  func enterAtOnce() throws {
    for count in [0, 3] {
      let feed = FakeFeed()
      if count > 0 { feed.appendBatch(feed.photos(count, byteCount: 2_000_000)) }
      feed.appendBatch(FakeFeed.end)
      let gallery = try GalleryFixture(feed)
      gallery.harness.runUntilIdle()
      gallery.press(.enter)
      #expect(gallery.screen.viewer.isOpen == (count > 0))
      gallery.harness.runUntilIdle()
      let text = "1 of 3   2.0 MB"
      #expect(gallery.harness.drawnTexts([text], in: Theme.detailStyle).isEmpty == (count == 0))
    }
  }

  @Test("A picture of which only a part could be decoded is called damaged")
  func damaged() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(2, byteCount: 2_000_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed) { request in
      guard case .success(let image) = GatedDecoder.generatedImage(for: request.key) else {
        return .failure(.outOfMemory)
      }
      return .success(DecodedImage(bitmap: image.bitmap, sourceSize: image.sourceSize, isDamaged: true))
    }
    gallery.harness.runUntilIdle()
    gallery.press(.right)
    gallery.press(.enter)
    gallery.harness.runUntilIdle()
    #expect(!gallery.harness.drawnTexts(["damaged   1 of 2   2.0 MB"], in: Theme.detailStyle).isEmpty)
  }

  @Test("The viewer fades in over several frames, and appears immediately with reduced motion")
  func fading() throws {
    let gallery = try gallery()
    func opacities() -> [Double] {
      gallery.harness.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
      return (0..<16).map { _ in
        gallery.harness.run(frames: 1)
        return gallery.screen.viewer.state?.view.opacity ?? -1
      }
    }
    pressKey(gallery, .right)
    let values = opacities()
    #expect(
      values.first.map { $0 < 0.3 } == true && values.last == 1
        && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    pressKey(gallery, .escape)
    gallery.screen.grid.reducesMotion = true
    #expect(opacities().allSatisfy { $0 == 1 })
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    #expect(gallery.screen.viewer.state == nil)
  }

  @Test("While a key is held, the pictures ahead are decoded, otherwise those on both sides")
  func picturesAhead() throws {
    let gallery = try gallery()
    /// The indices of the pictures that were decoded in the size of the window.
    func decoded() -> Set<Int> {
      let sources = gallery.decoder.started.filter { $0.size == PixelSize(width: 640, height: 480) }.map(\.source)
      return Set(
        (0..<40).filter { index in
          let item = gallery.screen.dataSource.itemIdentifier(atFlatIndex: index)
          return sources.contains(item.flatMap { gallery.library.reference(to: $0)?.sourceID } ?? 0)
        })
    }
    for _ in 0..<11 { pressKey(gallery, .right) }
    pressKey(gallery, .enter)
    #expect(decoded() == [9, 10, 11])
    for _ in 0..<3 {
      gallery.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: true))
      gallery.harness.run(milliseconds: 33)
    }
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.viewer.state?.index == 13)
    #expect(decoded() == [9, 10, 11, 12, 13, 14, 15])
  }

  @Test("A picture that cannot be decoded shows the reason, and its neighbors are shown")
  func failure() throws {
    let gallery = try gallery(failing: [1])
    pressKey(gallery, .right, .right, .enter)
    #expect(!gallery.harness.drawnTexts([ImageFailure.decoderTimedOut.description], in: Theme.reasonStyle).isEmpty)
    pressKey(gallery, .right)
    #expect(displayedName(gallery) == "IMG_2.JPG" && gallery.screen.viewer.state?.view.showsPicture == true)
  }

  @Test("A double click opens the viewer and enlarges the picture, and during the fade out the grid receives keys")
  func clicks() throws {
    let gallery = try gallery()
    let cell = try #require(gallery.screen.grid.cell(at: 2))
    let point = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin + Point(x: 20, y: 20)
    for clicks in [1, 2] {
      gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: clicks, modifiers: []))
      gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    }
    gallery.harness.runUntilIdle()
    #expect(displayedName(gallery) == "IMG_2.JPG")
    gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 2, modifiers: []))
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.viewer.state?.view.zoom.isZoomed == true)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 2)
    #expect(gallery.screen.viewer.state?.isOpen == false)
    pressKey(gallery, .right)
    #expect(gallery.screen.viewer.state == nil && gallery.screen.grid.selection.lead == 3)
  }

  @Test("When the photo is deleted the next one is shown, and a resize requests a picture of the new size")
  func deletionAndResize() throws {
    let gallery = try gallery()
    pressKey(gallery, .right, .right, .enter)
    var snapshot = gallery.screen.dataSource.snapshot()
    snapshot.deleteItems([try #require(gallery.screen.viewer.state?.item)])
    gallery.screen.dataSource.apply(snapshot)
    gallery.harness.runUntilIdle()
    #expect(displayedName(gallery) == "IMG_2.JPG")
    gallery.harness.resize(to: Size(width: 500, height: 300))
    gallery.harness.runUntilIdle()
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 500 && $0.destination.height == 300 })
    pressKey(gallery, .escape)
    #expect(gallery.screen.viewer.state == nil && gallery.screen.grid.selection.lead == 1)
  }
}
