import CollectionUI
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The slide show in the viewer")
struct ViewerSlideShowTests {
  /// A gallery whose window can be full screen.
  private final class Fixture {
    let gallery: GalleryFixture
    var isFullScreen = false
    var isScreenSaverDisabled = false

    init(
      count: Int = 5, decodeDelay: FrameDuration = .milliseconds(10), failing: Set<Int> = [],
      cacheBytes: Int = 64 << 20
    ) throws {
      let feed = FakeFeed()
      let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
      feed.appendBatch(
        feed.photos(count), FakeFeed.headers(0, [ImageHeader](repeating: header, count: count)), FakeFeed.end)
      let paths = failing.map { Array("/pictures/IMG_\($0).JPG".utf8) }
      gallery = try GalleryFixture(feed, decodeDelay: decodeDelay, cacheBytes: cacheBytes) { request in
        if case .file(let path) = request.source, paths.contains(path) { return .failure(.decoderTimedOut) }
        return GatedDecoder.generatedImage(for: request.key)
      }
      gallery.screen.windowActions.toggleFullScreen = { [weak self] in self?.isFullScreen.toggle() }
      gallery.screen.windowActions.isFullScreen = { [weak self] in self?.isFullScreen ?? false }
      gallery.screen.windowActions.setScreenSaverDisabled = { [weak self] in self?.isScreenSaverDisabled = $0 }
      gallery.harness.run(milliseconds: 1_000)
    }

    func press(_ key: Key, milliseconds: Double = 500) {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.run(milliseconds: milliseconds)
    }

    func run(seconds: Double) { gallery.harness.run(milliseconds: 1_000 * seconds) }

    var index: Int? { gallery.screen.viewer.state?.index }
    var slideShow: SlideShowController { gallery.screen.viewer.slideShow }

    /// The opacities of the pictures that the last frame shows, back to front.
    var alphas: [UInt8] {
      (gallery.harness.display.frames.last?.commands ?? []).filter { $0.kind == .texture && $0.source.width >= 600 }
        .map(\.color.alpha)
    }
  }

  @Test("F8 opens the focused photograph in full screen and shows the others after it, each for the interval")
  func running() throws {
    let fixture = try Fixture(count: 3)
    fixture.press(.right)
    fixture.press(.right)
    fixture.press(.function(8))
    #expect(fixture.isFullScreen && fixture.slideShow.isRunning && fixture.index == 1 && fixture.isScreenSaverDisabled)
    fixture.run(seconds: 4)
    #expect(fixture.index == 1)
    fixture.run(seconds: 1.5)
    #expect(fixture.index == 2)
    fixture.run(seconds: 5)
    #expect(fixture.index == 0)
    let frames = fixture.gallery.harness.display.presentedFrames
    fixture.run(seconds: 2)
    #expect(fixture.gallery.harness.display.presentedFrames <= frames + 60, "only the cross-fade needs frames")
    fixture.press(.escape)
    #expect(!fixture.isFullScreen && !fixture.slideShow.isRunning && fixture.gallery.screen.viewer.isOpen)
    #expect(!fixture.isScreenSaverDisabled)
    fixture.run(seconds: 20)
    #expect(fixture.index == 0)
    fixture.press(.escape)
    #expect(!fixture.gallery.screen.viewer.isOpen)
  }

  @Test("Full screen that was entered before the slide show stays when F8 ends it")
  func fullScreenBefore() throws {
    let fixture = try Fixture(count: 3)
    fixture.press(.right)
    fixture.press(.enter)
    for (isBefore, isAfter) in [(true, true), (false, false)] {
      if fixture.isFullScreen != isBefore { fixture.press(.function(11)) }
      fixture.press(.function(8))
      #expect(fixture.isFullScreen && fixture.slideShow.isRunning)
      fixture.press(.function(8))
      #expect(!fixture.slideShow.isRunning && fixture.isFullScreen == isAfter)
    }
  }

  @Test("A step ends the slide show and stays in full screen, and so do the ends")
  func steps() throws {
    let fixture = try Fixture()
    for (key, index) in [(Key.right, 1), (.end, 4), (.left, 3)] {
      fixture.press(.function(8))
      #expect(fixture.slideShow.isRunning)
      fixture.press(key)
      #expect(!fixture.slideShow.isRunning && fixture.index == index && fixture.isFullScreen)
    }
    fixture.press(.escape)
    #expect(!fixture.isFullScreen && fixture.gallery.screen.viewer.isOpen)
    fixture.press(.function(8))
    fixture.press(.function(8))
    #expect(!fixture.slideShow.isRunning && !fixture.isFullScreen && fixture.index == 3)
  }

  @Test("The next picture fades in over the last one, unless motion is reduced")
  func crossFade() throws {
    let fixture = try Fixture()
    fixture.press(.function(8))
    #expect(fixture.alphas == [255])
    fixture.run(seconds: 4.8)
    #expect(fixture.index == 1 && fixture.alphas.count == 2 && fixture.alphas[0] == 255)
    let first = try #require(fixture.alphas.last)
    #expect(first > 0 && first < 255)
    fixture.gallery.harness.run(frames: 5)
    #expect(try #require(fixture.alphas.last) > first)
    fixture.run(seconds: 1)
    #expect(fixture.alphas == [255])
    fixture.gallery.screen.grid.reducesMotion = true
    fixture.run(seconds: 3.75)
    #expect(fixture.index == 2 && fixture.alphas == [255])
  }

  @Test("The next picture is decoded in advance; one that takes longer is waited for, and broken ones are skipped")
  func decoding() throws {
    let fixture = try Fixture(count: 6, decodeDelay: .seconds(7), failing: [2, 3])
    fixture.press(.right)
    fixture.press(.enter)
    fixture.run(seconds: 60)
    fixture.press(.function(8))
    #expect(fixture.index == 0)
    fixture.run(seconds: 5)
    #expect(fixture.index == 1, "it was a neighbor")
    var shown: [Int] = []
    for _ in 0..<200 {
      fixture.run(seconds: 0.5)
      if let index = fixture.index, index != shown.last { shown.append(index) }
      // A picture that is shown is complete.
      #expect(fixture.gallery.screen.viewer.state?.view.showsPicture == true)
    }
    #expect(Array(shown.prefix(5)) == [1, 4, 5, 0, 1])
  }

  @Test("The menu chooses the interval and a random order, and pauses the slide show while it is open")
  func menu() throws {
    let fixture = try Fixture()
    fixture.press(.function(8))
    func entries() -> [MenuAction] {
      fixture.gallery.screen.menu(of: .picture, selectedCount: 1).actions.drop { $0.title != "Slide show" }.map { $0 }
    }
    func entry(_ title: String) throws -> MenuAction { try #require(entries().first { $0.title == title }) }
    #expect(
      entries().prefix(5).map(\.title) == [
        "Slide show", "3 seconds each", "5 seconds each", "10 seconds each", "Random order",
      ])
    #expect(entries().prefix(5).map(\.state) == [.on, .off, .on, .off, .off])
    try entry("10 seconds each").handler()
    fixture.run(seconds: 8)
    #expect(fixture.index == 0)
    fixture.run(seconds: 2)
    #expect(fixture.index == 1)
    try entry("Random order").handler()
    #expect(try entry("Random order").state == .on && fixture.slideShow.nextIndex != 1)
    try entry("3 seconds each").handler()
    fixture.press(.menu)
    fixture.run(seconds: 20)
    #expect(fixture.index == 1)
    fixture.press(.escape, milliseconds: 100)
    let next = fixture.index
    #expect(next != 1 && fixture.slideShow.isRunning, "the menu was closed, and not the slide show")
    try entry("Slide show").handler()
    #expect(!fixture.slideShow.isRunning && !fixture.isFullScreen)
  }

  @Test("The slide show goes on when photographs are added, and ends with the viewer")
  func library() throws {
    let fixture = try Fixture(count: 2)
    fixture.press(.function(8))
    fixture.gallery.feed.appendBatch(.updating, fixture.gallery.feed.photos(1), FakeFeed.end)
    fixture.run(seconds: 12)
    #expect(fixture.slideShow.isRunning && fixture.index == 2)
    fixture.press(.enter)
    #expect(!fixture.slideShow.isRunning && !fixture.isFullScreen && !fixture.gallery.screen.viewer.isShown)
    let empty = try Fixture(count: 0)
    empty.press(.function(8))
    #expect(!empty.gallery.screen.viewer.isShown && !empty.isFullScreen)
  }

  @Test("A next picture that was removed from memory is decoded again")
  func removedFromMemory() throws {
    // A quarter of the cache has no room for a second picture.
    let fixture = try Fixture(count: 3, cacheBytes: 6 << 20)
    fixture.press(.right)
    fixture.press(.function(8))
    fixture.run(seconds: 2)
    fixture.gallery.pipeline.handleMemoryPressure()
    fixture.run(seconds: 4)
    #expect(fixture.index == 1)
  }
}
