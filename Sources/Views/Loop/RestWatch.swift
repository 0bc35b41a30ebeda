import FramePacing

/// Decides when a loop has rested for long enough to give back what it holds for the next frames: once after each time that
/// something was drawn, and never by looking again and again.
///
/// Long enough is when nobody is likely to go on at once: what is given back has to be had again then.
struct IdleTimer: Sendable {
  /// How long nothing may have been drawn.
  static let timeout = FrameDuration.seconds(15)

  /// When it is long enough; nil where nothing was drawn since it was.
  private(set) var due: FrameInstant?

  /// A frame was drawn.
  mutating func recordFrame(at instant: FrameInstant) { due = instant + IdleTimer.timeout }

  /// Whether it is long enough now; asked again, not before something was drawn.
  mutating func fireIfDue(at now: FrameInstant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }
}
