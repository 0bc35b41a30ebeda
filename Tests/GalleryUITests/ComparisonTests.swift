import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Two to four pictures are shown side by side, and enlarged and moved together")
struct ComparisonTests {
  private let gallery: GalleryFixture

  /// A gallery of pictures of 1,600 x 1,200 pixels in a window of 640 x 480, whose first three are selected.
  init() throws {
    let feed = FakeFeed()
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
    feed.appendBatch(feed.photos(9), FakeFeed.headers(0, [ImageHeader](repeating: header, count: 9)), FakeFeed.end)
    // Decoded pictures have the shape of the file, as those of decoding processes.
    gallery = try GalleryFixture(feed) { request in
      var key = request.key
      let share = min(1, Double(key.size.width) / 1_600, Double(key.size.height) / 1_200)
      key.size = PixelSize(width: Int(1_600 * share), height: Int(1_200 * share)) ?? key.size
      return GatedDecoder.generatedImage(for: key)
    }
    gallery.harness.runUntilIdle()
    press(.right)
    press(.right, .shift)
    press(.right, .shift)
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = []) { gallery.press(key, modifiers) }

  private func type(_ text: Character) { gallery.typeCharacter(text) }

  private func send(_ kinds: InputEvent.Kind...) { gallery.send(kinds) }

  private func doubleClick(at point: Point) {
    send(
      .pointerDown(point, button: .primary, clicks: 2, modifiers: []),
      .pointerUp(point, button: .primary, modifiers: []))
  }

  private func drag(from start: Point, by translation: Point, _ modifiers: KeyModifiers = []) {
    send(.pointerDown(start, button: .primary, clicks: 1, modifiers: modifiers))
    send(.pointerMoved(start + translation))
    // The pointer rests, so that the picture does not coast.
    gallery.harness.run(milliseconds: 500)
    send(.pointerUp(start + translation, button: .primary, modifiers: modifiers))
  }

  private var viewer: PictureViewer {
    get throws { try #require(gallery.screen.viewer.state?.view) }
  }

  private var names: [String] { gallery.screen.viewer.openItems.map { gallery.library.caption(of: $0) } }

  private var activeName: String? { gallery.screen.viewer.openItem.map { gallery.library.caption(of: $0) } }

  /// The frames of the pictures in the window's pixels, and the sizes of their textures, from left to right.
  private func pictures() throws -> [(frame: PixelRect, texture: PixelRect)] {
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    return commands.filter { $0.kind == .texture && max($0.source.width, $0.source.height) >= 200 }.map {
      ($0.destination, $0.source)
    }
  }

  @Test("Selected photographs are shown side by side, each as large as possible, and Escape returns to the grid")
  func selection() throws {
    press(.character("c"), .alt)
    #expect(names == ["IMG_0.JPG", "IMG_1.JPG", "IMG_2.JPG"] && activeName == "IMG_2.JPG")
    // Two columns of 318 points in the 436 points above the bar show pictures of 4:3 larger than three columns do.
    #expect(
      try viewer.panes.map(\.frame) == [
        Rect(x: 0, y: 0, width: 318, height: 216), Rect(x: 322, y: 0, width: 318, height: 216),
        Rect(x: 161, y: 220, width: 318, height: 216),
      ])
    #expect(
      try pictures().map(\.frame) == [
        PixelRect(x: 15, y: 0, width: 288, height: 216), PixelRect(x: 337, y: 0, width: 288, height: 216),
        PixelRect(x: 176, y: 220, width: 288, height: 216),
      ])
    #expect(!gallery.harness.drawnTexts(["IMG_0.JPG", "IMG_1.JPG"], in: Theme.captionStyle).isEmpty)
    press(.escape)
    #expect(gallery.screen.viewer.state == nil && gallery.screen.grid.selection.items.ranges == [0..<3])
    press(.character("a"), .control)
    gallery.harness.sendEvent(.keyDown(.character("c"), modifiers: .alt, isRepeat: false))
    gallery.harness.run(frames: 1)
    #expect(gallery.screen.viewer.state == nil, "nine are too many")
    #expect(gallery.screen.status.noticeText == "Select two to four photographs to compare them")
  }

  @Test("C shows the next picture beside the first, up to four, X takes one out, and Escape leaves the active one")
  func addingAndRemoving() throws {
    press(.enter)
    #expect(names == ["IMG_2.JPG"])
    for count in 2...4 {
      type("c")
      #expect(names.count == count)
    }
    #expect(try !viewer.canCompare)
    type("c")
    #expect(names == ["IMG_2.JPG", "IMG_3.JPG", "IMG_4.JPG", "IMG_5.JPG"] && activeName == "IMG_5.JPG")
    type("x")
    #expect(names == ["IMG_2.JPG", "IMG_3.JPG", "IMG_4.JPG"] && activeName == "IMG_4.JPG")
    press(.tab)
    #expect(activeName == "IMG_2.JPG")
    press(.tab, .shift)
    press(.tab, .shift)
    #expect(activeName == "IMG_3.JPG")
    // Steps skip what is shown.
    press(.right)
    #expect(names == ["IMG_2.JPG", "IMG_5.JPG", "IMG_4.JPG"])
    press(.left)
    press(.left)
    #expect(names == ["IMG_2.JPG", "IMG_1.JPG", "IMG_4.JPG"])
    let remove = try #require(
      gallery.screen.hitTest(Point(x: 640 - 16, y: 216 - 16)) as? BarButton, "the button of the second picture")
    #expect(remove.accessibilityLabel == "Take out of the comparison (X)")
    remove.action()
    gallery.harness.runUntilIdle()
    #expect(names == ["IMG_2.JPG", "IMG_4.JPG"] && activeName == "IMG_4.JPG")
    press(.escape)
    #expect(names == ["IMG_4.JPG"], "the comparison was begun in the viewer")
    #expect(try viewer.panes.count == 1 && pictures().first?.frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    type("x")
    #expect(names == ["IMG_4.JPG"])
    press(.escape)
    #expect(gallery.screen.viewer.state == nil)
  }

  @Test("At the last picture, C adds the one before")
  func atTheEnd() {
    press(.enter)
    press(.end)
    type("c")
    #expect(names == ["IMG_8.JPG", "IMG_7.JPG"])
  }

  @Test("A double click enlarges all pictures around the same point, and a drag moves all of them")
  func linkedZoom() throws {
    press(.character("c"), .alt)
    type("x")
    // Two columns of 318 x 436.
    let panes = try viewer.panes.map(\.frame)
    #expect(panes == [Rect(x: 0, y: 0, width: 318, height: 436), Rect(x: 322, y: 0, width: 318, height: 436)])
    doubleClick(at: Point(x: 100, y: 200))
    #expect(activeName == "IMG_0.JPG")
    var frames = try pictures().map(\.frame)
    #expect(frames.count == 2 && frames[0].width == 1_600 && frames[1].width == 1_600)
    #expect(frames[1].x - frames[0].x == 322 && frames[0].y == frames[1].y)
    #expect(try pictures().map(\.texture.width) == [1_600, 1_600], "their own pixels are decoded")
    let start = frames[0]
    drag(from: Point(x: 400, y: 200), by: Point(x: -60, y: -40))
    #expect(activeName == "IMG_1.JPG")
    frames = try pictures().map(\.frame)
    #expect(frames[0].x == start.x - 60 && frames[0].y == start.y - 40)
    #expect(frames[1].x - frames[0].x == 322 && frames[0].y == frames[1].y)
    // A drag beyond the edge shows the same in both.
    send(.pointerDown(Point(x: 400, y: 200), button: .primary, clicks: 1, modifiers: []))
    send(.pointerMoved(Point(x: 4_000, y: 200)))
    frames = try pictures().map(\.frame)
    #expect(frames[0].x > 0 && frames[1].x - frames[0].x == 322)
    send(.pointerUp(Point(x: 4_000, y: 200), button: .primary, modifiers: []))
    frames = try pictures().map(\.frame)
    #expect(frames[0].x == 0 && frames[1].x == 322)
  }

  @Test("With Shift a drag moves one picture, and the difference stays until all pictures are whole again")
  func aligning() throws {
    press(.character("c"), .alt)
    type("x")
    type("1")
    let start = try pictures().map(\.frame)
    drag(from: Point(x: 100, y: 200), by: Point(x: -30, y: 20), .shift)
    var frames = try pictures().map(\.frame)
    #expect(frames[0].x == start[0].x - 30 && frames[0].y == start[0].y + 20 && frames[1] == start[1])
    drag(from: Point(x: 100, y: 200), by: Point(x: -10, y: -10))
    frames = try pictures().map(\.frame)
    #expect(frames[0].x == start[0].x - 40 && frames[0].y == start[0].y + 10)
    #expect(frames[1].x == start[1].x - 10 && frames[1].y == start[1].y - 10)
    type("0")
    type("1")
    frames = try pictures().map(\.frame)
    #expect(frames[1].x - frames[0].x == 322 && frames[0].y == frames[1].y, "aligned again")
  }

  @Test("L moves each picture on its own, and when they are linked again, they keep their places")
  func unlinking() throws {
    press(.character("c"), .alt)
    type("x")
    type("1")
    type("l")
    #expect(try !viewer.isLinked)
    let start = try pictures().map(\.frame)
    drag(from: Point(x: 100, y: 200), by: Point(x: -50, y: 0))
    var frames = try pictures().map(\.frame)
    #expect(frames[0].x == start[0].x - 50 && frames[1] == start[1])
    type("l")
    #expect(try viewer.isLinked && pictures().map(\.frame) == frames)
    drag(from: Point(x: 100, y: 200), by: Point(x: -20, y: 0))
    let last = frames
    frames = try pictures().map(\.frame)
    #expect(frames[0].x == last[0].x - 20 && frames[1].x == last[1].x - 20)
  }

  @Test("Another picture of an enlarged comparison is shown at the same place, and a resized window keeps it")
  func stepsAndResizing() throws {
    press(.character("c"), .alt)
    type("x")
    type("1")
    drag(from: Point(x: 100, y: 200), by: Point(x: -60, y: -40))
    let start = try pictures().map(\.frame)
    press(.right)
    #expect(names == ["IMG_2.JPG", "IMG_1.JPG"] && activeName == "IMG_2.JPG")
    #expect(try pictures().map(\.frame) == start)
    gallery.harness.resize(to: Size(width: 500, height: 400))
    gallery.harness.runUntilIdle()
    // Cells of the grid are below.
    let frames = try pictures().map(\.frame).filter { $0.width > 300 }
    let panes = try viewer.panes.map(\.frame)
    #expect(frames.count == 2 && frames[0].width == frames[1].width, "\(frames) \(panes)")
    #expect(frames[1].x - frames[0].x == Int32(panes[1].minX) && frames[0].y == frames[1].y)
  }

  @Test("A comparison begins with the magnification and the place of the picture, and not with those of the last one")
  func beginning() throws {
    press(.enter)
    type("c")
    type("1")
    press(.escape)
    #expect(names == ["IMG_3.JPG"])
    #expect(try viewer.zoom.targetMagnification == 1)
    type("0")
    type("c")
    #expect(names == ["IMG_3.JPG", "IMG_4.JPG"])
    #expect(try viewer.panes.allSatisfy { !$0.picture.zoom.isZoomed })
    press(.escape)
    type("1")
    drag(from: Point(x: 300, y: 200), by: Point(x: -100, y: -50))
    let center = try viewer.zoom.center(at: .zero)
    type("c")
    let zooms = try viewer.panes.map(\.picture.zoom)
    #expect(zooms.map(\.targetMagnification) == [1, 1])
    for zoom in zooms {
      let now = zoom.center(at: gallery.harness.clock.now())
      #expect((now.x - center.x).magnitude < 0.001 && (now.y - center.y).magnitude < 0.001)
    }
    type("c")
    #expect(try viewer.panes.map(\.picture.zoom.targetMagnification) == [1, 1, 1])
  }

  @Test("However often the wheel is turned between frames, linked pictures show the same")
  func wheel() throws {
    press(.character("c"), .alt)
    type("x")
    type("1")
    let start = gallery.harness.clock.now()
    for number in 0..<20 {
      let wheel = WheelInput(
        location: Point(x: 100, y: 200), deltaX: 0, deltaY: number < 12 ? -1 : 1)
      gallery.harness.events.append(.wheel(wheel), at: start + .milliseconds(5 + 21 * Double(number)))
    }
    gallery.harness.runUntilIdle()
    let frames = try pictures().map(\.frame)
    #expect(frames.count == 2 && frames[1].x - frames[0].x == 322 && frames[0].y == frames[1].y, "\(frames)")
  }

  @Test("A picture that was turned or moved stays where it is when another one becomes the active one")
  func activation() throws {
    press(.character("c"), .alt)
    type("x")
    type("1")
    drag(from: Point(x: 100, y: 200), by: Point(x: -60, y: -40))
    #expect(activeName == "IMG_0.JPG")
    let start = try pictures().map(\.frame)
    gallery.screen.viewer.flipPictureHorizontally()
    gallery.harness.runUntilIdle()
    let flipped = try pictures().map(\.frame)
    #expect(flipped[0] != start[0] && flipped[1] == start[1], "\(flipped) \(start)")
    press(.tab)
    #expect(try activeName == "IMG_1.JPG" && pictures().map(\.frame) == flipped)
    type("r")
    let turned = try pictures().map(\.frame)
    #expect(turned[0] == flipped[0] && turned[1] != flipped[1])
    press(.tab)
    #expect(try activeName == "IMG_0.JPG" && pictures().map(\.frame) == turned)
  }

  @Test("A resized window keeps the magnification, also if the active picture cannot be shown")
  func resizingWithoutPicture() throws {
    let feed = FakeFeed()
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
    feed.appendBatch(
      feed.photos(1), FakeFeed.headers(0, [header]), feed.photos(1, failing: .notAPicture), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let items = gallery.screen.dataSource.displayedSnapshot().itemIdentifiers
    gallery.screen.viewer.open(items, active: items[0])
    gallery.harness.runUntilIdle()
    gallery.screen.viewer.zoomToOwnPixels()
    gallery.harness.runUntilIdle()
    gallery.harness.sendEvent(.keyDown(.tab, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    let viewer = try #require(gallery.screen.viewer.state?.view)
    #expect(viewer.activeIndex == 1 && viewer.picture.content.failure != nil)
    #expect(viewer.panes[0].picture.zoom.targetMagnification == 1)
    gallery.harness.resize(to: Size(width: 700, height: 500))
    gallery.harness.runUntilIdle()
    #expect(viewer.panes[0].picture.zoom.targetMagnification == 1)
  }

  @Test("Removed photographs are taken out of the comparison, the slide show ends it, and rotation applies to one")
  func changes() throws {
    press(.character("c"), .alt)
    type("r")
    let active = try #require(gallery.screen.viewer.openItem)
    #expect(gallery.screen.viewer.orientation.orientation(of: active).quarterTurns == 1)
    var shapes = try pictures().map { $0.frame.width > $0.frame.height }
    #expect(shapes.filter { $0 }.count == 2 && shapes.count == 3)
    var snapshot = gallery.screen.dataSource.snapshot()
    snapshot.deleteItems([active])
    gallery.screen.dataSource.apply(snapshot)
    gallery.harness.runUntilIdle()
    #expect(names == ["IMG_0.JPG", "IMG_1.JPG"] && activeName == "IMG_1.JPG")
    shapes = try pictures().map { $0.frame.width > $0.frame.height }
    #expect(shapes == [true, true])
    gallery.harness.sendEvent(.keyDown(.function(8), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    #expect(names == ["IMG_1.JPG"] && gallery.screen.viewer.slideShow.isRunning)
  }
}

@Suite("A comparison, its arrangement and the link of its pictures are values")
struct ComparisonValueTests {
  @Test("Whatever is done, there are one to four distinct photographs, and the active one is among them")
  func invariants() {
    var random = SeededGenerator(seed: 28)
    for _ in 0..<200 {
      var comparison = Comparison((0..<Int.random(in: 1...6, using: &random)).map { _ in item(&random) })
      for _ in 0..<30 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: comparison.show(item(&random))
        case 1: comparison.activate(Int.random(in: -1...4, using: &random))
        case 2: comparison.activateNext(by: Int.random(in: -5...5, using: &random))
        case 3: _ = comparison.add(item(&random))
        case 4: comparison.remove(at: Int.random(in: -1...4, using: &random))
        default: if Int.random(in: 0..<10, using: &random) == 0 { comparison.end() }
        }
        #expect((1...4).contains(comparison.items.count) && Set(comparison.items).count == comparison.items.count)
        #expect(comparison.items.indices.contains(comparison.activeIndex))
      }
    }
  }

  private func item(_ random: inout SeededGenerator) -> PhotoID {
    PhotoID(rawValue: UInt32.random(in: 0..<8, using: &random))
  }

  @Test("The active photograph stays the active one when another is removed")
  func removal() {
    let items = (0..<4).map { PhotoID(rawValue: $0) }
    var comparison = Comparison(items, active: items[2])
    comparison.remove(at: 0)
    #expect(comparison.active == items[2])
    comparison.remove(at: 1)
    #expect(comparison.active == items[3], "the one after it")
    comparison.remove(at: 1)
    #expect(comparison.active == items[1])
    comparison.remove(at: 0)
    #expect(comparison.items == [items[1]])
  }

  @Test("Upright pictures are in one row, wide ones below each other in a narrow window")
  func arrangement() {
    func frames(_ count: Int, _ picture: Size, _ area: Size) -> [Rect] {
      ComparisonLayout.frames(of: Array(repeating: picture, count: count), in: area)
    }
    let (wide, upright) = (Size(width: 3, height: 2), Size(width: 2, height: 3))
    #expect(
      frames(3, upright, Size(width: 1_208, height: 600)) == [
        Rect(x: 0, y: 0, width: 400, height: 600), Rect(x: 404, y: 0, width: 400, height: 600),
        Rect(x: 808, y: 0, width: 400, height: 600),
      ])
    #expect(
      frames(2, wide, Size(width: 400, height: 604)) == [
        Rect(x: 0, y: 0, width: 400, height: 300), Rect(x: 0, y: 304, width: 400, height: 300),
      ])
    #expect(frames(4, wide, Size(width: 1_204, height: 804)).map(\.origin.x) == [0, 604, 0, 604])
    #expect(frames(1, wide, Size(width: 100, height: 100)) == [Rect(x: 0, y: 0, width: 100, height: 100)])
    #expect(frames(4, wide, .zero).allSatisfy { $0.size == .zero })
  }

  @Test("A picture that was at its edge while another one moved on stays where it is moved then")
  func edges() throws {
    var link = PictureLink()
    let items = (0..<2).map { PhotoID(rawValue: $0) }
    var zooms = [Size(width: 1_600, height: 1_200), Size(width: 1_200, height: 1_600)].map { size in
      var zoom = PictureZoom()
      zoom.reducesMotion = true
      zoom.setSizes(viewport: Size(width: 318, height: 436), picture: size, at: .zero)
      return zoom
    }
    func move(_ active: Int, _ change: (inout PictureZoom) -> Void) {
      let start = zooms[active].place(at: .zero)
      change(&zooms[active])
      link.record(items[active], from: start, to: zooms[active].place(at: .zero))
      zooms[1 - active].follow(link.place(of: items[1 - active]))
    }
    move(1) { $0.zoom(to: 1.5, around: nil, at: .zero) }
    move(1) { $0.center(on: Point(x: 0.5, y: 1), at: .zero) }
    #expect(zooms[1].center(at: .zero).y > zooms[0].center(at: .zero).y + 0.02, "the first one is at its edge")
    move(0) { $0.center(on: Point(x: 0.5, y: 0.75), at: .zero) }
    let centers = zooms.map { $0.center(at: .zero).y }
    #expect((centers[0] - 0.75).magnitude < 0.001 && (centers[1] - 0.75).magnitude < 0.001, "\(centers)")
    // Now it follows the other one again.
    zooms[0].follow(link.place(of: items[0]))
    #expect((zooms[0].center(at: .zero).y - 0.75).magnitude < 0.001)
  }

  @Test("Linked pictures of any sizes show the same part of their subject, as far as their edges allow")
  func link() {
    var random = SeededGenerator(seed: 281)
    for _ in 0..<100 {
      let items = (0..<3).map { PhotoID(rawValue: $0) }
      let viewport = Size(width: 400, height: 300)
      var link = PictureLink()
      // The same subject in different sizes.
      let scale = Double.random(in: 1...4, using: &random)
      var zooms = [1, scale, scale * 2].map { factor in
        var zoom = PictureZoom()
        zoom.setSizes(
          viewport: viewport, picture: Size(width: 1_000 * factor, height: 700 * factor), at: .zero)
        return zoom
      }
      var instant = FrameInstant.zero
      for _ in 0..<20 {
        let active = Int.random(in: 0..<3, using: &random)
        let start = zooms[active].place(at: instant)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          zooms[active].zoom(
            bySteps: Double.random(in: -3...5, using: &random),
            around: Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random)), at: instant
          )
        case 1: zooms[active].zoom(to: .whole, around: nil, at: instant)
        default:
          zooms[active].move(
            .advance(by: .random(in: -300...300, using: &random)),
            .advance(by: .random(in: -300...300, using: &random)), at: instant)
        }
        link.record(items[active], from: start, to: zooms[active].place(at: instant))
        for _ in 0..<40 {
          let start = zooms[active].place(at: instant)
          instant = instant + .milliseconds(16)
          zooms[active].prepareFrame(at: instant)
          link.record(items[active], from: start, to: zooms[active].place(at: instant))
        }
        for index in 0..<3 where index != active { zooms[index].follow(link.place(of: items[index])) }
        let parts = zooms.map { $0.visiblePart(at: instant) ?? Rect(x: 0, y: 0, width: 1, height: 1) }
        for part in parts.dropFirst() {
          #expect((part.minX - parts[0].minX).magnitude < 0.01 && (part.minY - parts[0].minY).magnitude < 0.01)
          #expect((part.width - parts[0].width).magnitude < 0.01)
        }
      }
    }
  }
}
