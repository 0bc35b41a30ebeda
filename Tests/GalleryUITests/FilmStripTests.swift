import CollectionUI
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The film strip shows the pictures beside the viewed one")
struct FilmStripTests {
  private let gallery: GalleryFixture

  /// A gallery of 5,000 photographs, of which the first one is open, with its film strip.
  init() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(5_000), FakeFeed.end)
    gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    press(.right)
    press(.enter)
    gallery.type("t")
    gallery.harness.runUntilIdle()
  }

  private func press(_ key: Key) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
  }

  private var viewed: Int? { gallery.screen.viewer.state?.index }

  /// The visible thumbnails from left to right.
  private var thumbnails: [(name: String, frame: Rect)] {
    gallery.screen.viewer.filmStrip.visibleCells.map { ($0.accessibilityLabel, $0.frameInWindow) }
      .sorted { $0.frame.minX < $1.frame.minX }
  }

  /// The distance of a photograph's thumbnail from the center of the window, or nil if it is not visible.
  private func distance(of index: Int) -> Double? {
    thumbnails.first { $0.name == "IMG_\(index).JPG" }.map { $0.frame.midX - 320 }
  }

  @Test("It begins with the first thumbnails, above the bar, and leaves the picture the rest")
  func shown() throws {
    #expect(thumbnails.first?.name == "IMG_0.JPG")
    #expect(thumbnails.first?.frame == Rect(x: 6, y: 370, width: 60, height: 60))
    #expect(thumbnails.count >= 10 && thumbnails.allSatisfy { $0.frame.maxY <= 480 - 44 && $0.frame.minY >= 364 })
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    let pictures = commands.filter { $0.kind == .texture && $0.source.width == 60 }
    #expect(pictures.count >= 10, "the thumbnails have arrived")
    let picture = try #require(commands.first { $0.kind == .texture && $0.source.width == 640 })
    #expect(picture.destination.height <= 364)
  }

  @Test("It follows the viewed picture, which keys and a click on a thumbnail change")
  func follows() throws {
    for _ in 0..<30 { press(.right) }
    #expect(viewed == 30)
    #expect(try #require(distance(of: 30)).magnitude < 1)
    let next = try #require(thumbnails.first { $0.name == "IMG_33.JPG" })
    let center = Point(x: next.frame.midX, y: next.frame.midY)
    gallery.harness.sendEvent(.pointerMoved(center))
    gallery.harness.sendEvent(.pointerDown(center, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(center, button: .primary, modifiers: []))
    gallery.harness.runUntilIdle()
    #expect(viewed == 33)
    #expect(try #require(distance(of: 33)).magnitude < 1)
    // Keys are still those of the viewer.
    press(.left)
    #expect(viewed == 32)
    press(.end)
    #expect(viewed == 4_999 && distance(of: 4_999) != nil)
    press(.escape)
    #expect(!gallery.screen.viewer.isShown)
    #expect(gallery.harness.runUntilIdle() < 10)
  }

  @Test("It can be hidden, and is there again with the next opened picture")
  func hidden() throws {
    press(.escape)
    press(.enter)
    #expect(!thumbnails.isEmpty)
    gallery.type("t")
    gallery.harness.runUntilIdle()
    #expect(thumbnails.isEmpty && gallery.screen.viewer.state?.view.filmStrip == nil)
  }
}
