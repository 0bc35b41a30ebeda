import FramePacing

/// A line that the bar tells for a while.
nonisolated struct Notice: Hashable, Sendable {
  /// How long it is told.
  static let duration = FrameDuration.seconds(4)

  /// What it says.
  let text: String
  /// When it has been told.
  let expiry: FrameInstant

  init(_ text: String, from instant: FrameInstant) {
    self.text = text
    expiry = instant + Notice.duration
  }
}
