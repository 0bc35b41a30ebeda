import DataStructures
import FramePacing
import Rendering
import ScrollPhysics
import Views

/// Carries out a scroll script: gives a scroll view the events that a hand would.
///
/// Script time begins with the first frame in which there is something to scroll, so that a script measures scrolling
/// and not the reading of a folder.
final class ScrollScriptDriver: FrameParticipant {
  private let script: ScrollScript
  private let scrollView: ScrollView
  private var random: SplitMix64
  private var direction = 1.0
  private var start: FrameInstant?
  private var nextStep = FrameInstant.distantPast
  private var steadyVelocity = 0.0
  /// The part of a mixed script that is carried out, and when that began.
  private var currentPart: (place: Int, start: FrameInstant)?
  /// Where the thumb is held, as a share of the way.
  private var thumbFraction: Double?

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
    let start = start ?? target
    if self.start == nil {
      self.start = target
      nextStep = target
    }
    guard script == .mixed else { return perform(script, since: start, at: target, range) }
    let parts = ScrollScript.mixedParts
    let place = Int((target - start).seconds / ScrollScript.mixedInterval) % parts.count
    if place != currentPart?.place { startPart(place, at: target) }
    perform(parts[place], since: currentPart?.start ?? start, at: target, range)
  }

  /// Another part of a mixed script begins, wherever the one before has left the content.
  private func startPart(_ place: Int, at target: FrameInstant) {
    if thumbFraction != nil { scrollView.applyScrollEvent(.thumbRelease, at: target) }
    scrollView.applyScrollEvent(.stop, at: target)
    thumbFraction = nil
    steadyVelocity = 0
    nextStep = target
    currentPart = (place, target)
  }

  private func perform(
    _ script: ScrollScript, since start: FrameInstant, at target: FrameInstant, _ range: ScrollRange
  ) {
    let offset = scrollView.scroll.offset(at: target)
    switch script {
    case .steady(let speed): scrollSteadily(speed, at: target, from: offset, in: range)
    case .flip(let speed):
      if isDue(target, every: ScrollScript.flipInterval), target > start { direction = -direction }
      scrollSteadily(speed, at: target, from: offset, in: range)
    case .flick(let speed):
      guard isDue(target, every: ScrollScript.flickInterval) else { return }
      scrollView.applyScrollEvent(
        .flick(velocity: boundedVelocity(speed, at: offset, in: range), accumulating: false), at: target)
    case .jump:
      guard isDue(target, every: ScrollScript.jumpInterval) else { return }
      scrollView.applyScrollEvent(.jump(to: range.minimum + random.nextFraction() * range.length), at: target)
    case .scrub:
      let fraction = ScrubTrajectory.fraction(at: (target - start).seconds)
      guard fraction != thumbFraction else { return }
      thumbFraction = fraction
      scrollView.applyScrollEvent(.thumbDrag(to: range.minimum + fraction * range.length), at: target)
    case .mixed: break
    }
  }

  /// Goes on with a velocity, which turns at the ends.
  private func scrollSteadily(_ speed: Double, at target: FrameInstant, from offset: Double, in range: ScrollRange) {
    let velocity = boundedVelocity(speed, at: offset, in: range)
    guard velocity != steadyVelocity || scrollView.scroll.phase(at: target) == .idle else { return }
    steadyVelocity = velocity
    scrollView.applyScrollEvent(.steady(velocity: velocity), at: target)
  }

  private func isDue(_ target: FrameInstant, every seconds: Double) -> Bool {
    guard target >= nextStep else { return false }
    // Steps that fell into a time without frames are left out, not made up for one a frame.
    repeat { nextStep = nextStep + .seconds(seconds) } while nextStep <= target
    return true
  }

  /// The velocity in the present direction, which turns at the ends.
  private func boundedVelocity(_ speed: Double, at offset: Double, in range: ScrollRange) -> Double {
    if offset >= range.maximum, speed * direction > 0 { direction = -direction }
    if offset <= range.minimum, speed * direction < 0 { direction = -direction }
    return speed * direction
  }
}
