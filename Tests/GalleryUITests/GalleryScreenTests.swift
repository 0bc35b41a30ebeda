import CollectionEngine
import CollectionUI
import DecodingProtocol
import FramePacing
import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("The gallery shows photographs as they are found and decoded, and rests when it is done")
struct GalleryScreenTests {
  @Test("All photographs on screen get their picture, at their size, and the loop rests")
  func comesToRest() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(200))
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    #expect(!gallery.cells.isEmpty)
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    let size = gallery.cells[0].frame.size
    let pictures = commands.filter { $0.kind == .texture && $0.source.width == Int32(size.width) }
    #expect(pictures.count == gallery.cells.count)
    #expect(
      pictures.allSatisfy { $0.source.width == $0.destination.width && $0.source.height == $0.destination.height })
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 20_000)
    #expect(gallery.stage.display.presentedFrames == frames)
    #expect(gallery.stage.display.textureCounts.staleCommands == 0)
  }

  @Test("Two equal runs draw equal frames")
  func repeats() throws {
    func digest() throws -> String {
      let feed = FakeFeed()
      feed.write(feed.photos(60, byteCount: 300_000))
      feed.write(feed.photos(60, byteCount: 900_000), FakeFeed.end)
      let gallery = try Gallery(feed)
      gallery.stage.run(frames: 4)
      gallery.stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
      gallery.stage.runUntilIdle()
      gallery.stage.resize(to: Size(width: 500, height: 400))
      gallery.stage.runUntilIdle()
      return gallery.stage.loop.frameDigest.text
    }
    #expect(try digest() == digest())
  }

  @Test("A picture is seen in the frame after it arrived")
  func frameAfterArrival() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(1), FakeFeed.end)
    let gallery = try Gallery(feed, decodeDelay: .milliseconds(40))
    var arrived: Int?
    for _ in 0..<20 where arrived == nil {
      gallery.stage.run(frames: 1)
      if gallery.pipeline.statistics.decoded == 1 { arrived = gallery.stage.display.drawnFrames }
    }
    #expect(try #require(arrived) > 2)
    #expect(!gallery.screen.isFullyShown, "its texture is made in this frame")
    gallery.stage.run(frames: 1)
    #expect(gallery.screen.isFullyShown)
  }

  @Test("A photograph that cannot be shown says why, whether its file or its decode tells")
  func failures() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(1), feed.photos(1, failing: .emptyFile), feed.photos(1), FakeFeed.end)
    let gallery = try Gallery(feed) { request in
      if case .file(let path) = request.source, path == Array("/pictures/IMG_2.JPG".utf8) {
        return .failure(.decoderTimedOut)
      }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.stage.runUntilIdle()
    let reasons = gallery.stage.drawnTexts(["empty file", "takes too long to decode"], in: Theme.reasonStyle).map(
      \.text)
    #expect(reasons == ["empty file", "takes too long to decode"])
    #expect(gallery.screen.failedCount == 2)
    let count = "3 photographs, 2 cannot be shown"
    #expect(gallery.stage.drawnTexts([count, "3 photographs"], in: Theme.detailStyle).map(\.text) == [count])
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.decoder.started.count == 2, "what cannot be shown is not decoded")
    let commands = try #require(gallery.stage.display.frames.last?.commands)
    let icons = commands.filter { $0.kind == .texture && $0.source.width == 40 }
    #expect(icons.count == 2 && Set(icons.map(\.texture)).count == 1, "one icon for all")
  }

  @Test("An item that fails by its decode and by its file counts once")
  func failsTwice() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(1))
    let gallery = try Gallery(feed) { _ in .failure(.refused(.notAPicture)) }
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.failedCount == 1)
    feed.write(
      .headers([HeaderResult(ordinal: 0, identity: FakeFeed.identity(0), failure: .notAPicture)]), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.failedCount == 1)
  }

  @Test("Placeholder time is the sum of surfaces and previews on screen over the time that each frame stayed")
  func placeholderTime() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(40, byteCount: 2_000_000))
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, decodeDelay: .milliseconds(7), cacheBytes: 1)
    // Some frames are late: they stay from when they were shown, not from when they should have been.
    gallery.stage.resources.uploads.modelledCost = .milliseconds(19)
    gallery.stage.runUntilIdle()
    gallery.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    gallery.stage.runUntilIdle()
    // Of what was seen and is in no memory there are previews.
    gallery.stage.resources.textures.idleByteLimit = 0
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.stage.runUntilIdle()
    let frames = gallery.stage.display.frames
    let history = gallery.stage.loop.history
    #expect(frames.count == history.count)
    var (blank, previewed) = (0.0, 0.0)
    for index in 0..<(frames.count - 1) {
      let stay =
        history.record(atAge: frames.count - 2 - index).shown - history.record(atAge: frames.count - 1 - index).shown
      blank += Double(Gallery.fills(Theme.dark.placeholder, in: frames[index])) * stay.milliseconds
      previewed += Double(Gallery.previews(in: frames[index])) * stay.milliseconds
    }
    #expect(blank > 500)
    #expect(previewed > 100)
    #expect(abs(gallery.screen.placeholderCellMilliseconds - blank - previewed) < 0.001)
    #expect(abs(gallery.screen.blankCellMilliseconds - blank) < 0.001)
  }

  @Test("A leap gives up what was waiting: what it flew over is not decoded")
  func leap() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(3_000), FakeFeed.end)
    let gallery = try Gallery(feed, workers: 1, decodeDelay: .milliseconds(30))
    gallery.stage.run(frames: 3)
    gallery.screen.grid.scroll(to: 20_000, animated: false)
    gallery.stage.run(frames: 2)
    gallery.screen.grid.scroll(to: 60_000, animated: false)
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    let shown = gallery.cells.compactMap(\.item).compactMap { gallery.library.reference(to: $0)?.sourceID }
    let started = gallery.decoder.started.map(\.source)
    let first = try #require(started.firstIndex { shown.contains($0) })
    #expect(first <= 6, "at most those that ran")
    #expect(started.count < 4 * shown.count + 12)
  }

  @Test("Another width asks for the pictures at another size; the old ones are stretched meanwhile")
  func resize() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(50), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let before = gallery.cells[0].frame.width
    gallery.stage.resize(to: Size(width: 700, height: 480))
    gallery.stage.run(frames: 1)
    let width = gallery.cells[0].frame.width
    #expect(width != before)
    let commands = gallery.stage.display.frames.last?.commands ?? []
    #expect(
      commands.contains {
        $0.kind == .texture && $0.source.width == Int32(before) && $0.destination.width == Int32(width)
      })
    gallery.stage.runUntilIdle()
    let last = gallery.stage.display.frames.last?.commands ?? []
    #expect(!last.contains { $0.kind == .texture && $0.source.width == Int32(before) })
    #expect(gallery.decoder.started.contains { $0.size.width == Int(width) })
  }

  @Test("A file that changes gets its new picture, in the same cell")
  func changedFile() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(4))
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let cell = gallery.cells[2]
    let decoded = gallery.decoder.started.count
    feed.write(
      .headers([
        HeaderResult(ordinal: 2, identity: FakeFeed.identity(2, version: 9), header: ImageHeader(format: .jpeg))
      ]))
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.decoder.started.count == decoded + 1)
    #expect(gallery.cells[2] === cell)
    #expect(gallery.screen.isFullyShown)
  }

  @Test("Photographs that are found later come behind those of before, which keep their cells")
  func streaming() throws {
    let feed = FakeFeed()
    for _ in 0..<30 { feed.write(feed.photos(50)) }
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.run(frames: 2)
    let cells = gallery.cells
    gallery.stage.runUntilIdle()
    #expect(gallery.cells.elementsEqual(cells) { $0 === $1 })
    #expect(gallery.screen.grid.itemCount == 1_500)
    #expect(gallery.library.count == 1_500)
    #expect(gallery.screen.grid.statistics.displayed == cells.count)
  }

  @Test("The bar tells the folder, the count and what goes on")
  func bar() throws {
    let feed = FakeFeed()
    feed.activity = "Reading…"
    feed.write(feed.photos(1))
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let details = ["1 photograph", "2 photographs", "Reading…"]
    #expect(gallery.stage.drawnTexts(["Holiday"], in: Theme.titleStyle).count == 1)
    #expect(gallery.stage.drawnTexts(details, in: Theme.detailStyle).map(\.text) == ["1 photograph", "Reading…"])
    feed.activity = nil
    feed.write(feed.photos(1), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.drawnTexts(details, in: Theme.detailStyle).map(\.text) == ["2 photographs"])
  }

  @Test("Lost textures are made again, and every picture is there")
  func lostTextures() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(12), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let before = gallery.stage.display.frames.last?.commands.count
    gallery.stage.display.loseTextures()
    gallery.stage.sendEvent(.texturesLost)
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.stage.display.frames.last?.commands.count == before)
    #expect(gallery.stage.display.textureCounts.staleCommands == 0)
  }
}
