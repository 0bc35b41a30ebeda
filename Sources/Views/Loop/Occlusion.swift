import FramePacing

/// Whether anybody can see a window, by what the window system tells and by what presenting does.
struct Occlusion: Sendable {
  /// How long nothing is drawn of a window whose presents were held back, until one is tried again.
  static let trialInterval = FrameDuration.seconds(1)

  /// Whether the window system says that it is hidden.
  var isHidden = false
  /// When one more present is tried, where presents were held back.
  private(set) var nextTrial: FrameInstant?
  /// Whether the frame that is made is such a trial.
  private(set) var isTrial = false

  /// Whether nothing is to be drawn.
  var isOccluded: Bool { isHidden || nextTrial != nil }

  /// Whether it is time to try.
  func isTrialDue(at now: FrameInstant) -> Bool { !isHidden && nextTrial.map { $0 <= now } ?? false }

  /// Presents are held back.
  mutating func suspendPresenting(at instant: FrameInstant) {
    nextTrial = instant + Occlusion.trialInterval
    isTrial = false
  }

  /// A present is tried again.
  mutating func beginTrial() {
    nextTrial = nil
    isTrial = true
  }

  /// The trial's present returned.
  ///
  /// - Parameter isHeldBack: whether it was held back as those before.
  mutating func endTrial(at instant: FrameInstant, isHeldBack: Bool) {
    guard isTrial else { return }
    isTrial = false
    if isHeldBack { suspendPresenting(at: instant) }
  }
}
