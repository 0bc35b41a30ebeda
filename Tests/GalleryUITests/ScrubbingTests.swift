import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import SampleLibrary
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite(
  "The gallery's scroll indicator is a scrubber: it names months or initials, and decodes begin when it slows down")
struct ScrubbingTests {
  /// Painted pictures, known by their numbers.
  private nonisolated struct Sketches: PictureAlbum {
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
  ) throws -> Gallery {
    let gallery = try Gallery(
      try AlbumTests.feed(of: count), size: size, decodeDelay: decodeDelay, grouping: grouping)
    gallery.stage.runUntilIdle()
    return gallery
  }

  private static func press(_ gallery: Gallery, at y: Double) {
    gallery.stage.sendEvent(.pointerMoved(Point(x: 892, y: y)))
    gallery.stage.sendEvent(.pointerDown(Point(x: 892, y: y), button: .primary, clicks: 1, modifiers: []))
    gallery.stage.run(frames: 1)
  }

  private static func drag(_ gallery: Gallery, to y: Double) {
    gallery.stage.sendEvent(.pointerMoved(Point(x: 892, y: y)))
    gallery.stage.run(frames: 1)
  }

  private static func release(_ gallery: Gallery, at y: Double) {
    gallery.stage.sendEvent(.pointerUp(Point(x: 892, y: y), button: .primary, modifiers: []))
    gallery.stage.run(frames: 1)
  }

  @Test("By months years stand at the edge while the pointer is near, and the bubble says the month, finely the day")
  func months() throws {
    let gallery = try Self.gallery()
    let years = (1_990...2_030).map(String.init)
    #expect(gallery.stage.drawnTexts(years, in: Self.yearStyle).isEmpty)
    gallery.stage.sendEvent(.pointerMoved(Point(x: 892, y: 300)))
    gallery.stage.runUntilIdle()
    let shown = gallery.stage.drawnTexts(years, in: Self.yearStyle)
    #expect(shown.count > 2)
    for (one, other) in zip(shown, shown.dropFirst()) { #expect(other.frame.y - one.frame.y >= 28) }
    Self.press(gallery, at: 400)
    // The month whose header is at the top.
    let name = try #require(gallery.headers.first)
    #expect(gallery.stage.drawnTexts([name], in: Self.bubbleStyle).count == 1)
    gallery.stage.sendEvent(.pointerMoved(Point(x: 300, y: 400)))
    gallery.stage.run(frames: 1)
    let days = (1...31).map { "\($0) \(name)" }
    #expect(gallery.stage.drawnTexts(days, in: Self.bubbleStyle).count == 1)
    Self.release(gallery, at: 400)
  }

  @Test("In one section the initials of names stand at the edge, and the bubble says the photograph's name")
  func initials() throws {
    let feed = FakeFeed()
    // Blocks tell these apart.
    let letters = ["a", "c", "É", "7"]
    feed.write(feed.photos(2_000) { letters[Int($0) / 500] + "\($0).jpg" }, FakeFeed.end)
    let gallery = try Gallery(feed, size: Self.size)
    gallery.stage.runUntilIdle()
    gallery.stage.sendEvent(.pointerMoved(Point(x: 892, y: 300)))
    gallery.stage.runUntilIdle()
    let style = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
    #expect(gallery.stage.drawnTexts(["A", "C", "É", "#"], in: style).map(\.text) == ["A", "C", "É", "#"])
    Self.press(gallery, at: 690)
    let seen = gallery.cells.map(\.name)
    #expect(gallery.stage.drawnTexts(seen, in: Self.bubbleStyle).count == 1)
    Self.release(gallery, at: 690)
  }

  @Test(
    "While the thumb takes everything past nothing is asked for; 80 ms of rest, or letting go, asks for what is seen")
  func slowsDown() throws {
    let gallery = try Self.gallery()
    Self.press(gallery, at: 100)
    let before = gallery.pipeline.statistics.requested
    for step in 1...20 { Self.drag(gallery, to: 100 + Double(step) * 20) }
    #expect(gallery.pipeline.statistics.requested == before)
    #expect(gallery.screen.thumbnails.isPaused && gallery.screen.pendingPictureCount == gallery.pictures.count)
    gallery.stage.run(frames: 3)
    #expect(gallery.pipeline.statistics.requested == before, "48 ms are no rest")
    gallery.stage.run(frames: 4)
    #expect(gallery.pipeline.statistics.requested >= before + gallery.pictures.count)
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.isFullyShown, "the thumb is still held")
    #expect(gallery.stage.runUntilIdle() == 0)

    for step in 1...5 { Self.drag(gallery, to: 500 - Double(step) * 30) }
    let held = gallery.pipeline.statistics.requested
    Self.release(gallery, at: 350)
    #expect(gallery.pipeline.statistics.requested > held, "at once")
    gallery.stage.runUntilIdle()
    #expect(gallery.screen.isFullyShown)
  }

  @Test("What was asked for where the thumb set off is given up")
  func givesUp() throws {
    let gallery = try Self.gallery(decodeDelay: .seconds(5))
    gallery.screen.grid.scroll(to: 100_000, animated: false)
    gallery.stage.run(frames: 2)
    let waiting = gallery.pipeline.statistics
    #expect(waiting.requested - waiting.decoded - waiting.cancelled > 6)
    Self.press(gallery, at: 600)
    for step in 1...4 { Self.drag(gallery, to: 600 - Double(step) * 40) }
    let now = gallery.pipeline.statistics
    #expect(now.requested - now.decoded - now.cancelled == 0, "nobody waits for any")
    Self.release(gallery, at: 440)
  }

  @Test("A library that says what its pictures look like shows previews in the frame of any jump")
  func previews() throws {
    let feed = FakeFeed()
    feed.album = Sketches()
    feed.write(.listed(upTo: 10_000), FakeFeed.end)
    let gallery = try Gallery(feed, size: Self.size, grouping: .month)
    gallery.stage.runUntilIdle()
    for fraction in [0.9, 0.1, 0.6] {
      gallery.screen.grid.scroll(to: gallery.screen.grid.contentLength * fraction, animated: false)
      gallery.stage.run(frames: 1)
      let frame = try #require(gallery.stage.display.frames.last)
      #expect(Gallery.previews(in: frame) == gallery.pictures.count && !gallery.pictures.isEmpty)
      #expect(gallery.pictures.allSatisfy { !$0.isBlank })
    }
    #expect(gallery.screen.blankCellMilliseconds == 0)
  }

  @Test("In an empty library there is nothing to drag, and nothing to name")
  func empty() throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, size: Self.size, grouping: .month)
    gallery.stage.runUntilIdle()
    Self.press(gallery, at: 300)
    Self.drag(gallery, to: 600)
    Self.release(gallery, at: 600)
    #expect(gallery.screen.grid.contentOffset == 0)
    #expect(gallery.stage.drawnTexts(["", "All photographs"], in: Self.bubbleStyle).isEmpty)
  }

  @Test("Photographs that come while the thumb is held leave what is seen, and the time line follows")
  func applies() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(1_000) { "b\($0).jpg" })
    let gallery = try Gallery(feed, size: Self.size)
    gallery.stage.runUntilIdle()
    Self.press(gallery, at: 400)
    gallery.stage.runUntilIdle()
    let first = gallery.cells.first?.name
    feed.write(feed.photos(1_000) { "c\($0).jpg" }, FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(gallery.cells.first?.name == first)
    let style = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
    #expect(gallery.stage.drawnTexts(["B", "C"], in: style).map(\.text) == ["B", "C"])
    Self.drag(gallery, to: 401)
    #expect(gallery.library.caption(of: try #require(gallery.cells.first?.item)).hasPrefix("b"))
    Self.release(gallery, at: 401)
  }
}
