import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The bar of the viewer has buttons for what can be done with the picture")
struct ViewerBarTests {
  private func makeGallery(width: Double) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(9), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: width, height: 600))
    gallery.harness.runUntilIdle()
    for key in [Key.right, .enter] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
    return gallery
  }

  /// The buttons in the bar by their tool tips, found as a pointer finds them.
  private func buttons(_ gallery: GalleryFixture) -> [String: Point] {
    var buttons: [String: Point] = [:]
    for x in stride(from: gallery.screen.bounds.width - 10, to: 0, by: -6) {
      let point = Point(x: x, y: gallery.screen.bounds.height - 22)
      if let control = gallery.screen.control(at: point), !control.isHidden { buttons[control.toolTip] = point }
    }
    return buttons
  }

  private func click(_ gallery: GalleryFixture, _ name: String) throws {
    let point = try #require(buttons(gallery)[name], "\(name)")
    gallery.harness.sendEvent(.pointerMoved(point))
    gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    gallery.harness.run(milliseconds: 600)
  }

  @Test("They turn the picture, show the film strip and information, start a slide show and open the menu")
  func actions() throws {
    let gallery = try makeGallery(width: 1_000)
    let viewer = gallery.screen.viewer
    let item = try #require(viewer.openItem)
    try click(gallery, "Rotate right (R)")
    #expect(viewer.orientation.orientation(of: item).quarterTurns == 1)
    try click(gallery, "Film strip (T)")
    #expect(viewer.filmStrip.isShown && viewer.state?.view.filmStrip != nil)
    try click(gallery, "Information (I)")
    #expect(viewer.information.isShown && viewer.state?.view.panel != nil)
    try click(gallery, "Menu")
    #expect(gallery.screen.overlays.isOpen)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.run(milliseconds: 600)
    #expect(!gallery.screen.overlays.isOpen && viewer.isOpen)
    try click(gallery, "Slide show (F8)")
    #expect(viewer.slideShow.isRunning)
  }

  @Test("They have tool tips, and photographs behind the viewer have none")
  func toolTips() throws {
    let gallery = try makeGallery(width: 1_000)
    gallery.harness.sendEvent(.pointerMoved(try #require(buttons(gallery)["Information (I)"])))
    gallery.harness.run(milliseconds: 3_000)
    #expect(!gallery.harness.drawnTexts(["Information (I)"], in: Theme.captionStyle).isEmpty)
    // The buttons begin at 562.
    #expect(try #require(gallery.screen.toolTips.toolTip).frame.maxY <= 562)
    gallery.harness.sendEvent(.pointerMoved(Point(x: 60, y: 200)))
    gallery.harness.run(milliseconds: 3_000)
    #expect(gallery.screen.toolTips.toolTip == nil)
  }

  @Test("In a narrow window there is the menu")
  func narrow() throws {
    let gallery = try makeGallery(width: 480)
    let names = Set(buttons(gallery).keys)
    #expect(names.contains("Menu") && names.contains("Back to the photographs (Esc)"))
    #expect(names.isDisjoint(with: ["Rotate right (R)", "Film strip (T)", "Information (I)", "Slide show (F8)"]))
  }
}
