import VitrineFramePacing

/// The change from one picture to the next by their opacities, as a function of time.
///
/// The next picture is drawn over the last one and becomes opaque. What the last one shows beside it fades in the second
/// half, so that the pictures never become darker where they overlap.
nonisolated struct CrossFade: Hashable, Sendable {
  /// The duration of the change.
  static let duration = FrameDuration.milliseconds(700)

  private var start: FrameInstant?

  /// Starts the change in the first frame that shows it.
  mutating func startIfNeeded(at instant: FrameInstant) { if start == nil { start = instant } }

  /// Returns the completed part of the change, 0 to 1.
  private func share(at instant: FrameInstant) -> Double {
    guard let start else { return 0 }
    return min(1, max(0, (instant - start).seconds / CrossFade.duration.seconds))
  }

  /// Returns the opacity of the next picture, 0 to 1, which starts and ends slowly.
  func nextOpacity(at instant: FrameInstant) -> Double {
    let share = share(at: instant)
    return share * share * (3 - 2 * share)
  }

  /// Returns the opacity of the last picture, 0 to 1.
  func lastOpacity(at instant: FrameInstant) -> Double { min(1, 2 - 2 * share(at: instant)) }

  /// Returns whether the change is complete.
  func isComplete(at instant: FrameInstant) -> Bool { share(at: instant) == 1 }
}
