import FramePacing

/// How far a viewer has faded in, or out again: a function of time.
nonisolated struct ViewerFade: Hashable, Sendable {
  /// How long it takes.
  static let duration = FrameDuration.milliseconds(160)

  private var start: FrameInstant?
  private var startOpacity = 0.0
  private var endOpacity = 1.0
  private let isInstant: Bool

  /// Begins to fade in.
  ///
  /// - Parameter isInstant: whether it is there at once, as motion is reduced.
  init(isInstant: Bool) { self.isInstant = isInstant }

  /// Fades out from where it is.
  mutating func fadeOut(at instant: FrameInstant) {
    startOpacity = opacity(at: instant)
    endOpacity = 0
    start = instant
  }

  /// The first frame that shows it begins its course.
  mutating func startIfNeeded(at instant: FrameInstant) { if start == nil { start = instant } }

  /// Whether it is on its way to be gone.
  var isClosing: Bool { endOpacity == 0 }

  /// How much of it is seen, 0 to 1: fast at first, and slower near the end.
  func opacity(at instant: FrameInstant) -> Double {
    if isInstant { return endOpacity }
    guard let start else { return startOpacity }
    let share = min(1, max(0, (instant - start).seconds / ViewerFade.duration.seconds))
    let eased = 1 - (1 - share) * (1 - share)
    return startOpacity + (endOpacity - startOpacity) * eased
  }

  /// Whether it changes after an instant.
  func isRunning(at instant: FrameInstant) -> Bool { opacity(at: instant) != endOpacity }
}
