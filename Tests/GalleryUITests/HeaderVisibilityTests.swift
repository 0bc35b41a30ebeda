import CollectionUI
import Testing
import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("How much of the header bar is visible")
struct HeaderVisibilityTests {
  private static let height = 48.0
  private var bar = HeaderVisibility()
  private var instant = FrameInstant.zero

  /// Shows a frame with the content at an offset from its beginning.
  private mutating func frame(at offset: Double, isScrolling: Bool = true, needsBar: Bool = false) -> Double {
    instant = instant + .milliseconds(10)
    bar.update(
      with: HeaderVisibility.Content(
        offset: offset, lengthBefore: offset, isScrolling: isScrolling, needsBar: needsBar),
      height: Self.height, at: instant)
    return bar.hiddenLength
  }

  @Test("The bar moves with content that scrolls, up to its height, and comes back at once")
  mutating func scrolling() {
    #expect(frame(at: 0) == 0)
    #expect(frame(at: 10) == 10)
    #expect(frame(at: 500) == 48)
    #expect(frame(at: 480) == 28)
    #expect(frame(at: 0) == 0)
  }

  @Test("A bar that is partly visible settles at the nearer position, starting from where it is")
  mutating func settling() {
    _ = frame(at: 100)
    for (distance, end) in [(20.0, 0.0), (30, 48)] {
      #expect(frame(at: 300) >= 0)
      _ = frame(at: 200)
      var last = frame(at: 200 + distance)
      #expect(last == distance && bar.needsFrames(height: Self.height))
      while bar.needsFrames(height: Self.height) {
        let next = frame(at: 200 + distance, isScrolling: false)
        #expect((next - last).magnitude < 12 && (next - end).magnitude <= (last - end).magnitude)
        last = next
      }
      #expect(last == end)
    }
  }

  @Test("Content that is moved without scrolling hides nothing, and a bar that is needed comes back")
  mutating func needed() {
    _ = frame(at: 0)
    #expect(frame(at: 5_000, isScrolling: false) == 0)
    #expect(frame(at: 5_100) == 48)
    #expect(frame(at: 5_200, needsBar: true) < 48 || bar.needsFrames(height: Self.height))
    for step in 0..<20 { _ = frame(at: 5_300 + Double(step), needsBar: true) }
    #expect(bar.hiddenLength == 0 && !bar.needsFrames(height: Self.height))
  }

  @Test("At any offsets, the bar leaves no gap above the content, and comes to rest at the beginning of it")
  mutating func noGap() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2_000 {
      let offset = max(-30, Double.random(in: -60...120, using: &random).rounded())
      let hidden = frame(
        at: offset, isScrolling: .random(using: &random), needsBar: Int.random(in: 0..<9, using: &random) == 0)
      #expect(hidden >= 0 && hidden <= max(0, offset) && hidden <= Self.height)
    }
    for _ in 0..<20 { _ = frame(at: 30, isScrolling: false) }
    #expect(bar.hiddenLength == 0)
  }
}

@Suite("The header bar gets out of the way")
@MainActor struct HeaderBarScrollingTests {
  private func makeGallery() throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(400), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 1_000, height: 600))
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func wheel(_ gallery: GalleryFixture, _ notches: Double) {
    gallery.harness.sendEvent(
      .wheel(WheelInput(location: Point(x: 400, y: 300), deltaX: 0, deltaY: notches)))
    gallery.harness.runUntilIdle()
  }

  @Test("The wheel hides it and shows it again, and photographs stay where they are scrolled to")
  func wheel() throws {
    let gallery = try makeGallery()
    let (grid, bar) = (gallery.screen.grid, gallery.screen.header.bar)
    #expect(grid.contentOffset == -Metrics.barHeight && bar.frame.minY == 0)
    wheel(gallery, -3)
    #expect(bar.frame.minY == -Metrics.barHeight && grid.contentOffset > 0)
    wheel(gallery, 1)
    #expect(bar.frame.minY == 0)
    wheel(gallery, 9)
    #expect(bar.frame.minY == 0 && grid.contentOffset == -Metrics.barHeight)
  }

  @Test("The pointer at the top edge and the keys of the search bring it back, and it stays while it is used")
  func comesBack() throws {
    let gallery = try makeGallery()
    let bar = gallery.screen.header.bar
    wheel(gallery, -3)
    gallery.harness.sendEvent(.pointerMoved(Point(x: 300, y: 1)))
    gallery.harness.runUntilIdle()
    #expect(bar.frame.minY == 0)
    wheel(gallery, -3)
    #expect(bar.frame.minY == 0, "the pointer is still there")
    gallery.harness.sendEvent(.pointerMoved(Point(x: 300, y: 200)))
    wheel(gallery, -3)
    #expect(bar.frame.minY == -Metrics.barHeight)
    gallery.harness.sendEvent(.keyDown(.character("f"), modifiers: .control, isRepeat: false))
    gallery.harness.runUntilIdle()
    #expect(bar.frame.minY == 0 && bar.searchField.isFocused)
  }

  private func makeGalleryWithMessage() throws -> (GalleryFixture, FakeFeed) {
    let feed = FakeFeed()
    feed.appendBatch(
      feed.photos(400), .problem(ScanProblem(folder: PhotoPath("/pictures"), reason: .unmounted)), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 1_000, height: 600))
    gallery.harness.runUntilIdle()
    return (gallery, feed)
  }

  @Test("A message about a folder is below it, in front of no photograph, and its button reads the folder again")
  func message() throws {
    let (gallery, feed) = try makeGalleryWithMessage()
    let bar = gallery.screen.status.messageBar
    #expect(bar.frame.minY == Metrics.barHeight && !bar.isHidden)
    #expect(gallery.screen.grid.contentOffset == -bar.frame.maxY)
    let button = bar.actionButton.frameInWindow
    let scans = feed.rescanCount
    let point = Point(x: button.midX, y: button.midY)
    gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    gallery.harness.runUntilIdle()
    #expect(feed.rescanCount == scans + 1)
  }

  @Test("In a narrow window the side bar covers photographs, and not the message")
  func messageBesideSideBar() throws {
    let (gallery, _) = try makeGalleryWithMessage()
    gallery.harness.resize(to: Size(width: 420, height: 600))
    gallery.screen.isSideBarShown = true
    gallery.harness.runUntilIdle()
    let message = gallery.screen.status.messageBar.frame
    #expect(message == Rect(x: 0, y: Metrics.barHeight, width: 420, height: MessageBar.height))
    #expect(gallery.screen.sideBar.view?.frame.minY == message.maxY)
  }

  @Test("The keyboard reaches the buttons of a message after those of the bar, and returns when it is closed")
  func messageByKeyboard() throws {
    let (gallery, _) = try makeGalleryWithMessage()
    let bar = gallery.screen.status.messageBar
    func press(_ key: Key, _ modifiers: KeyModifiers = []) {
      gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
      gallery.harness.runUntilIdle()
    }
    press(.function(6))
    press(.tab, .shift)
    #expect(gallery.screen.header.focusedControl === bar.closeButton)
    press(.tab, .shift)
    #expect(gallery.screen.header.focusedControl === bar.actionButton)
    press(.tab)
    press(.enter)
    #expect(bar.isHidden && !gallery.screen.header.isFocused)
    #expect(gallery.harness.window.firstResponder === gallery.screen.grid)
  }

  @Test("Pinned headers of sections stay below the visible part of the bar")
  func pinnedHeaders() throws {
    let gallery = try makeGallery()
    let grid = gallery.screen.grid
    gallery.screen.setGrouping(.folder)
    gallery.harness.runUntilIdle()
    func top() throws -> Double {
      try #require(grid.visibleSupplementaryViews(ofKind: GalleryLayout.headerKind).first).frameInWindow.minY
    }
    #expect(try top() == Metrics.barHeight)
    wheel(gallery, -5)
    #expect(try top() == 0)
    wheel(gallery, 1)
    #expect(try top() == Metrics.barHeight)
  }
}
