import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("At rest the loop wakes when somebody has waited, and not before")
struct WakeTests {
  /// Waits for instants, one after the other.
  final class Waiter: FrameParticipant {
    var instants: [FrameInstant]
    var frames: [FrameInstant] = []

    init(_ milliseconds: [Double]) { instants = milliseconds.map { .zero + .milliseconds($0) } }

    var nextFrame: FrameInstant? { instants.first }
    func update(at target: FrameInstant) {
      guard let next = instants.first, next <= target else { return }
      instants.removeFirst()
      frames.append(target)
    }
  }

  @Test("A frame for each instant, the first that is shown after it, and none between")
  func frames() {
    let stage = WindowHarness(root: View())
    let waiter = Waiter([100, 700, 701])
    stage.window.addParticipant(waiter)
    stage.run(milliseconds: 5_000)
    #expect(waiter.instants.isEmpty)
    let late = zip(waiter.frames, [100, 700, 701]).map { $0.0 - (FrameInstant.zero + .milliseconds($0.1)) }
    #expect(late.allSatisfy { $0 >= .zero && $0 < .milliseconds(40) })
    #expect(stage.display.presentedFrames <= 4)
    let rested = stage.display.presentedFrames
    stage.run(milliseconds: 5_000)
    #expect(stage.display.presentedFrames == rested)
  }

  @Test("While nothing of the window is seen nobody is woken, and then all who waited are")
  func hidden() {
    let stage = WindowHarness(root: View())
    let waiter = Waiter([100])
    stage.window.addParticipant(waiter)
    stage.run(frames: 1)
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 1_000)
    #expect(waiter.frames.isEmpty)
    stage.sendEvent(.shown)
    stage.run(milliseconds: 1_000)
    #expect(waiter.frames.count == 1)
  }
}
