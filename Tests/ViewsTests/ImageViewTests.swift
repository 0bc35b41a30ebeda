import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("ImageView keeps its image until the next one can be displayed")
struct ImageViewTests {
  static let surface = Color(hex: 0x112233)
  private static let movement = Movement()

  /// - Parameter isMoving: Whether content moves, so that uploads are shown in the next frame. Default: true.
  static func makeHarness(isMoving: Bool = true) -> (WindowHarness, ImageView) {
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 40, height: 40))
    view.placeholderColor = surface
    let root = View()
    root.addSubview(view)
    let harness = WindowHarness(root: root, size: Size(width: 40, height: 40))
    if isMoving { harness.window.addParticipant(movement) }
    return (harness, view)
  }

  /// Content that moves, so that no frame waits for an upload.
  private final class Movement: FrameParticipant {
    var isTracked: Bool { true }
    var needsFrames: Bool { false }
  }

  /// Returns the width of the image in each frame, or 0 if the frame showed the placeholder color.
  static func displayedWidths(_ harness: WindowHarness) -> [Int32] {
    harness.display.frames.map { frame in
      frame.commands.first { $0.kind == .texture }.map { $0.source.width } ?? 0
    }
  }

  @Test("At rest an image is shown in its first frame")
  func rest() throws {
    let (harness, view) = Self.makeHarness(isMoving: false)
    view.image = try Bitmap.square(20, .white)
    #expect(harness.runUntilIdle() == 1 && view.showsImage)
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    #expect(harness.runUntilIdle() == 1)
    #expect(Self.displayedWidths(harness) == [20, 40])
  }

  @Test("A view that is laid out when a texture arrives knows that the image is shown")
  func layoutAfterArrival() throws {
    final class Cover: View {
      let image = ImageView(frame: Rect(x: 0, y: 0, width: 40, height: 40))
      var knowsImage = false
      override func layoutSubviews() { knowsImage = image.showsImage }
      override func textureDidArrive() {
        setNeedsLayout()
        super.textureDidArrive()
      }
    }
    let cover = Cover(frame: Rect(x: 0, y: 0, width: 40, height: 40))
    cover.addSubview(cover.image)
    let root = View()
    root.addSubview(cover)
    let harness = WindowHarness(root: root, size: Size(width: 40, height: 40))
    cover.image.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    #expect(cover.knowsImage)
  }

  @Test("The previous image remains until the next one has a texture")
  func replacement() throws {
    let (harness, view) = Self.makeHarness()
    view.image = try Bitmap.square(20, .white)
    harness.runUntilIdle()
    view.image = try Bitmap.square(30, .white)
    view.image = try Bitmap.square(40, .white)
    harness.run(frames: 1)
    #expect(view.showsImage)
    harness.runUntilIdle()
    #expect(Self.displayedWidths(harness) == [0, 20, 20, 40])
    #expect(view.showsImage)
  }

  @Test("Setting nil removes the image immediately and permanently")
  func removedImage() throws {
    let (harness, view) = Self.makeHarness()
    view.image = try Bitmap.square(20, .white)
    harness.runUntilIdle()
    view.image = nil
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    #expect(Self.displayedWidths(harness) == [0, 20, 0, 40])
    view.image = nil
    harness.runUntilIdle()
    #expect(Self.displayedWidths(harness).last == 0)
    #expect(!view.showsImage)
  }

  @Test("Replaced images release their textures")
  func released() throws {
    let (harness, view) = Self.makeHarness()
    harness.resources.textures.idleByteLimit = 0
    for side in 20..<30 {
      view.image = try Bitmap.square(side, .white)
      harness.runUntilIdle()
    }
    harness.run(frames: 2)
    #expect(harness.display.textureCounts.released == 9)
    #expect(harness.display.textureCounts.staleCommands == 0)
    #expect(harness.display.textureCounts.invalidReleases == 0)
  }
}

@Suite("ImageView displays a placeholder image until its image has a texture")
struct PlaceholderImageTests {
  @Test("The placeholder image is scaled to the bounds in its first frame and replaced without a gap")
  func firstFrame() throws {
    let (harness, view) = ImageViewTests.makeHarness()
    view.placeholderImage = try Bitmap.square(8, .white)
    harness.run(frames: 1)
    let command = try #require(harness.display.frames.last?.commands.first { $0.kind == .texture })
    #expect(command.destination == PixelRect(x: 0, y: 0, width: 40, height: 40) && command.source.width == 8)
    #expect(view.showsPlaceholderImage && !view.showsImage)
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    #expect(ImageViewTests.displayedWidths(harness) == [8, 8, 40])
    #expect(view.showsImage && !view.showsPlaceholderImage)
  }

  @Test("A previous image takes precedence over the placeholder image")
  func previousImage() throws {
    let (harness, view) = ImageViewTests.makeHarness()
    view.image = try Bitmap.square(20, .white)
    harness.runUntilIdle()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    #expect(ImageViewTests.displayedWidths(harness) == [0, 20, 20, 40])
  }

  @Test("The placeholder image returns when the image is removed, and its removal leaves the placeholder color")
  func removal() throws {
    let (harness, view) = ImageViewTests.makeHarness()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    view.image = nil
    harness.runUntilIdle()
    #expect(view.showsPlaceholderImage)
    view.placeholderImage = nil
    harness.runUntilIdle()
    #expect(!view.showsPlaceholderImage && !view.showsImage)
    #expect(ImageViewTests.displayedWidths(harness) == [8, 40, 8, 0])
  }

  @Test("The texture of an unused placeholder image is released immediately")
  func released() throws {
    let (harness, view) = ImageViewTests.makeHarness()
    for side in 4..<10 {
      view.placeholderImage = try Bitmap.square(side, .white)
      harness.runUntilIdle()
    }
    harness.run(frames: 1)
    #expect(harness.display.textureCounts.released == 5)
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    harness.run(frames: 1)
    #expect(harness.display.textureCounts.released == 6)
    #expect(harness.display.textureCounts.staleCommands == 0 && harness.display.textureCounts.invalidReleases == 0)
  }

  @Test("After the loss of textures the placeholder image is uploaded before the image")
  func lostTextures() throws {
    let (harness, view) = ImageViewTests.makeHarness()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    harness.runUntilIdle()
    harness.resources.texturesWereLost()
    view.setNeedsDisplay()
    harness.runUntilIdle()
    #expect(ImageViewTests.displayedWidths(harness) == [8, 40, 8, 40])
    #expect(harness.display.textureCounts.staleCommands == 0)
  }
}
