import VitrineFramePacing

/// The times at which the frames of an animation are shown.
///
/// A value that the frames of the window advance. A frame that is decoded late is shown late, and the ones after it
/// keep their distances. While the window gets no frames, the animation stands still.
nonisolated struct AnimationClock: Hashable, Sendable {
  /// The duration in place of one that is too short to be meant, as in browsers.
  static let defaultDuration = FrameDuration.milliseconds(100)
  /// The longest duration that is too short to be meant.
  static let shortest = FrameDuration.milliseconds(10)

  /// The time at which the next frame is due, or nil before the first frame.
  private(set) var due: FrameInstant?

  /// Creates a clock before the first frame.
  init() {}

  /// Returns whether the next frame is due at a time.
  func isDue(at instant: FrameInstant) -> Bool { due.map { $0 <= instant } ?? true }

  /// Records that the next frame is shown, and schedules the one after it.
  ///
  /// - Parameters:
  ///   - duration: How long the file says that the frame is shown.
  ///   - instant: The time from which it is shown.
  mutating func showFrame(for duration: FrameDuration, at instant: FrameInstant) {
    let duration = duration <= AnimationClock.shortest ? AnimationClock.defaultDuration : duration
    // From when it was due, so that errors do not add up, unless it is late by more than its own duration.
    let start = due.flatMap { instant - $0 < duration ? $0 : nil } ?? instant
    due = start + duration
  }
}
