import FramePacing

/// Whether anybody can see a window, by what the window system tells and by what presenting does.
struct Occlusion: Sendable {
  /// How long nothing is drawn of a window whose presents were held back, until one is tried again.
  static let patience = FrameDuration.seconds(1)

  /// Whether the window system says that it is hidden.
  var isHidden = false
  /// When one more present is tried, where presents were held back.
  private(set) var nextTrial: FrameInstant?
  /// Whether the frame that is made is such a trial.
  private(set) var isTrial = false

  /// Whether nothing is to be drawn.
  var holds: Bool { isHidden || nextTrial != nil }

  /// Whether it is time to try.
  func wantsTrial(at now: FrameInstant) -> Bool { !isHidden && nextTrial.map { $0 <= now } ?? false }

  /// Presents are held back.
  mutating func hold(at instant: FrameInstant) {
    nextTrial = instant + Occlusion.patience
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
    if isHeldBack { hold(at: instant) }
  }
}
