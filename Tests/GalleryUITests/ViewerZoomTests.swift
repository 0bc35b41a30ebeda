import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The picture view enlarges and moves pictures")
struct ViewerZoomTests {
  private let gallery: GalleryFixture

  /// A gallery of pictures of 1,600 x 1,200 pixels in a window of 640 x 480, of which the first one is open.
  init() throws {
    let feed = FakeFeed()
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
    feed.appendBatch(feed.photos(9), FakeFeed.headers(0, [ImageHeader](repeating: header, count: 9)), FakeFeed.end)
    gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    press(.right)
    press(.enter)
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = []) { gallery.press(key, modifiers) }

  private func type(_ text: Character) { gallery.typeCharacter(text) }

  private func send(_ kinds: InputEvent.Kind...) { gallery.send(kinds) }

  private var viewer: PictureViewer {
    get throws { try #require(gallery.screen.viewer.state?.view) }
  }

  /// The frame of the picture in the last frame, and the size of its texture.
  private func picture() throws -> (frame: PixelRect, texture: PixelRect) {
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    let command = try #require(commands.first { $0.kind == .texture && $0.source.width >= 640 })
    return (command.destination, command.source)
  }

  @Test("A double click shows the picture's own pixels below the pointer, decoded for it, and another one all of it")
  func ownPixels() throws {
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    let point = Point(x: 160, y: 120)
    let doubleClick = InputEvent.Kind.pointerDown(point, button: .primary, clicks: 2, modifiers: [])
    let release = InputEvent.Kind.pointerUp(point, button: .primary, modifiers: [])
    gallery.harness.sendEvent(doubleClick)
    gallery.harness.sendEvent(release)
    gallery.harness.run(frames: 4)
    let item = try #require(gallery.screen.viewer.openItem)
    #expect(try viewer.isZooming && !gallery.screen.viewer.pictures.requestsDetail(of: item), "frames come first")
    gallery.harness.runUntilIdle()
    let shown = try picture()
    #expect(shown.frame == PixelRect(x: -240, y: -180, width: 1_600, height: 1_200))
    #expect(shown.texture == PixelRect(x: 0, y: 0, width: 1_600, height: 1_200))
    #expect(!gallery.harness.drawnTexts(["100 %"], in: Theme.detailStyle).isEmpty)
    send(doubleClick, release)
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
  }

  @Test("Keys enlarge, cover and show all, and Ctrl with the wheel enlarges at the pointer")
  func keys() throws {
    type("1")
    #expect(try picture().frame == PixelRect(x: -480, y: -360, width: 1_600, height: 1_200))
    type("+")
    #expect(try viewer.zoom.targetMagnification == 1.25)
    press(.character("-"), .control)
    #expect(try viewer.zoom.targetMagnification == 1)
    type("0")
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    type("2")
    #expect(try viewer.zoom.fitting == .covering)
    press(.character("0"), .control)
    let wheel = WheelInput(location: .zero, deltaX: 0, deltaY: 1, modifiers: .control)
    send(.wheel(wheel))
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 800, height: 600))
    #expect(gallery.screen.viewer.state?.index == 0, "the wheel turns no page")
  }

  @Test("Above four times their size the picture's pixels are seen as squares")
  func squares() throws {
    func showsPixels() throws -> Bool {
      let commands = try #require(gallery.harness.display.frames.last?.commands)
      return try #require(commands.first { $0.kind == .texture && $0.source.width >= 640 }).showsPixels
    }
    type("1")
    #expect(try !showsPixels())
    try viewer.changeZoom { $0.zoom(to: 3.9, around: nil, at: $1) }
    gallery.harness.runUntilIdle()
    #expect(try !showsPixels())
    try viewer.changeZoom { $0.zoom(to: 4, around: nil, at: $1) }
    gallery.harness.runUntilIdle()
    #expect(try showsPixels())
  }

  @Test("A drag, the wheel, keys and a finger move an enlarged picture, and turn no page")
  func moves() throws {
    type("1")
    send(
      .pointerDown(Point(x: 300, y: 200), button: .primary, clicks: 1, modifiers: []),
      .pointerMoved(Point(x: 320, y: 190)))
    #expect(try picture().frame == PixelRect(x: -460, y: -370, width: 1_600, height: 1_200))
    send(.pointerUp(Point(x: 320, y: 190), button: .primary, modifiers: []), .pointerMoved(Point(x: 400, y: 190)))
    #expect(try picture().frame.x == -460, "a pointer that is not pressed moves nothing")
    send(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: 1)))
    #expect(try picture().frame.y == -290)
    press(.right, .control)
    #expect(try picture().frame.x == -560)
    let start = Point(x: 100, y: 100)
    send(
      .pan(PanInput(phase: .began, start: start, location: Point(x: 60, y: 100), translation: Point(x: -40, y: 0))),
      .pan(PanInput(phase: .moved, start: start, location: Point(x: 0, y: 90), translation: Point(x: -60, y: -10))))
    #expect(try picture().frame.x == -660 && picture().frame.y == -300)
    send(.pan(PanInput(phase: .ended, start: start, location: Point(x: 0, y: 90), translation: .zero)))
    #expect(gallery.screen.viewer.state?.index == 0)
  }

  @Test("The next picture is shown whole, or at the same place if the zoom is kept")
  func nextPicture() throws {
    type("1")
    press(.right)
    #expect(gallery.screen.viewer.state?.index == 1)
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    type("k")
    type("1")
    send(.wheel(WheelInput(location: .zero, deltaX: 0, deltaY: 2)))
    let frame = try picture().frame
    press(.right)
    #expect(gallery.screen.viewer.state?.index == 2)
    #expect(try picture().frame == frame && picture().texture.width == 1_600)
  }

  @Test("Of pictures that are passed quickly, no own pixels are decoded before the key is released")
  func passing() throws {
    gallery.screen.viewer.keepsZoom = true
    type("1")
    let decodes = gallery.decoder.started.count
    func details() -> Int {
      gallery.decoder.started.dropFirst(decodes).count { $0.size == PixelSize(width: 1_600, height: 1_200) }
    }
    press(.right)
    #expect(details() == 1)
    for _ in 0..<5 {
      gallery.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: true))
      gallery.harness.run(milliseconds: 33)
    }
    // The first step after a pause may be the only one.
    #expect(details() <= 2, "\(details())")
    gallery.harness.sendEvent(.keyUp(.right, modifiers: []))
    gallery.harness.runUntilIdle()
    #expect(try details() <= 3 && picture().texture == PixelRect(x: 0, y: 0, width: 1_600, height: 1_200))
  }

  @Test("The navigator is shown while a part is visible, and a press in it moves there")
  func navigator() throws {
    let navigator = try #require(try viewer.subviews.lazy.compactMap { $0 as? PictureNavigator }.first)
    #expect(navigator.isHidden)
    type("1")
    #expect(!navigator.isHidden && navigator.visiblePart == Rect(x: 0.3, y: 0.3, width: 0.4, height: 0.4))
    let corner = navigator.frameInWindow.origin
    send(.pointerDown(corner + Point(x: 1, y: 1), button: .primary, clicks: 1, modifiers: []))
    #expect(try picture().frame.x == 0 && picture().frame.y == 0)
    send(.pointerUp(corner, button: .primary, modifiers: []))
    type("0")
    #expect(navigator.isHidden)
  }

  @Test("The slider and the buttons of the bar work by pointer alone, and a right click opens the menu")
  func controls() throws {
    let bar = try #require(try viewer.subviews.lazy.compactMap { $0 as? ViewerBar }.first)
    func click(_ view: View) {
      let frame = view.frameInWindow
      let center = Point(x: frame.midX, y: frame.midY)
      send(
        .pointerDown(center, button: .primary, clicks: 1, modifiers: []),
        .pointerUp(center, button: .primary, modifiers: []))
    }
    click(bar.nextButton)
    #expect(gallery.screen.viewer.state?.index == 1)
    click(bar.previousButton)
    #expect(gallery.screen.viewer.state?.index == 0)
    click(bar.slider)
    let magnification = try viewer.zoom.targetMagnification
    #expect(magnification > 1 && magnification < 4, "half of the way from 0.4 to 16 by equal factors")
    let point = Point(x: 200, y: 200)
    send(
      .pointerDown(point, button: .secondary, clicks: 1, modifiers: []),
      .pointerUp(point, button: .secondary, modifiers: []))
    let menu = try #require(gallery.screen.overlays.openView as? MenuLayer)
    #expect(menu.frame == gallery.screen.bounds)
    press(.escape)
    #expect(gallery.screen.overlays.openView == nil && gallery.screen.viewer.isOpen)
    click(bar.backButton)
    #expect(!gallery.screen.viewer.isShown)
  }

  @Test("A broken picture is not enlarged")
  func broken() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1, failing: .unreadable), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    gallery.screen.viewer.open(try #require(gallery.screen.dataSource.itemIdentifier(atFlatIndex: 0)))
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.keyDown(.character("1"), modifiers: [], isRepeat: false))
    gallery.harness.sendEvent(.text("1"))
    gallery.harness.runUntilIdle()
    let view = try #require(gallery.screen.viewer.state?.view)
    #expect(!view.zoom.isZoomed && gallery.harness.drawnTexts(["100 %"], in: Theme.detailStyle).isEmpty)
  }

  @Test(
    "A picture grows from its place in the grid, turns back where it is, and shrinks to where it is in the grid now")
  func growth() throws {
    press(.escape)
    let item = try #require(gallery.screen.dataSource.itemIdentifier(atFlatIndex: 0))
    let place = try #require(gallery.screen.pictureFrame(of: item))
    func width() throws -> Int32 { try picture().frame.width }
    gallery.harness.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 3)
    let first = try width()
    #expect(Double(first) > place.width && first < 640)
    gallery.harness.run(frames: 3)
    let grown = try width()
    #expect(grown > first && grown < 640)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 3)
    let shrunk = try width()
    #expect(shrunk < grown && shrunk > Int32(place.width))
    gallery.harness.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 3)
    #expect(try width() > shrunk)
    gallery.harness.runUntilIdle()
    #expect(try picture().frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    press(.end)
    press(.escape)
    #expect(!gallery.screen.viewer.isShown && gallery.screen.grid.cell(at: 8) != nil)
  }

  @Test("A file that is opened is shown at once, and Escape returns to it in the grid")
  func openedFile() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(40), FakeFeed.end)
    let gallery = try GalleryFixture(feed, pathToReveal: PhotoPath("/pictures/IMG_30.JPG"))
    gallery.harness.run(frames: 3)
    #expect(gallery.screen.viewer.state?.index == 30 && gallery.screen.viewer.state?.view.opacity == 1)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 5)
    let opacity = try #require(gallery.screen.viewer.state?.view.opacity)
    #expect(opacity > 0 && opacity < 1, "it shrinks to its place")
    gallery.harness.runUntilIdle()
    #expect(!gallery.screen.viewer.isShown && gallery.screen.grid.cell(at: 30) != nil)
  }

  @Test("Of a giant picture, the visible part is decoded where it comes to rest, and the last one stays until then")
  func parts() throws {
    let feed = FakeFeed()
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40_000, height: 25_000))
    feed.appendBatch(feed.photos(1), FakeFeed.headers(0, [header]), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    for key in [Key.right, .enter, .character("1")] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      if key == .character("1") { gallery.harness.sendEvent(.text("1")) }
      gallery.harness.runUntilIdle()
    }
    /// The frames of the drawn parts, whose textures are smaller than the picture and larger than the window.
    func parts() -> [(frame: PixelRect, texture: PixelRect)] {
      let commands = gallery.harness.display.frames.last?.commands ?? []
      return commands.filter { $0.kind == .texture && $0.source.width > 640 }.map { ($0.destination, $0.source) }
    }
    // 640 x 480 of the middle, and half as many on each side, on multiples of 64 pixels.
    #expect(parts().map(\.texture) == [PixelRect(x: 0, y: 0, width: 1_344, height: 1_024)])
    // The picture's corner is at -19,680 and -12,260, and the part begins at 19,328 and 11,968.
    #expect(parts().map(\.frame) == [PixelRect(x: -352, y: -292, width: 1_344, height: 1_024)])
    gallery.harness.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false))
    gallery.harness.run(frames: 3)
    #expect(parts().map(\.texture) == [PixelRect(x: 0, y: 0, width: 1_344, height: 1_024)], "it moves along")
    for _ in 0..<4 { gallery.harness.sendEvent(.keyDown(.right, modifiers: .control, isRepeat: false)) }
    gallery.harness.runUntilIdle()
    let viewer = try #require(gallery.screen.viewer.state?.view)
    let moved = try #require(parts().first)
    #expect(parts().count == 1)
    #expect(Double(moved.frame.x) == 19_328 + 512 - 19_680 - 500, "\(moved.frame) \(viewer.picture.visiblePart)")
  }
}
