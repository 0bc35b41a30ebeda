import DataStructures
import FramePacing
import Rendering
import ScrollPhysics
import Views

/// Carries out a scroll script: gives a scroll view the events that a hand would.
///
/// Script time begins with the first frame in which there is something to scroll, so that a script measures scrolling
/// and not the reading of a folder.
final class ScriptDriver: FrameParticipant {
  private let script: ScrollScript
  private let scrollView: ScrollView
  private var random: SplitMix64
  private var direction = 1.0
  private var start: FrameInstant?
  private var nextStep = FrameInstant.distantPast
  private var steadyVelocity = 0.0

  init(_ script: ScrollScript, scrollView: ScrollView, seed: UInt64) {
    self.script = script
    self.scrollView = scrollView
    random = SplitMix64(seed: seed)
  }

  /// A script scrolls until the run ends.
  var needsFrames: Bool { true }
  var isTracked: Bool { start != nil }

  func update(at target: FrameInstant) {
    let range = scrollView.scroll.range
    guard range.length > 0 else { return }
    if start == nil {
      start = target
      nextStep = target
    }
    let offset = scrollView.scroll.offset(at: target)
    switch script {
    case .steady(let speed):
      let velocity = turned(speed, at: offset, in: range)
      if velocity != steadyVelocity || scrollView.scroll.phase(at: target) == .idle {
        steadyVelocity = velocity
        scrollView.act(.steady(velocity: velocity), at: target)
      }
    case .flick(let speed):
      guard isDue(target, every: ScrollScript.flickInterval) else { return }
      scrollView.act(.flick(velocity: turned(speed, at: offset, in: range), accumulating: false), at: target)
    case .jump:
      guard isDue(target, every: ScrollScript.jumpInterval) else { return }
      scrollView.act(.jump(to: range.minimum + random.nextFraction() * range.length), at: target)
    }
  }

  private func isDue(_ target: FrameInstant, every seconds: Double) -> Bool {
    guard target >= nextStep else { return false }
    // Steps that fell into a time without frames are left out, not made up for one a frame.
    repeat { nextStep = nextStep + .seconds(seconds) } while nextStep <= target
    return true
  }

  /// The velocity in the present direction, which turns at the ends.
  private func turned(_ speed: Double, at offset: Double, in range: ScrollRange) -> Double {
    if offset >= range.maximum, speed * direction > 0 { direction = -direction }
    if offset <= range.minimum, speed * direction < 0 { direction = -direction }
    return speed * direction
  }
}
