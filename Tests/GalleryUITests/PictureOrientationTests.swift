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

@Suite("Pictures are turned in the viewer")
struct PictureOrientationTests {
  /// The orientations that two or fewer changes reach: all eight.
  private static let orientations: [PictureOrientation] = (0..<8).map { index in
    var orientation = PictureOrientation()
    if index >= 4 { orientation.flipHorizontally() }
    orientation.rotate(byQuarterTurns: index % 4)
    return orientation
  }

  /// Returns a bitmap of letters, a line for each row.
  private func bitmap(_ rows: [String]) throws -> Bitmap {
    let size = try #require(PixelSize(width: rows[0].utf8.count, height: rows.count))
    return try Bitmap(size: size, isOpaque: true) { pixels in
      for (index, letter) in rows.joined().utf8.enumerated() {
        pixels.storeBytes(of: UInt32(letter) | 0xFF00_0000, toByteOffset: 4 * index, as: UInt32.self)
      }
    }
  }

  private func rows(_ bitmap: Bitmap?) -> [String] {
    guard let bitmap else { return [] }
    return bitmap.withPixels { pixels in
      (0..<bitmap.size.height).map { y in
        String(
          decoding: (0..<bitmap.size.width).map { pixels[y * bitmap.bytesPerRow + 4 * $0] }, as: UTF8.self)
      }
    }
  }

  @Test("A rotation and a flip turn what is displayed, whatever was done before")
  func changes() throws {
    let picture = try bitmap(["abc", "def"])
    var orientation = PictureOrientation.up
    orientation.rotate(byQuarterTurns: 1)
    #expect(rows(picture.turned(to: orientation)) == ["da", "eb", "fc"])
    orientation.flipHorizontally()
    #expect(rows(picture.turned(to: orientation)) == ["ad", "be", "cf"])
    orientation.flipVertically()
    #expect(rows(picture.turned(to: orientation)) == ["cf", "be", "ad"])
    orientation.rotate(byQuarterTurns: -1)
    #expect(rows(picture.turned(to: orientation)) == ["fed", "cba"])
    orientation.rotate(byQuarterTurns: 2)
    #expect(orientation == .up && rows(picture.turned(to: orientation)) == ["abc", "def"])
  }

  @Test("Each orientation has four rotations and two flips that return to it, and points follow the pixels")
  func group() throws {
    let picture = try bitmap(["abcde", "fghij", "klmno"])
    for orientation in PictureOrientationTests.orientations {
      var changed = orientation
      for turn in 1...4 {
        changed.rotate(byQuarterTurns: 1)
        #expect((changed == orientation) == (turn == 4))
      }
      for flip in [{ $0.flipHorizontally() }, { $0.flipVertically() }] as [(inout PictureOrientation) -> Void] {
        flip(&changed)
        #expect(changed != orientation && rows(picture.turned(to: changed)) != rows(picture.turned(to: orientation)))
        flip(&changed)
        #expect(changed == orientation)
      }
      let turned = rows(picture.turned(to: orientation))
      // The center of the pixel “i”.
      let point = orientation.displayedPoint(of: Point(x: 3.5 / 5, y: 0.5))
      let row = turned[Int(point.y * Double(turned.count))]
      #expect(Array(row)[Int(point.x * Double(row.count))] == "i")
      let back = orientation.picturePoint(at: point)
      #expect((back.x - 0.7).magnitude < 1e-9 && (back.y - 0.5).magnitude < 1e-9)
      // The pixels “hi” and “mn” below them.
      let region = orientation.displayedRegion(of: PixelRect(x: 2, y: 1, width: 2, height: 2), in: picture.size)
      let letters = (region.y..<region.maxY).flatMap { y in
        (region.x..<region.maxX).map { Array(turned[Int(y)])[Int($0)] }
      }
      #expect(letters.sorted() == ["h", "i", "m", "n"])
      let size = orientation.size(of: picture.size)
      let part = orientation.picturePart(
        at: Rect(
          x: Double(region.x) / Double(size.width), y: Double(region.y) / Double(size.height),
          width: Double(region.width) / Double(size.width), height: Double(region.height) / Double(size.height)))
      #expect((part.minX - 0.4).magnitude < 1e-9 && (part.maxX - 0.8).magnitude < 1e-9)
      #expect((part.minY - 1 / 3).magnitude < 1e-9 && (part.maxY - 1).magnitude < 1e-9)
    }
    #expect(Set(PictureOrientationTests.orientations.map { rows(picture.turned(to: $0)) }).count == 8)
  }

  @Test("A bitmap that is larger than the squares in which it is copied is turned completely")
  func large() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let source = (0..<71).map { y in String((0..<45).map { letters[(7 * y + 3 * $0) % 26] }) }
    let picture = try bitmap(source)
    let columns = (0..<45).map { x in String(source.reversed().map { Array($0)[x] }) }
    var orientation = PictureOrientation.up
    orientation.rotate(byQuarterTurns: 1)
    #expect(rows(picture.turned(to: orientation)) == columns)
  }

  @Test("Until a bitmap has been turned on the thread, the picture is shown in its last orientation")
  func pending() throws {
    let controller = PictureOrientationController(thread: ArrangementThread(waitsForResults: true) {})
    let item = PhotoID(rawValue: 1)
    let overview = try bitmap(["abc", "def"])
    var content = PictureView.Content(item: item, size: overview.size)
    (content.overview, content.picture) = (overview, overview)
    #expect(controller.turned(content).orientation == .up && !controller.hasPendingResult)
    controller.changeOrientation(of: item) { $0.rotate(byQuarterTurns: 1) }
    #expect(controller.turned(content).picture === overview && controller.turned(content).orientation == .up)
    #expect(controller.hasPendingResult && controller.collect())
    let turned = controller.turned(content)
    #expect(turned.orientation.quarterTurns == 1 && turned.size == overview.size.transposed)
    #expect(rows(turned.picture) == ["da", "eb", "fc"] && turned.overview === turned.picture)
    // Its own pixels arrive: until they are turned, the turned picture is stretched.
    content.picture = try bitmap(["aabbcc", "aabbcc", "ddeeff", "ddeeff"])
    #expect(controller.turned(content).picture === turned.picture)
    #expect(controller.collect() && rows(controller.turned(content).picture).first == "ddaa")
    controller.changeOrientation(of: item) { $0.rotate(byQuarterTurns: -1) }
    #expect(controller.turned(content).picture === content.picture && !controller.hasPendingResult)
  }

  // MARK: - In the viewer

  /// A gallery of pictures of 1,600 x 1,200 pixels in a window of 640 x 480, of which the first one is open.
  private func makeGallery(_ thread: ArrangementThread? = nil) throws -> GalleryFixture {
    let feed = FakeFeed()
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 1_600, height: 1_200))
    feed.appendBatch(feed.photos(5), FakeFeed.headers(0, [ImageHeader](repeating: header, count: 5)), FakeFeed.end)
    // Decoded pictures have the shape of the file, as those of decoding processes.
    let gallery = try GalleryFixture(feed, arrangementThread: thread) { request in
      var key = request.key
      let share = min(1, Double(key.size.width) / 1_600, Double(key.size.height) / 1_200)
      key.size = PixelSize(width: Int(1_600 * share), height: Int(1_200 * share)) ?? key.size
      return GatedDecoder.generatedImage(for: key)
    }
    gallery.harness.runUntilIdle()
    press(gallery, .right)
    press(gallery, .enter)
    return gallery
  }

  private func press(_ gallery: GalleryFixture, _ key: Key) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
  }

  private func type(_ gallery: GalleryFixture, _ text: Character) {
    gallery.type(String(text), milliseconds: 0)
    gallery.harness.runUntilIdle()
  }

  /// The frame of the picture in the last frame, and the size of its texture.
  private func picture(_ gallery: GalleryFixture) throws -> (frame: PixelRect, texture: PixelRect) {
    let commands = try #require(gallery.harness.display.frames.last?.commands)
    let command = try #require(commands.first { $0.kind == .texture && max($0.source.width, $0.source.height) >= 480 })
    return (command.destination, command.source)
  }

  @Test("R rotates the picture, which is then decoded for its new shape, Shift+R back, on a thread or without one")
  func rotation() throws {
    for thread in [nil, ArrangementThread(waitsForResults: true) {}] {
      let gallery = try makeGallery(thread)
      #expect(try picture(gallery).frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
      type(gallery, "r")
      #expect(try picture(gallery).frame == PixelRect(x: 140, y: 0, width: 360, height: 480))
      #expect(try picture(gallery).texture == PixelRect(x: 0, y: 0, width: 360, height: 480))
      type(gallery, "R")
      #expect(try picture(gallery).frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
      type(gallery, "R")
      #expect(try picture(gallery).frame.width == 360)
    }
  }

  @Test("A rotated picture is enlarged and moved as others: its own pixels, what was in the center, and the navigator")
  func enlarged() throws {
    let gallery = try makeGallery()
    let viewer = try #require(gallery.screen.viewer.state?.view)
    type(gallery, "1")
    viewer.changeZoom { $0.center(on: Point(x: 0.25, y: 0.5), at: $1) }
    gallery.harness.runUntilIdle()
    type(gallery, "r")
    #expect(viewer.zoom.targetMagnification == 1 && viewer.zoom.pictureSize == Size(width: 1_200, height: 1_600))
    // The left half of the picture is now its upper half.
    #expect(try picture(gallery).frame == PixelRect(x: -280, y: -160, width: 1_200, height: 1_600))
    #expect(try picture(gallery).texture == PixelRect(x: 0, y: 0, width: 1_200, height: 1_600))
    let navigator = try #require(viewer.subviews.lazy.compactMap { $0 as? PictureNavigator }.first)
    #expect(!navigator.isHidden && navigator.frame.size == Size(width: 120, height: 160))
    type(gallery, "0")
    #expect(try picture(gallery).frame.width == 360 && navigator.isHidden)
  }

  @Test("Each picture keeps its orientation while the viewer is open, and the menu flips")
  func kept() throws {
    let gallery = try makeGallery()
    type(gallery, "r")
    press(gallery, .right)
    #expect(try picture(gallery).frame.width == 640)
    press(gallery, .left)
    #expect(try picture(gallery).frame.width == 360)
    let titles = ["Rotate right", "Rotate left", "Flip horizontally", "Flip vertically"]
    let entries = gallery.screen.menu(of: .picture, selectedCount: 1).actions.filter { titles.contains($0.title) }
    #expect(entries.map(\.title) == titles && entries.allSatisfy { $0.isEnabled })
    for entry in entries { entry.handler() }
    gallery.harness.runUntilIdle()
    let item = try #require(gallery.screen.viewer.openItem)
    var expected = PictureOrientation.up
    expected.rotate(byQuarterTurns: -1)
    #expect(gallery.screen.viewer.orientation.orientation(of: item) == expected, "two flips are half a turn")
    press(gallery, .escape)
    press(gallery, .enter)
    #expect(try picture(gallery).frame.width == 640, "the file is unchanged")
  }
}
