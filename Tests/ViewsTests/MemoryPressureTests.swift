import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("When memory is short, everybody lets go of what can be had again, between frames")
struct MemoryPressureTests {
  final class Hoarder: FrameParticipant {
    var told: [FrameInstant] = []
    let clock: SimulatedClock
    init(_ clock: SimulatedClock) { self.clock = clock }
    func handleMemoryPressure() { told.append(clock.now()) }
  }

  /// Says once, at an instant, that memory is short.
  private func press(_ stage: WindowHarness, at instant: FrameInstant) {
    var isTold = false
    let clock = stage.clock
    stage.loop.isMemoryLow = {
      guard !isTold, clock.now() >= instant else { return false }
      isTold = true
      return true
    }
  }

  @Test("All participants are told once, and the loop rests again")
  func told() {
    let stage = WindowHarness(root: View())
    let hoarders = [Hoarder(stage.clock), Hoarder(stage.clock)]
    for hoarder in hoarders { stage.window.addParticipant(hoarder) }
    stage.run(milliseconds: 100)
    press(stage, at: stage.clock.now())
    stage.run(milliseconds: 100)
    #expect(hoarders.allSatisfy { $0.told.count == 1 })
    #expect(stage.display.presentedFrames == 1, "there was nothing to give back")
  }

  @Test("A window that cannot be seen lets go too")
  func hidden() {
    let stage = WindowHarness(root: View())
    let hoarder = Hoarder(stage.clock)
    stage.window.addParticipant(hoarder)
    stage.run(milliseconds: 100)
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 100)
    press(stage, at: stage.clock.now())
    stage.run(milliseconds: 100)
    #expect(hoarder.told.count == 1)
  }

  @Test("Textures that nobody shows go, those that are seen stay, and one more frame gives the memory back")
  func textures() throws {
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    let seen = try Bitmap.square(20, .white)
    let ahead = try Bitmap.square(30, Color(hex: 0x336699))
    view.image = seen
    let stage = WindowHarness(root: view)
    stage.resources.uploads.enqueuePrefetch(ahead)
    stage.run(frames: 3)
    let textures = stage.resources.textures
    #expect(textures.texture(for: seen) != nil && textures.texture(for: ahead) != nil)
    stage.run(milliseconds: 100)
    let before = stage.display.presentedFrames
    press(stage, at: stage.clock.now())
    stage.run(milliseconds: 100)
    #expect(textures.texture(for: seen) != nil && textures.texture(for: ahead) == nil)
    #expect(stage.display.presentedFrames == before + 1)
    #expect(view.showsImage)
    #expect(textures.upload(ahead) != nil && textures.texture(for: ahead) != nil, "as many are kept as before")
  }
}
