public import FramePacing

/// When a run ends by itself.
public struct LoopLimits: Sendable {
  /// After so many frames; while set, a frame is made every refresh even when nothing changes.
  public var frames: Int?
  /// After so much time on the run's clock.
  public var duration: FrameDuration?

  /// No limit unless given.
  public init(frames: Int? = nil, duration: FrameDuration? = nil) {
    self.frames = frames
    self.duration = duration
  }
}
