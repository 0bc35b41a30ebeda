import CollectionUI
import Testing
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineSampleLibrary
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The scroll indicator is a scrubber that labels months or initials, and requests pause while it is dragged fast")
struct GalleryTimelineTests {
  /// An album of generated pictures.
  private nonisolated struct SketchPictures: PictureAlbum {
    let album = SketchAlbum(count: 10_000, seed: 1)

    func title(at number: Int) -> String { album.title(at: number) }

    func size(at number: Int) -> PixelSize { album.size(at: number) }

    func captureTime(at number: Int) -> Int64 { album.captureTime(at: number) }

    func tinyPreview(at number: Int) -> TinyPreview? { album.tinyPreview(at: number) }
  }

  private static let size = Size(width: 900, height: 700)
  private static let yearStyle = TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true)
  private static let bubbleStyle = TextStyle(size: 16, weight: .semibold, hasMonospacedDigits: true)

  private static func gallery(
    _ count: Int = 50_000, grouping: GalleryGrouping = .month, decodeDelay: FrameDuration = .milliseconds(10)
  ) throws -> GalleryFixture {
    let gallery = try GalleryFixture(
      try AlbumTests.feed(of: count), size: size, decodeDelay: decodeDelay, grouping: grouping)
    gallery.harness.runUntilIdle()
    return gallery
  }

  private static func press(_ gallery: GalleryFixture, at y: Double) {
    gallery.harness.sendEvent(.pointerMoved(Point(x: 892, y: y)))
    gallery.harness.sendEvent(.pointerDown(Point(x: 892, y: y), button: .primary, clicks: 1, modifiers: []))
    gallery.harness.run(frames: 1)
  }

  private static func drag(_ gallery: GalleryFixture, to y: Double) {
    gallery.harness.sendEvent(.pointerMoved(Point(x: 892, y: y)))
    gallery.harness.run(frames: 1)
  }

  private static func release(_ gallery: GalleryFixture, at y: Double) {
    gallery.harness.sendEvent(.pointerUp(Point(x: 892, y: y), button: .primary, modifiers: []))
    gallery.harness.run(frames: 1)
  }

  @Test("By month, years are shown near the pointer, and the bubble shows the month, or the day in a fine drag")
  func months() throws {
    let gallery = try Self.gallery()
    let years = (1_990...2_030).map(String.init)
    #expect(gallery.harness.drawnTexts(years, in: Self.yearStyle).isEmpty)
    gallery.harness.sendEvent(.pointerMoved(Point(x: 892, y: 300)))
    gallery.harness.runUntilIdle()
    let labels = gallery.harness.drawnTexts(years, in: Self.yearStyle)
    #expect(labels.count > 2)
    for (upper, lower) in zip(labels, labels.dropFirst()) { #expect(lower.frame.y - upper.frame.y >= 28) }
    Self.press(gallery, at: 400)
    // The month of the topmost header.
    let name = try #require(gallery.headers.first)
    #expect(gallery.harness.drawnTexts([name], in: Self.bubbleStyle).count == 1)
    gallery.harness.sendEvent(.pointerMoved(Point(x: 300, y: 400)))
    gallery.harness.run(frames: 1)
    let days = (1...31).map { "\($0) \(name)" }
    #expect(gallery.harness.drawnTexts(days, in: Self.bubbleStyle).count == 1)
    Self.release(gallery, at: 400)
  }

  @Test("In a single section, no label covers photographs, and the bubble shows the photo's name")
  func initials() throws {
    let feed = FakeFeed()
    // These letters differ when text is drawn as blocks.
    let letters = ["a", "c", "É", "7"]
    feed.appendBatch(feed.photos(2_000) { letters[Int($0) / 500] + "\($0).jpg" }, FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Self.size)
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.pointerMoved(Point(x: 892, y: 300)))
    gallery.harness.runUntilIdle()
    let style = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
    #expect(gallery.harness.drawnTexts(["A", "C", "É", "#"], in: style).isEmpty)
    Self.press(gallery, at: 690)
    let names = gallery.cells.map(\.name)
    #expect(gallery.harness.drawnTexts(names, in: Self.bubbleStyle).count == 1)
    Self.release(gallery, at: 690)
  }

  @Test("A fast drag pauses requests, and 80 ms of rest or the release of the thumb resumes them")
  func pausesRequests() throws {
    let gallery = try Self.gallery()
    Self.press(gallery, at: 100)
    let before = gallery.pipeline.statistics.requested
    for step in 1...20 { Self.drag(gallery, to: 100 + Double(step) * 20) }
    #expect(gallery.pipeline.statistics.requested == before)
    #expect(
      gallery.screen.gridController.thumbnails.isPaused
        && gallery.screen.pendingPictureCount == gallery.pictureCells.count)
    gallery.harness.run(frames: 3)
    #expect(gallery.pipeline.statistics.requested == before, "48 ms are too short")
    gallery.harness.run(frames: 4)
    #expect(gallery.pipeline.statistics.requested >= before + gallery.pictureCells.count)
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.isFullyShown, "the thumb is still dragged")
    #expect(gallery.harness.runUntilIdle() == 0)

    for step in 1...5 { Self.drag(gallery, to: 500 - Double(step) * 30) }
    let requested = gallery.pipeline.statistics.requested
    Self.release(gallery, at: 350)
    #expect(gallery.pipeline.statistics.requested > requested, "immediately")
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
  }

  @Test("A drag cancels the requests at its start position")
  func cancelsRequests() throws {
    let gallery = try Self.gallery(decodeDelay: .seconds(5))
    gallery.screen.grid.scroll(to: 100_000, animated: false)
    gallery.harness.run(frames: 2)
    let waiting = gallery.pipeline.statistics
    #expect(waiting.requested - waiting.decoded - waiting.cancelled > 6)
    Self.press(gallery, at: 600)
    for step in 1...4 { Self.drag(gallery, to: 600 - Double(step) * 40) }
    let now = gallery.pipeline.statistics
    #expect(now.requested - now.decoded - now.cancelled == 0, "no request is pending")
    Self.release(gallery, at: 440)
  }

  @Test("A library with previews shows them in the first frame after a jump")
  func previews() throws {
    let feed = FakeFeed()
    feed.album = SketchPictures()
    feed.appendBatch(.listed(upTo: 10_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Self.size, grouping: .month)
    gallery.harness.runUntilIdle()
    for fraction in [0.9, 0.1, 0.6] {
      gallery.screen.grid.scroll(to: gallery.screen.grid.contentLength * fraction, animated: false)
      gallery.harness.run(frames: 1)
      let frame = try #require(gallery.harness.display.frames.last)
      #expect(GalleryFixture.previewCount(in: frame) == gallery.pictureCells.count && !gallery.pictureCells.isEmpty)
      #expect(gallery.pictureCells.allSatisfy { !$0.isBlank })
    }
    #expect(gallery.screen.blankCellMilliseconds == 0)
  }

  @Test("In an empty library, the indicator cannot be dragged and shows no labels")
  func empty() throws {
    let feed = FakeFeed()
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Self.size, grouping: .month)
    gallery.harness.runUntilIdle()
    Self.press(gallery, at: 300)
    Self.drag(gallery, to: 600)
    Self.release(gallery, at: 600)
    #expect(gallery.screen.grid.contentOffset == -Metrics.barHeight)
    #expect(gallery.harness.drawnTexts(["", "All photographs"], in: Self.bubbleStyle).isEmpty)
  }

  @Test("An update during a drag keeps the visible photos in place")
  func updateDuringDrag() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1_000) { "b\($0).jpg" })
    let gallery = try GalleryFixture(feed, size: Self.size)
    gallery.harness.runUntilIdle()
    Self.press(gallery, at: 400)
    gallery.harness.runUntilIdle()
    let first = gallery.cells.first?.name
    feed.appendBatch(feed.photos(1_000) { "c\($0).jpg" }, FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.first?.name == first)
    Self.drag(gallery, to: 401)
    #expect(gallery.library.caption(of: try #require(gallery.cells.first?.item)).hasPrefix("b"))
    Self.release(gallery, at: 401)
  }
}
