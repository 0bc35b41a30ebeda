import CollectionUI
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Threads
import Views

@testable import GalleryUI

@Suite(
  "The gallery asks for pictures in the order in which they are wanted, and again for those that failed for a moment")
struct GalleryPictureOrderTests {
  @Test("What is on screen is decoded before what comes next")
  func order() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(300), FakeFeed.end)
    let gallery = try Gallery(feed, workers: 1)
    gallery.stage.runUntilIdle()
    let visible = Set(
      gallery.cells.compactMap { $0.item }.compactMap { gallery.library.reference(to: $0)?.sourceID })
    let started = gallery.decoder.started.map(\.source)
    #expect(started.count > visible.count)
    #expect(Set(started.prefix(visible.count)) == visible)
  }

  @Test("At launch pictures are decoded in the order in which they are read")
  func readingOrder() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(300), FakeFeed.end)
    let gallery = try Gallery(feed, workers: 1)
    gallery.stage.runUntilIdle()
    let visible = gallery.cells.compactMap(\.item).compactMap { gallery.library.reference(to: $0)?.sourceID }
    #expect(visible.count > 6)
    #expect(Array(gallery.decoder.started.map(\.source).prefix(visible.count)) == visible)
  }

  @Test("While the content moves on the last row is decoded before those that will leave, and at rest the first one")
  func movingOrder() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(300), FakeFeed.end)
    let size = Size(width: 1_600, height: 900)
    let gallery = try Gallery(feed, size: size, workers: 1, decodeDelay: .milliseconds(16))
    gallery.stage.run(frames: 2)
    /// What was begun, the thread that does so waited for.
    func started() throws -> [UInt64] {
      let images = gallery.pipeline.statistics
      return try gallery.decoder.waitForStarts(images.decoded + images.running).map(\.source)
    }
    func rows() throws -> [Double?] {
      let rows = Dictionary(
        uniqueKeysWithValues: gallery.cells.compactMap { cell in
          cell.item.flatMap { gallery.library.reference(to: $0) }.map { ($0.sourceID, cell.frame.minY) }
        })
      return try started().map { rows[$0] }
    }
    let last = try #require(gallery.cells.last?.frame.minY)
    let before = try started().count
    for step in 1...5 {
      gallery.screen.grid.scroll(to: Double(step), animated: false)
      gallery.stage.run(frames: 1)
    }
    let moving = try rows().dropFirst(before + 1)
    #expect(moving.count > 2 && moving.allSatisfy { $0 == last })
    gallery.stage.run(frames: 2)
    let rest = try started().count
    gallery.stage.runUntilIdle()
    let first = try #require(gallery.cells.first?.frame.minY)
    #expect(try rows()[rest] == first)
  }

  @Test("A picture that failed for a moment is had when it comes into view anew, and stays broken until then")
  func recovers() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(300), FakeFeed.end)
    let isShort = Lock(true)
    let gallery = try Gallery(feed) { request in
      isShort.withLock { $0 } ? .failure(.decoderUnavailable) : GatedDecoder.generatedImage(for: request.key)
    }
    gallery.stage.runUntilIdle()
    #expect(gallery.cells.allSatisfy { if case .broken = $0.content { true } else { false } })
    #expect(gallery.screen.failedCount > 0)
    isShort.withLock { $0 = false }
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 10_000)
    #expect(gallery.stage.display.presentedFrames == frames, "nothing wakes a loop at rest")
    gallery.stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    gallery.stage.runUntilIdle()
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.stage.run(frames: 1)
    #expect(!gallery.cells.contains { if case .placeholder = $0.content { true } else { false } }, "no flicker")
    gallery.stage.runUntilIdle()
    #expect(gallery.cells.allSatisfy { if case .picture = $0.content { true } else { false } })
  }

  @Test("What left the screen and is still near waits for what is on it")
  func leftBehind() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(300), FakeFeed.end)
    let gallery = try Gallery(feed, workers: 1, decodeDelay: .milliseconds(30))
    gallery.stage.run(frames: 2)
    let before = Set(gallery.cells.compactMap(\.item))
    gallery.screen.grid.scroll(to: gallery.cells[0].frame.maxY + 30, animated: false)
    gallery.stage.run(frames: 1)
    // What was begun, the thread that does so waited for.
    let images = gallery.pipeline.statistics
    let begun = try gallery.decoder.waitForStarts(images.decoded + images.running).count
    let left = before.subtracting(gallery.cells.compactMap(\.item))
    #expect(!left.isEmpty)
    gallery.stage.runUntilIdle()
    let sources = Dictionary(
      uniqueKeysWithValues: gallery.screen.grid.visibleCells.compactMap { ($0 as? PhotoCell)?.item }.compactMap {
        item in
        gallery.library.reference(to: item).map { ($0.sourceID, item) }
      })
    let order = gallery.decoder.started.dropFirst(begun).prefix(sources.count - begun).map(\.source)
    #expect(order.allSatisfy { sources[$0] != nil }, "what is on screen comes first")
    let behind = left.compactMap { gallery.library.reference(to: $0)?.sourceID }
    #expect(gallery.decoder.started.dropFirst(begun).contains { behind.contains($0.source) }, "it is not given up")
  }
}
