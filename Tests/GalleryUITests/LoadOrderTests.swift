import CollectionUI
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Pictures on screen are loaded in reading order, and from the last row upwards while scrolling to the end")
struct LoadOrderTests {
  /// Returns the frame of an item in a grid of three columns.
  private func frame(_ index: Int) -> Rect {
    Rect(x: Double(index % 3) * 110, y: Double(index / 3) * 90, width: 100, height: 80)
  }

  private func sortedIndices(_ order: LoadOrder) -> [Int] {
    (0..<9).sorted { order.priority(of: frame($0)) < order.priority(of: frame($1)) }
  }

  /// Returns the order after frames with the given offsets.
  private func order(_ offsets: [Double]) -> [Int] {
    var order = LoadOrder()
    for offset in offsets { _ = order.updateOffset(offset, screenHeight: 500) }
    return sortedIndices(order)
  }

  @Test("At launch, at rest, towards the start and after a jump, the order is row by row from the top")
  func reading() {
    let reading = Array(0..<9)
    #expect(sortedIndices(LoadOrder()) == reading)
    #expect(order([0]) == reading)
    #expect(order([300]) == reading)
    #expect(order([0, 40, 80, 80]) == reading)
    #expect(order([80, 40]) == reading)
    #expect(order([0, 500]) == reading)
    #expect(order([0, 9_000]) == reading)
  }

  @Test("Towards the end, the last row comes first, from left to right within a row")
  func scrollingTowardsEnd() {
    #expect(order([0, 0.25]) == [6, 7, 8, 3, 4, 5, 0, 1, 2])
    #expect(order([0, 499]) == [6, 7, 8, 3, 4, 5, 0, 1, 2])
  }

  @Test("A change of the order is reported once")
  func changes() {
    var order = LoadOrder()
    let changes = [0.0, 10, 20, 20, 20, 10, 30, 30].map { order.updateOffset($0, screenHeight: 500) }
    #expect(changes == [false, true, false, true, false, false, true, true])
  }

  @Test("The priority does not overflow for any frame, and precedes the deadlines of prefetched pictures")
  func extremes() {
    var generator = SeededGenerator(seed: 11)
    var order = LoadOrder()
    for round in 0..<400 {
      _ = order.updateOffset(Double(round % 3), screenHeight: 10)
      let y = Double.random(in: -1e15...1e15, using: &generator)
      let x = [0, -1e9, 1e9, Double.random(in: 0...5_000, using: &generator)][round % 4]
      let priority = order.priority(of: Rect(x: x, y: y, width: 1, height: 1))
      let deadline = ThumbnailDeadline.deadline(onScreenWithPriority: priority)
      #expect(deadline < ThumbnailDeadline.deadline(prefetchAt: .zero, distance: 0))
    }
  }
}

// MARK: - Requests of the gallery

@Suite("The gallery requests pictures in load order, and retries transient failures")
struct GalleryLoadOrderTests {
  @Test("Pictures on screen are decoded before prefetched ones")
  func order() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(300), FakeFeed.end)
    let gallery = try GalleryFixture(feed, workers: 1)
    gallery.harness.runUntilIdle()
    let visible = Set(
      gallery.cells.compactMap { $0.item }.compactMap { gallery.library.reference(to: $0)?.sourceID })
    let started = gallery.decoder.started.map(\.source)
    #expect(started.count > visible.count)
    #expect(Set(started.prefix(visible.count)) == visible)
  }

  @Test("At launch, pictures are decoded in reading order")
  func readingOrder() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(300), FakeFeed.end)
    let gallery = try GalleryFixture(feed, workers: 1)
    gallery.harness.runUntilIdle()
    let visible = gallery.cells.compactMap(\.item).compactMap { gallery.library.reference(to: $0)?.sourceID }
    #expect(visible.count > 6)
    #expect(Array(gallery.decoder.started.map(\.source).prefix(visible.count)) == visible)
  }

  @Test("While the content scrolls towards its end the last row is decoded first, and at rest the first row is")
  func movingOrder() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(300), FakeFeed.end)
    let size = Size(width: 1_600, height: 900)
    let gallery = try GalleryFixture(feed, size: size, workers: 1, decodeDelay: .milliseconds(16))
    gallery.harness.run(frames: 2)
    /// Returns the sources whose decodes have started, after waiting for the thread that starts them.
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
      gallery.harness.run(frames: 1)
    }
    let startedWhileScrolling = try rows().dropFirst(before + 1)
    #expect(startedWhileScrolling.count > 2 && startedWhileScrolling.allSatisfy { $0 == last })
    gallery.harness.run(frames: 2)
    let countAtRest = try started().count
    gallery.harness.runUntilIdle()
    let first = try #require(gallery.cells.first?.frame.minY)
    #expect(try rows()[countAtRest] == first)
  }

  @Test("After a transient failure, pictures that are or become visible are requested again, without a flicker")
  func transientFailure() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(300), FakeFeed.end)
    let isUnavailable = Lock(true)
    let gallery = try GalleryFixture(feed) { request in
      isUnavailable.withLock { $0 } ? .failure(.decoderUnavailable) : GatedDecoder.generatedImage(for: request.key)
    }
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.allSatisfy { if case .broken = $0.content { true } else { false } })
    #expect(gallery.screen.failedCount > 0)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 10_000)
    let drawn = gallery.harness.display.presentedFrames - frames
    #expect(drawn <= 40, "an idle loop wakes twice a second at most")
    isUnavailable.withLock { $0 = false }
    gallery.harness.run(milliseconds: 2_000)
    gallery.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.harness.run(frames: 1)
    #expect(!gallery.cells.contains { if case .placeholder = $0.content { true } else { false } }, "no cell flickers")
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.allSatisfy { if case .picture = $0.content { true } else { false } })
  }

  @Test("A picture that has left the screen but is near it is decoded after those on screen")
  func departed() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(300), FakeFeed.end)
    let gallery = try GalleryFixture(feed, workers: 1, decodeDelay: .milliseconds(30))
    gallery.harness.run(frames: 2)
    let before = Set(gallery.cells.compactMap(\.item))
    gallery.screen.grid.scroll(to: gallery.cells[0].frame.maxY + 30, animated: false)
    gallery.harness.run(frames: 1)
    // Waits for the thread that starts decodes.
    let images = gallery.pipeline.statistics
    let startedCount = try gallery.decoder.waitForStarts(images.decoded + images.running).count
    let departedItems = before.subtracting(gallery.cells.compactMap(\.item))
    #expect(!departedItems.isEmpty)
    gallery.harness.runUntilIdle()
    let sources = Dictionary(
      uniqueKeysWithValues: gallery.screen.grid.visibleCells.compactMap { ($0 as? PhotoCell)?.item }.compactMap {
        item in
        gallery.library.reference(to: item).map { ($0.sourceID, item) }
      })
    let order = gallery.decoder.started.dropFirst(startedCount).prefix(sources.count - startedCount).map(\.source)
    #expect(order.allSatisfy { sources[$0] != nil }, "pictures on screen come first")
    let departedSources = departedItems.compactMap { gallery.library.reference(to: $0)?.sourceID }
    #expect(
      gallery.decoder.started.dropFirst(startedCount).contains { departedSources.contains($0.source) },
      "the request is not cancelled")
  }
}
