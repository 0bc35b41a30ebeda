import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The gallery shows photos as they are found and decoded, and is idle afterwards")
struct GalleryScreenTests {
  @Test("All photos on screen show their picture at its size, and then the loop is idle")
  func idle() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(200))
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    #expect(!gallery.cells.isEmpty)
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    let size = gallery.cells[0].frame.size
    let pictures = commands.filter { $0.kind == .texture && $0.source.width == Int32(size.width) }
    #expect(pictures.count == gallery.cells.count)
    #expect(
      pictures.allSatisfy { $0.source.width == $0.destination.width && $0.source.height == $0.destination.height })
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 20_000)
    #expect(gallery.harness.display.presentedFrames == frames)
    #expect(gallery.harness.display.textureCounts.staleCommands == 0)
  }

  @Test("Two equal runs draw equal frames")
  func repeats() throws {
    func digest() throws -> String {
      let feed = FakeFeed()
      feed.appendBatch(feed.photos(60, byteCount: 300_000))
      feed.appendBatch(feed.photos(60, byteCount: 900_000), FakeFeed.end)
      let gallery = try GalleryFixture(feed)
      gallery.harness.run(frames: 4)
      gallery.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
      gallery.harness.resize(to: Size(width: 500, height: 400))
      gallery.harness.runUntilIdle()
      return gallery.harness.loop.frameDigest.text
    }
    #expect(try digest() == digest())
  }

  @Test("At rest a picture is shown in the frame of its arrival")
  func frameOfArrival() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1), FakeFeed.end)
    let gallery = try GalleryFixture(feed, decodeDelay: .milliseconds(40))
    var arrived: Int?
    for _ in 0..<20 where arrived == nil {
      gallery.harness.run(frames: 1)
      if gallery.pipeline.statistics.decoded == 1 { arrived = gallery.harness.display.drawnFrames }
    }
    #expect(try #require(arrived) > 2)
    #expect(gallery.screen.isFullyShown)
  }

  @Test("A photo that cannot be shown has the reason, whether reading or decoding fails")
  func failures() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1), feed.photos(1, failing: .emptyFile), feed.photos(1), FakeFeed.end)
    let gallery = try GalleryFixture(feed) { request in
      if case .file(let path) = request.source, path == Array("/pictures/IMG_2.JPG".utf8) {
        return .failure(.decoderTimedOut)
      }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.harness.runUntilIdle()
    let reasons = gallery.harness.drawnTexts(["empty file", "takes too long to decode"], in: Theme.reasonStyle).map(
      \.text)
    #expect(reasons == ["empty file", "takes too long to decode"])
    #expect(gallery.screen.failedCount == 2)
    let count = "3 photographs, 2 cannot be shown"
    #expect(gallery.harness.drawnTexts([count, "3 photographs"], in: Theme.detailStyle).map(\.text) == [count])
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.decoder.started.count == 2, "a failed photo is not decoded")
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    let icons = commands.filter { $0.kind == .texture && $0.source.width == 40 }
    #expect(icons.count == 2 && Set(icons.map(\.texture)).count == 1, "all cells share one icon")
  }

  @Test("A photo that fails to decode and to be read counts once")
  func failsTwice() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1))
    let gallery = try GalleryFixture(feed) { _ in .failure(.refused(.notAPicture)) }
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.failedCount == 1)
    feed.appendBatch(
      .headers([HeaderResult(ordinal: 0, identity: FakeFeed.identity(0), failure: .notAPicture)]), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.failedCount == 1)
  }

  @Test("The placeholder time is the number of placeholders and previews on screen, times the duration of each frame")
  func placeholderTime() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(40, byteCount: 2_000_000))
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed, decodeDelay: .milliseconds(7), cacheBytes: 1)
    // Some frames are late. Their duration starts when they are shown, not when they are due.
    gallery.harness.resources.uploads.modelledCost = .milliseconds(19)
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    // Pictures that were shown and evicted have previews.
    gallery.harness.resources.textures.idleByteLimit = 0
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.harness.runUntilIdle()
    let frames = gallery.harness.display.frames
    let history = gallery.harness.loop.history
    #expect(frames.count == history.count)
    var (blank, previewed) = (0.0, 0.0)
    for index in 0..<(frames.count - 1) {
      let duration =
        history.record(atAge: frames.count - 2 - index).shown - history.record(atAge: frames.count - 1 - index).shown
      blank += Double(GalleryFixture.fillCount(Theme.dark.placeholder, in: frames[index])) * duration.milliseconds
      previewed += Double(GalleryFixture.previewCount(in: frames[index])) * duration.milliseconds
    }
    #expect(blank > 500)
    #expect(previewed > 100)
    #expect(abs(gallery.screen.placeholderCellMilliseconds - blank - previewed) < 0.001)
    #expect(abs(gallery.screen.blankCellMilliseconds - blank) < 0.001)
  }

  @Test("A jump cancels pending requests, and pictures in between are not decoded")
  func jump() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(3_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed, workers: 1, decodeDelay: .milliseconds(30))
    gallery.harness.run(frames: 3)
    gallery.screen.grid.scroll(to: 20_000, animated: false)
    gallery.harness.run(frames: 2)
    gallery.screen.grid.scroll(to: 60_000, animated: false)
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    let shown = gallery.cells.compactMap(\.item).compactMap { gallery.library.reference(to: $0)?.sourceID }
    let started = gallery.decoder.started.map(\.source)
    let first = try #require(started.firstIndex { shown.contains($0) })
    #expect(first <= 6, "at most the decodes in progress")
    #expect(started.count < 4 * shown.count + 12)
  }

  @Test("Another width requests pictures of another size, and the previous ones are scaled until then")
  func resize() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(50), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let before = gallery.cells[0].frame.width
    gallery.harness.resize(to: Size(width: 700, height: 480))
    gallery.harness.run(frames: 1)
    let width = gallery.cells[0].frame.width
    #expect(width != before)
    let commands = gallery.harness.display.frames.last?.commands ?? []
    #expect(
      commands.contains {
        $0.kind == .texture && $0.source.width == Int32(before) && $0.destination.width == Int32(width)
      })
    gallery.harness.runUntilIdle()
    let last = gallery.harness.display.frames.last?.commands ?? []
    #expect(!last.contains { $0.kind == .texture && $0.source.width == Int32(before) })
    #expect(gallery.decoder.started.contains { $0.size.width == Int(width) })
  }

  @Test("A changed file shows its new picture in the same cell")
  func changedFile() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(4))
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let cell = gallery.cells[2]
    let decoded = gallery.decoder.started.count
    feed.appendBatch(
      .headers([
        HeaderResult(ordinal: 2, identity: FakeFeed.identity(2, version: 9), header: ImageHeader(format: .jpeg))
      ]))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.decoder.started.count == decoded + 1)
    #expect(gallery.cells[2] === cell)
    #expect(gallery.screen.isFullyShown)
  }

  @Test("Photos that are found later are appended, and the previous ones keep their cells")
  func streaming() throws {
    let feed = FakeFeed()
    for _ in 0..<30 { feed.appendBatch(feed.photos(50)) }
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.run(frames: 2)
    let cells = gallery.cells
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.elementsEqual(cells) { $0 === $1 })
    #expect(gallery.screen.grid.itemCount == 1_500)
    #expect(gallery.library.count == 1_500)
    #expect(gallery.screen.grid.statistics.displayed == cells.count)
  }

  @Test("The title bar shows the folder, the count and the activity")
  func titleBar() throws {
    let feed = FakeFeed()
    feed.activity = "Reading…"
    feed.appendBatch(feed.photos(1))
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let details = ["1 photograph", "2 photographs", "Reading…"]
    #expect(gallery.harness.drawnTexts(["Holiday"], in: Theme.titleStyle).count == 1)
    #expect(gallery.harness.drawnTexts(details, in: Theme.detailStyle).map(\.text) == ["1 photograph", "Reading…"])
    feed.activity = nil
    feed.appendBatch(feed.photos(1), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.drawnTexts(details, in: Theme.detailStyle).map(\.text) == ["2 photographs"])
  }

  @Test("Lost textures are uploaded again, and every picture is shown")
  func lostTextures() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(12), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let before = gallery.harness.display.frames.last?.commands.count
    gallery.harness.display.loseTextures()
    gallery.harness.sendEvent(.texturesLost)
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.harness.display.frames.last?.commands.count == before)
    #expect(gallery.harness.display.textureCounts.staleCommands == 0)
  }
}
