import CollectionUI
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Full screen in the viewer")
struct ViewerFullScreenTests {
  /// A gallery whose window can be full screen, with a picture that is open or not.
  private final class Fixture {
    let gallery: GalleryFixture
    var isFullScreen = false
    var isPointerHidden = false

    init(isOpen: Bool = true) throws {
      let feed = FakeFeed()
      let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
      feed.appendBatch(feed.photos(5), FakeFeed.headers(0, [ImageHeader](repeating: header, count: 5)), FakeFeed.end)
      gallery = try GalleryFixture(feed)
      gallery.screen.windowActions.toggleFullScreen = { [weak self] in self?.isFullScreen.toggle() }
      gallery.screen.windowActions.isFullScreen = { [weak self] in self?.isFullScreen ?? false }
      gallery.screen.windowActions.setPointerHidden = { [weak self] in self?.isPointerHidden = $0 }
      gallery.harness.runUntilIdle()
      if isOpen { for key in [Key.right, .enter] { press(key) } }
    }

    func press(_ key: Key, milliseconds: Double = 500) {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.run(milliseconds: milliseconds)
    }

    func move(to x: Double, _ y: Double) {
      gallery.harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
      gallery.harness.run(milliseconds: 50)
    }

    var bar: ViewerBar {
      get throws {
        let view = try #require(gallery.screen.viewer.state?.view)
        return try #require(view.subviews.lazy.compactMap { $0 as? ViewerBar }.first)
      }
    }
  }

  @Test("Escape leaves full screen that was entered in the viewer, and then closes the viewer")
  func escape() throws {
    let fixture = try Fixture()
    fixture.press(.function(11))
    #expect(fixture.isFullScreen)
    fixture.press(.escape)
    #expect(!fixture.isFullScreen && fixture.gallery.screen.viewer.isOpen)
    fixture.press(.function(11))
    fixture.press(.function(11))
    #expect(!fixture.isFullScreen)
    fixture.press(.escape)
    #expect(!fixture.gallery.screen.viewer.isOpen && !fixture.isFullScreen)
  }

  @Test("Full screen from before stays when the viewer is closed, and that of the viewer ends with it")
  func before() throws {
    let fixture = try Fixture(isOpen: false)
    fixture.press(.function(11))
    fixture.press(.right)
    fixture.press(.enter)
    fixture.press(.escape)
    #expect(fixture.isFullScreen && !fixture.gallery.screen.viewer.isOpen)
    fixture.press(.function(11))
    fixture.press(.enter)
    fixture.press(.function(11))
    #expect(fixture.isFullScreen && fixture.gallery.screen.viewer.isOpen)
    fixture.press(.enter)
    #expect(!fixture.isFullScreen && !fixture.gallery.screen.viewer.isOpen)
  }

  @Test("In full screen the controls and the pointer hide, and come back for a movement, a press or a touch")
  func controls() throws {
    let fixture = try Fixture()
    let harness = fixture.gallery.harness
    fixture.move(to: 300, 200)
    harness.run(milliseconds: 10_000)
    #expect(try !fixture.bar.isHidden && !fixture.isPointerHidden, "not in a window")
    fixture.press(.function(11))
    #expect(try !fixture.bar.isHidden)
    harness.run(milliseconds: 2_500)
    #expect(try fixture.bar.isHidden && fixture.isPointerHidden)
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 10_000)
    #expect(harness.display.presentedFrames == frames, "no frames while nothing changes")
    fixture.move(to: 300, 200)
    #expect(try fixture.bar.isHidden, "the pointer did not move")
    fixture.press(.right)
    #expect(try fixture.bar.isHidden && fixture.gallery.screen.viewer.state?.index == 1, "keys need no controls")
    fixture.move(to: 310, 200)
    #expect(try !fixture.bar.isHidden && !fixture.isPointerHidden)
    harness.run(milliseconds: 3_000)
    #expect(try fixture.bar.isHidden)
    harness.sendEvent(.touch(TouchInput(finger: 1, phase: .began, location: Point(x: 100, y: 470))))
    harness.run(milliseconds: 100)
    harness.sendEvent(.touch(TouchInput(finger: 1, phase: .ended, location: Point(x: 100, y: 470))))
    harness.run(milliseconds: 100)
    #expect(try !fixture.bar.isHidden)
    #expect(fixture.gallery.screen.viewer.state?.index == 1, "a touch of a hidden button only shows it")
    fixture.press(.escape)
    harness.run(milliseconds: 10_000)
    #expect(try !fixture.bar.isHidden && !fixture.isPointerHidden)
  }

  @Test("Controls stay while the pointer is on them, and while a menu is open")
  func inUse() throws {
    let fixture = try Fixture()
    let harness = fixture.gallery.harness
    fixture.press(.function(11))
    fixture.move(to: 300, 470)
    harness.run(milliseconds: 10_000)
    #expect(try !fixture.bar.isHidden)
    fixture.move(to: 300, 200)
    harness.run(milliseconds: 3_000)
    #expect(try fixture.bar.isHidden)
    fixture.press(.menu)
    harness.run(milliseconds: 10_000)
    #expect(try !fixture.bar.isHidden && !fixture.isPointerHidden && fixture.gallery.screen.overlays.isOpen)
    fixture.press(.escape)
    #expect(try !fixture.bar.isHidden && fixture.isFullScreen, "the menu is closed first")
    harness.run(milliseconds: 3_000)
    #expect(try fixture.bar.isHidden)
  }

  @Test("Visibility is a function of the last action, and late events change nothing")
  func value() {
    func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }
    var visibility = ControlVisibility()
    visibility.update(isFullScreen: false, isInUse: false, at: at(100))
    #expect(visibility.isVisible && visibility.nextFrame == nil)
    visibility.update(isFullScreen: true, isInUse: false, at: at(101))
    #expect(visibility.isVisible && visibility.nextFrame == at(103.5))
    visibility.userDidAct(at: at(102))
    visibility.userDidAct(at: at(90))
    #expect(visibility.nextFrame == at(104.5))
    visibility.update(isFullScreen: true, isInUse: false, at: at(104.5))
    #expect(!visibility.isVisible && visibility.nextFrame == nil)
    visibility.update(isFullScreen: true, isInUse: true, at: at(110))
    #expect(visibility.isVisible && visibility.nextFrame == nil)
    visibility.update(isFullScreen: true, isInUse: false, at: at(120))
    #expect(visibility.isVisible && visibility.nextFrame == at(122.5))
    visibility.update(isFullScreen: false, isInUse: false, at: at(130))
    #expect(visibility.isVisible)
  }
}
