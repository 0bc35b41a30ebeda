import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("What rests for long enough gives memory back, once, and what is on screen stays")
struct RestTests {
  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  @Test("It is time once after the last frame, however often it is asked, and again after the next frame")
  func watch() {
    var watch = IdleTimer()
    let pause = IdleTimer.timeout.seconds
    func isTime(_ seconds: Double) -> Bool { watch.fireIfDue(at: at(seconds)) }
    #expect(watch.due == nil)
    #expect(!isTime(1_000))
    watch.recordFrame(at: at(1))
    watch.recordFrame(at: at(2))
    #expect(watch.due == at(2 + pause))
    #expect(!isTime(1.9 + pause))
    #expect(isTime(2 + pause))
    #expect(watch.due == nil)
    #expect(!isTime(3 + pause))
    watch.recordFrame(at: at(100))
    #expect(!isTime(100))
    #expect(isTime(101 + pause))
  }

  @Test("Everybody who takes part in frames is told; textures that nobody shows go, without a frame")
  func window() throws {
    final class Holder: FrameParticipant {
      var told = 0
      func releaseIdleResources() { told += 1 }
    }
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    let (seen, ahead) = (try Bitmap.square(20, .white), try Bitmap.square(30, .black))
    view.image = seen
    let stage = WindowHarness(root: view)
    let holders = [Holder(), Holder(), Holder()]
    for holder in holders { stage.window.addParticipant(holder) }
    stage.resources.uploads.enqueuePrefetch(ahead)
    stage.run(frames: 3)
    stage.run(milliseconds: 100)
    let textures = stage.resources.textures
    #expect(textures.texture(for: seen) != nil && textures.texture(for: ahead) != nil)
    let before = stage.display.presentedFrames
    stage.window.releaseIdleResources()
    #expect(holders.allSatisfy { $0.told == 1 })
    #expect(textures.texture(for: seen) != nil && textures.texture(for: ahead) == nil)
    stage.run(milliseconds: 100)
    #expect(stage.display.presentedFrames == before && view.showsImage)
    // A simulated clock gives nothing back by itself, as a run is to repeat.
    stage.run(milliseconds: 60_000)
    #expect(holders.allSatisfy { $0.told == 1 })
  }

  @Test("Textures that nobody shows are bounded by screens of the window, and by what all may take")
  func idleTextures() throws {
    let small = try #require(PixelSize(width: 1_280, height: 800))
    let large = try #require(PixelSize(width: 3_840, height: 2_160))
    let tiny = try #require(PixelSize(width: 4, height: 4))
    #expect(TextureCache.idleByteLimit(screen: small) == 5 * 1_280 * 800 * 4)
    #expect(TextureCache.idleByteLimit(screen: large) == TextureCache.maximumIdleBytes)
    #expect(TextureCache.idleByteLimit(screen: tiny) == 10 << 20)
  }
}
