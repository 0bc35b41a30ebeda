import CollectionUI
import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The information about the viewed picture")
struct ViewerInformationTests {
  /// Writes TIFF data in which a photograph states how and where it was taken.
  private static func makeFile(in folder: URL) throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    func fractions(_ parts: (Int, Int)...) -> [UInt8] { parts.flatMap { number($0.0, 4) + number($0.1, 4) } }
    func directory(_ entries: [[UInt8]]) -> [UInt8] { number(entries.count, 2) + entries.joined() + number(0, 4) }
    var bytes = Array("II*\0".utf8) + number(8, 4)
    bytes += directory([
      entry(0x0100, 4, 1, 1_600), entry(0x0101, 4, 1, 1_200), entry(0x8769, 4, 1, 100), entry(0x8825, 4, 1, 200),
    ])
    bytes += [UInt8](repeating: 0, count: 100 - bytes.count)
    bytes += directory([entry(0x829A, 5, 1, 300), entry(0x829D, 5, 1, 308), entry(0x8827, 3, 1, 400)])
    bytes += [UInt8](repeating: 0, count: 200 - bytes.count)
    bytes += directory([
      entry(1, 2, 2, 0x53), entry(2, 5, 3, 316), entry(3, 2, 2, 0x45), entry(4, 5, 3, 340),
    ])
    bytes += [UInt8](repeating: 0, count: 300 - bytes.count)
    bytes += fractions((1, 250), (28, 10), (33, 1), (30, 1), (0, 1), (151, 1), (15, 1), (0, 1))
    try Data(bytes).write(to: folder.appending(path: "IMG_0.JPG"))
  }

  /// A gallery of a photograph with a file and two without.
  private final class Fixture {
    let folder: URL
    let gallery: GalleryFixture
    var opened: [String] = []

    init(
      size: Size = Size(width: 960, height: 600),
      thread: ArrangementThread? = ArrangementThread(waitsForResults: true) {}
    ) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "information-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try ViewerInformationTests.makeFile(in: folder)
      let feed = FakeFeed()
      let path = PhotoPath(folder.path)
      feed.appendBatch(
        .found(
          (0..<3).map { index in
            FoundPhoto(
              ordinal: index, folder: path, name: Array("IMG_\(index).JPG".utf8),
              identity: FakeFeed.identity(index, byteCount: 2_000_000), failure: nil)
          }),
        FakeFeed.headers(
          0,
          [ImageHeader](
            repeating: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200)), count: 3)),
        FakeFeed.end)
      gallery = try GalleryFixture(feed, size: size, arrangementThread: thread)
      gallery.screen.windowActions.openAddress = { [weak self] in self?.opened.append($0) }
      gallery.harness.runUntilIdle()
      gallery.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
      gallery.harness.sendEvent(.keyDown(.enter, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }

    isolated deinit { try? FileManager.default.removeItem(at: folder) }

    func press(_ key: Key) {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      if case .character(let character) = key { gallery.harness.sendEvent(.text(String(character))) }
      gallery.harness.runUntilIdle()
    }

    var viewer: PictureViewer {
      get throws { try #require(gallery.screen.viewer.state?.view) }
    }

    func picture() throws -> PixelRect {
      let commands = try #require(gallery.harness.display.frames.last?.commands)
      return try #require(commands.first { $0.kind == .texture && $0.source.width >= 390 }).destination
    }

    func draws(_ texts: String...) -> Bool {
      Set(gallery.harness.drawnTexts(texts, in: Theme.detailStyle).map(\.text)).count == texts.count
    }

    /// The number of columns of the histogram that the last frame shows.
    var columnCount: Int {
      guard let panel = try? viewer.panel, let frame = gallery.harness.display.frames.last else { return 0 }
      let color = panel.theme.secondaryText
      return GalleryFixture.fillCount(color, in: frame)
    }
  }

  @Test("I shows what the file states and the histogram beside the picture, which gets the rest, and hides it again")
  func panel() throws {
    let fixture = try Fixture()
    #expect(try fixture.picture() == PixelRect(x: 0, y: 0, width: 960, height: 600) && fixture.columnCount == 0)
    fixture.press(.character("i"))
    let panel = try #require(try fixture.viewer.panel)
    #expect(panel.frame == Rect(x: 660, y: 0, width: 300, height: 556) && !panel.isHidden)
    #expect(try fixture.picture().maxX <= 660 && fixture.picture().width == 660)
    #expect(fixture.draws("1600 × 1200, 1.9 MP", "1/250 s", "f/2.8", "400", "33.5000° S, 151.2500° E"))
    #expect(!fixture.draws("Lens") && fixture.columnCount == 1, "the picture has one color")
    fixture.press(.character("i"))
    #expect(try fixture.viewer.panel == nil && fixture.picture().width == 960 && !fixture.draws("1/250 s"))
  }

  @Test("The panel stays from picture to picture, and shows nothing of another one")
  func nextPicture() throws {
    let fixture = try Fixture()
    fixture.press(.character("i"))
    fixture.press(.right)
    #expect(fixture.draws("1600 × 1200, 1.9 MP") && !fixture.draws("1/250 s"), "this one has no file")
    fixture.press(.left)
    #expect(fixture.draws("1/250 s", "400") && fixture.columnCount == 1)
    fixture.press(.escape)
    fixture.press(.enter)
    #expect(fixture.draws("1/250 s", "400"), "also when the viewer is opened again")
  }

  @Test("While a file is read the last lines stay for a moment, and then what is known is shown without it")
  func slowFile() throws {
    let fixture = try Fixture()
    fixture.press(.character("i"))
    let (information, viewer) = (fixture.gallery.screen.viewer.information, try fixture.viewer)
    let item = try #require(fixture.gallery.screen.dataSource.itemIdentifier(atFlatIndex: 1))
    let now = fixture.gallery.harness.clock.now()
    let panel = try #require(viewer.panel)
    func values() -> [String] {
      panel.subviews.flatMap(\.subviews).compactMap { $0 as? InformationRowView }.map(\.accessibilityText)
    }
    #expect(values().contains("Aperture: f/2.8"))
    information.photographDidChange(item, picture: nil, in: viewer, at: now)
    let delay = InformationController.readingDelay
    #expect(values().contains("Aperture: f/2.8") && information.nextFrame == now + delay)
    information.update(at: now + delay * 0.5)
    #expect(values().contains("Aperture: f/2.8"))
    information.update(at: now + delay)
    #expect(!values().contains("Aperture: f/2.8") && values().contains("Size: 1600 × 1200, 1.9 MP"))
    #expect(information.nextFrame == nil)
    information.collect()
    #expect(!values().contains("Aperture: f/2.8"), "this one has no file")
  }

  @Test("A press of the place opens a map, as the menu does, and presses elsewhere in the panel reach no picture")
  func map() throws {
    let fixture = try Fixture()
    fixture.press(.character("i"))
    let text = try #require(
      fixture.gallery.harness.drawnTexts(["33.5000° S, 151.2500° E"], in: Theme.detailStyle).first)
    let point = Point(x: Double(text.frame.x) + 10, y: Double(text.frame.y) + 8)
    func click(_ point: Point, clicks: Int = 1) {
      fixture.gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: clicks, modifiers: []))
      fixture.gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
      fixture.gallery.harness.runUntilIdle()
    }
    click(point)
    let address = "https://www.openstreetmap.org/?mlat=-33.500000&mlon=151.250000#map=15/-33.500000/151.250000"
    #expect(fixture.opened == [address])
    click(Point(x: 700, y: 500), clicks: 2)
    fixture.gallery.harness.sendEvent(.wheel(WheelInput(location: Point(x: 700, y: 500), deltaX: 0, deltaY: -2)))
    fixture.gallery.harness.runUntilIdle()
    #expect(try !fixture.viewer.zoom.isZoomed && fixture.gallery.screen.viewer.state?.index == 0)
    let entries = fixture.gallery.screen.menu(of: .picture, selectedCount: 1).actions
    try #require(entries.first { $0.title == "Place on a map" }).handler()
    #expect(fixture.opened == [address, address])
    fixture.press(.right)
    #expect(
      !fixture.gallery.screen.menu(of: .picture, selectedCount: 1).actions.contains { $0.title == "Place on a map" })
  }

  @Test("In a narrow window the panel is below the picture, and scrolls")
  func narrow() throws {
    let fixture = try Fixture(size: Size(width: 400, height: 500))
    fixture.press(.character("i"))
    let panel = try #require(try fixture.viewer.panel)
    #expect(panel.frame == Rect(x: 0, y: 228, width: 400, height: 228))
    #expect(try fixture.picture().maxY <= 228)
    func placeTop() throws -> Int32 {
      try #require(fixture.gallery.harness.drawnTexts(["33.5000° S, 151.2500° E"], in: Theme.detailStyle).first).frame.y
    }
    #expect(try placeTop() > 456)
    fixture.gallery.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 300), deltaX: 0, deltaY: -9)))
    fixture.gallery.harness.runUntilIdle()
    #expect(try placeTop() < 440 && fixture.gallery.screen.viewer.state?.index == 0)
    fixture.gallery.harness.resize(to: Size(width: 960, height: 600))
    fixture.gallery.harness.runUntilIdle()
    #expect(panel.frame.minX == 660 && panel.contentOffset == 0)
  }

  @Test("Nothing is read before the panel is shown, and an address that cannot be opened is copied")
  func failures() throws {
    let fixture = try Fixture()
    #expect(fixture.gallery.screen.viewer.information.placeAddress == nil)
    let addresses = Mailbox<String>()
    fixture.gallery.screen.unopenedAddresses = addresses
    var copied: [String] = []
    fixture.gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    addresses.post("https://example.org/")
    fixture.gallery.harness.run(frames: 2)
    #expect(copied == ["https://example.org/"])
    #expect(fixture.gallery.screen.status.noticeText == "The desktop opens no addresses; this one was copied")
  }
}
