import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A picture gives way to the next one, and never to nothing meanwhile")
struct ImageViewTests {
  static let surface = Color(hex: 0x112233)

  static func stage() -> (WindowHarness, ImageView) {
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 40, height: 40))
    view.placeholderColor = surface
    let root = View()
    root.addSubview(view)
    return (WindowHarness(root: root, size: Size(width: 40, height: 40)), view)
  }

  /// What each frame showed: the side of the picture, or 0 for the surface.
  static func shown(_ stage: WindowHarness) -> [Int32] {
    stage.display.frames.map { frame in
      frame.commands.first { $0.kind == .texture }.map { $0.source.width } ?? 0
    }
  }

  @Test("The last picture stays until the next one is a texture, however many come")
  func exchange() throws {
    let (stage, view) = Self.stage()
    view.image = try Bitmap.square(20, .white)
    stage.runUntilIdle()
    view.image = try Bitmap.square(30, .white)
    view.image = try Bitmap.square(40, .white)
    stage.run(frames: 1)
    #expect(view.showsImage)
    stage.runUntilIdle()
    #expect(Self.shown(stage) == [0, 20, 20, 40])
    #expect(view.showsImage)
  }

  @Test("Nothing takes the last picture away at once, and it does not come back")
  func nothing() throws {
    let (stage, view) = Self.stage()
    view.image = try Bitmap.square(20, .white)
    stage.runUntilIdle()
    view.image = nil
    view.image = try Bitmap.square(40, .white)
    stage.runUntilIdle()
    #expect(Self.shown(stage) == [0, 20, 0, 40])
    view.image = nil
    stage.runUntilIdle()
    #expect(Self.shown(stage).last == 0)
    #expect(!view.showsImage)
  }

  @Test("Pictures that gave way are let go of")
  func released() throws {
    let (stage, view) = Self.stage()
    stage.resources.textures.idleByteLimit = 0
    for side in 20..<30 {
      view.image = try Bitmap.square(side, .white)
      stage.runUntilIdle()
    }
    stage.run(frames: 2)
    #expect(stage.display.textureCounts.released == 9)
    #expect(stage.display.textureCounts.staleCommands == 0)
    #expect(stage.display.textureCounts.invalidReleases == 0)
  }
}
