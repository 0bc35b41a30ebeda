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
      return GatedDecoder.painted(request.key)
    }
    gallery.stage.settle()
    return gallery
  }

  private func key(_ gallery: Gallery, _ keys: Key...) {
    for key in keys {
      gallery.stage.send(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.stage.settle()
    }
  }

  private func name(_ gallery: Gallery) -> String? {
    gallery.screen.viewing.map { gallery.library.caption(of: $0.item) }
  }

  @Test("Enter opens what has the keyboard; the picture comes at the window's size; Escape goes back to the last one")
  func course() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    #expect(name(gallery) == "IMG_1.JPG")
    let viewer = try #require(gallery.screen.viewing?.view)
    #expect(viewer.showsPicture && viewer.opacity == 1)
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 640 && $0.destination.height == 480 })
    #expect(!gallery.stage.drawn(["2 of 40   2.0 MB"], in: Theme.detailStyle).isEmpty)
    key(gallery, .right, .right, .left, .space)
    #expect(name(gallery) == "IMG_3.JPG")
    key(gallery, .end, .right)
    #expect(name(gallery) == "IMG_39.JPG")
    key(gallery, .escape)
    #expect(gallery.screen.viewing == nil)
    #expect(gallery.screen.grid.selection.items.ranges == [39..<40])
    #expect(gallery.screen.grid.focusedIndexPath?.item == 39 && gallery.screen.grid.cell(at: 39) != nil)
    #expect(gallery.stage.window.firstResponder === gallery.screen.grid)
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames)
  }

  @Test("It fades in over some frames, and is there at once where motion is reduced")
  func fading() throws {
    let gallery = try gallery()
    func opacities() -> [Double] {
      gallery.stage.send(.keyDown(.enter, modifiers: [], isRepeat: false))
      return (0..<16).map { _ in
        gallery.stage.run(frames: 1)
        return gallery.screen.viewing?.view.opacity ?? -1
      }
    }
    key(gallery, .right)
    let seen = opacities()
    #expect(
      seen.first.map { $0 < 0.3 } == true && seen.last == 1 && zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 })
    key(gallery, .escape)
    gallery.screen.grid.reducesMotion = true
    #expect(opacities().allSatisfy { $0 == 1 })
    gallery.stage.send(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.stage.run(frames: 1)
    #expect(gallery.screen.viewing == nil)
  }

  @Test("A picture that cannot be had says why, and its neighbours are shown")
  func failure() throws {
    let gallery = try gallery(failing: [1])
    key(gallery, .right, .right, .enter)
    #expect(!gallery.stage.drawn([ImageFailure.decoderTimedOut.description], in: Theme.reasonStyle).isEmpty)
    key(gallery, .right)
    #expect(name(gallery) == "IMG_2.JPG" && gallery.screen.viewing?.view.showsPicture == true)
  }

  @Test("A double click opens and closes; while it fades out keys are the grid's")
  func clicks() throws {
    let gallery = try gallery()
    let cell = try #require(gallery.screen.grid.cell(at: 2))
    let point = gallery.screen.grid.origin(of: cell) + gallery.screen.grid.frame.origin + Point(x: 20, y: 20)
    for clicks in [1, 2] {
      gallery.stage.send(.pointerDown(point, button: .primary, clicks: clicks, modifiers: []))
      gallery.stage.send(.pointerUp(point, button: .primary, modifiers: []))
    }
    gallery.stage.settle()
    #expect(name(gallery) == "IMG_2.JPG")
    gallery.stage.send(.pointerDown(point, button: .primary, clicks: 2, modifiers: []))
    gallery.stage.run(frames: 2)
    #expect(gallery.screen.viewing?.isOpen == false)
    key(gallery, .right)
    #expect(gallery.screen.viewing == nil && gallery.screen.grid.selection.lead == 3)
  }

  @Test("A photograph that goes gives way to the next; a resize asks for its size")
  func following() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    var snapshot = gallery.screen.dataSource.snapshot()
    snapshot.deleteItems([try #require(gallery.screen.viewing?.item)])
    gallery.screen.dataSource.apply(snapshot)
    gallery.stage.settle()
    #expect(name(gallery) == "IMG_2.JPG")
    gallery.stage.resize(to: Size(width: 500, height: 300))
    gallery.stage.settle()
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    #expect(commands.contains { $0.kind == .texture && $0.destination.width == 500 && $0.destination.height == 300 })
    key(gallery, .escape)
    #expect(gallery.screen.viewing == nil && gallery.screen.grid.selection.lead == 1)
  }

  @Test("Other photographs are opened by a drop, a bad one says why and loses nothing")
  func dropping() throws {
    let gallery = try gallery()
    key(gallery, .right, .right, .enter)
    var dropped: [[UInt8]] = []
    gallery.screen.onDrop = { paths in
      dropped = paths
      return "nowhere: no such file or folder"
    }
    gallery.stage.send(.filesDropped([Array("/nowhere".utf8)]))
    gallery.stage.run(frames: 2)
    #expect(dropped == [Array("/nowhere".utf8)] && gallery.library.count == 40)
    #expect(name(gallery) == "IMG_1.JPG")
    let next = FakeFeed()
    next.title = "Other"
    next.write(next.photos(7) { "NEW_\($0).JPG" }, FakeFeed.end)
    gallery.screen.onDrop = { [screen = gallery.screen] _ in
      screen.open(next, wantedPath: PhotoPath("/pictures/NEW_5.JPG"))
      return nil
    }
    gallery.stage.send(.filesDropped([Array("/pictures/NEW_5.JPG".utf8)]))
    gallery.stage.settle()
    #expect(gallery.screen.viewing == nil && gallery.library.count == 7)
    #expect(gallery.cells.map(\.name) == (0..<7).map { "NEW_\($0).JPG" })
    #expect(gallery.screen.grid.selection.items.ranges == [5..<6])
    #expect(gallery.screen.isFullyShown)
    #expect(!gallery.stage.drawn(["Other"], in: Theme.titleStyle).isEmpty)
  }
}
