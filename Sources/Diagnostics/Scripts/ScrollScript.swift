import VitrineDataStructures
import VitrineFramePacing
public import VitrineHosting
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// A script that scrolls from the first frame to the end of the run.
public enum ScrollScript: Hashable, Sendable {
  /// Scrolls at a constant speed in points per second and turns at the ends.
  case steady(speed: Double)
  /// Flicks at a speed in points per second every 1.5 seconds and turns at the ends.
  case flick(speed: Double)
  /// Scrolls at a constant speed in points per second and reverses the direction every half second.
  case flip(speed: Double)
  /// Jumps to a random offset every half second.
  case jump
  /// Drags the scroll bar's thumb to the end and back every 4 seconds, with three pauses.
  case scrub
  /// Repeats two seconds of each of ``mixedParts``.
  case mixed

  /// The seconds between two flicks.
  public static let flickInterval = 1.5
  /// The seconds between two reversals.
  public static let flipInterval = 0.5
  /// The seconds between two jumps.
  public static let jumpInterval = 0.5
  /// The seconds of each part of ``mixed``.
  public static let mixedInterval = 2.0
  /// The parts of ``mixed``.
  public static let mixedParts: [ScrollScript] = [
    .steady(speed: 3_000), .flick(speed: 3_000), .flip(speed: 3_000), .jump, .scrub,
  ]

  /// Parses a script such as `flick:8000`.
  ///
  /// - Throws: `UsageError` that lists the accepted scripts.
  public init(_ text: String) throws(UsageError) {
    let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (pieces[0], pieces.count) {
    case ("steady", 2): self = .steady(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("flick", 2): self = .flick(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("flip", 2): self = .flip(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("jump", 1): self = .jump
    case ("scrub", 1): self = .scrub
    case ("mixed", 1): self = .mixed
    default:
      throw UsageError(
        """
        --scroll \(text): accepted are steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed and FILE.json, such as \
        flick:8000
        """)
    }
  }

  private static func speed(_ text: String, of script: String) throws(UsageError) -> Double {
    if let speed = Double(text), speed.isFinite, speed != 0, abs(speed) <= 1e7 { return speed }
    throw UsageError(
      "--scroll \(script): SPEED is a number of points per second, at most 10000000 either way, not 0, such as 8000")
  }
}

/// A frame participant that performs a scroll script by sending input to a scroll view.
///
/// The script starts with the first frame in which there is content to scroll, so that it measures scrolling and not
/// the reading of a folder.
final class ScrollScriptDriver: FrameParticipant {
  private let script: ScrollScript
  private let scrollView: ScrollView
  private var random: SplitMix64
  private var direction = 1.0
  private var start: FrameInstant?
  private var nextStep = FrameInstant.distantPast
  private var steadyVelocity = 0.0
  /// The current part of a mixed script, and its start.
  private var currentPart: (index: Int, start: FrameInstant)?
  /// The position of the thumb, 0 to 1.
  private var thumbFraction: Double?

  init(_ script: ScrollScript, scrollView: ScrollView, seed: UInt64) {
    self.script = script
    self.scrollView = scrollView
    random = SplitMix64(seed: seed)
  }

  /// The script runs until the run ends.
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
    let index = Int((target - start).seconds / ScrollScript.mixedInterval) % parts.count
    if index != currentPart?.index { startPart(index, at: target) }
    perform(parts[index], since: currentPart?.start ?? start, at: target, range)
  }

  /// Starts a part of a mixed script at the current offset.
  private func startPart(_ index: Int, at target: FrameInstant) {
    if thumbFraction != nil { scrollView.applyScrollEvent(.thumbRelease, at: target) }
    scrollView.applyScrollEvent(.stop, at: target)
    thumbFraction = nil
    steadyVelocity = 0
    nextStep = target
    currentPart = (index, target)
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

  /// Scrolls at a constant velocity that reverses at the ends.
  private func scrollSteadily(_ speed: Double, at target: FrameInstant, from offset: Double, in range: ScrollRange) {
    let velocity = boundedVelocity(speed, at: offset, in: range)
    guard velocity != steadyVelocity || scrollView.scroll.phase(at: target) == .idle else { return }
    steadyVelocity = velocity
    scrollView.applyScrollEvent(.steady(velocity: velocity), at: target)
  }

  private func isDue(_ target: FrameInstant, every seconds: Double) -> Bool {
    guard target >= nextStep else { return false }
    // Steps that were due while there were no frames are skipped.
    repeat { nextStep = nextStep + .seconds(seconds) } while nextStep <= target
    return true
  }

  /// Returns the velocity in the current direction, which reverses at the ends.
  private func boundedVelocity(_ speed: Double, at offset: Double, in range: ScrollRange) -> Double {
    if offset >= range.maximum, speed * direction > 0 { direction = -direction }
    if offset <= range.minimum, speed * direction < 0 { direction = -direction }
    return speed * direction
  }
}

/// The position of the scroll bar's thumb in a scrub script: to the end and back in 4 seconds, with pauses halfway, at
/// the end, and halfway back.
private enum ScrubTrajectory {
  /// The keyframes, between which the thumb moves linearly.
  private static let keyframes: [(seconds: Double, fraction: Double)] = [
    (0, 0), (0.75, 0.5), (1, 0.5), (1.75, 1), (2.25, 1), (3, 0.5), (3.25, 0.5), (4, 0),
  ]

  /// Returns the position, 0 to 1, at a time in seconds.
  static func fraction(at seconds: Double) -> Double {
    let time = max(0, seconds).truncatingRemainder(dividingBy: 4)
    for (from, to) in zip(keyframes, keyframes.dropFirst()) where time < to.seconds {
      return from.fraction + (to.fraction - from.fraction) * (time - from.seconds) / (to.seconds - from.seconds)
    }
    return 0
  }
}
