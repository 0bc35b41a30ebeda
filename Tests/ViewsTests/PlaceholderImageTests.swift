import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A small picture stands in a picture's place from the first frame until the picture is there")
struct PlaceholderImageTests {
  @Test("It is stretched over the place in the frame that it came in, and gives way to the picture without a gap")
  func firstFrame() throws {
    let (stage, view) = ImageViewTests.stage()
    view.placeholderImage = try Bitmap.square(8, .white)
    stage.run(frames: 1)
    let command = try #require(stage.display.frames.last?.commands.first { $0.kind == .texture })
    #expect(command.destination == PixelRect(x: 0, y: 0, width: 40, height: 40) && command.source.width == 8)
    #expect(view.showsPlaceholderImage && !view.showsImage)
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    #expect(ImageViewTests.shown(stage) == [8, 8, 40])
    #expect(view.showsImage && !view.showsPlaceholderImage)
  }

  @Test("The picture of before is better: it stays until the next one is there")
  func last() throws {
    let (stage, view) = ImageViewTests.stage()
    view.image = try Bitmap.square(20, .white)
    stage.runUntilIdle()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    #expect(ImageViewTests.shown(stage) == [0, 20, 20, 40])
  }

  @Test("Taken away it leaves the surface, and where the picture is gone it is there again")
  func comesBack() throws {
    let (stage, view) = ImageViewTests.stage()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    view.image = nil
    stage.runUntilIdle()
    #expect(view.showsPlaceholderImage)
    view.placeholderImage = nil
    stage.runUntilIdle()
    #expect(!view.showsPlaceholderImage && !view.showsImage)
    #expect(ImageViewTests.shown(stage) == [8, 40, 8, 0])
  }

  @Test("Its texture goes at once when it is not needed")
  func released() throws {
    let (stage, view) = ImageViewTests.stage()
    for side in 4..<10 {
      view.placeholderImage = try Bitmap.square(side, .white)
      stage.runUntilIdle()
    }
    stage.run(frames: 1)
    #expect(stage.display.textureCounts.released == 5)
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    stage.run(frames: 1)
    #expect(stage.display.textureCounts.released == 6)
    #expect(stage.display.textureCounts.staleCommands == 0 && stage.display.textureCounts.invalidReleases == 0)
  }

  @Test("When the renderer has lost its textures it is made again before the picture is")
  func lostTextures() throws {
    let (stage, view) = ImageViewTests.stage()
    view.placeholderImage = try Bitmap.square(8, .white)
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    stage.resources.texturesWereLost()
    view.setNeedsDisplay()
    stage.runUntilIdle()
    #expect(ImageViewTests.shown(stage) == [8, 40, 8, 40])
    #expect(stage.display.textureCounts.staleCommands == 0)
  }
}
