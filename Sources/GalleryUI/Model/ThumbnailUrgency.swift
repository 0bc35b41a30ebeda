import FramePacing

/// When a picture should be there, as a deadline for the image scheduler: what is seen comes before what will be.
struct ThumbnailUrgency {
  /// Later than anything that is on screen can be asked for within one stay there.
  private static let horizon = FrameDuration.seconds(30)

  /// The deadline of a picture on screen, so many points from the middle.
  static func deadline(visibleAt instant: FrameInstant, distance: Double) -> FrameInstant {
    instant + .microseconds(max(0, min(distance, 1e6)))
  }

  /// The deadline of a picture that will be the `rank`th to come on screen.
  static func deadline(aheadAt instant: FrameInstant, rank: Int) -> FrameInstant {
    instant + horizon + .milliseconds(Double(rank))
  }

  /// The deadline of a picture that was on screen and may be again: after those that will be.
  static func deadline(behindAt instant: FrameInstant) -> FrameInstant { instant + horizon * 2 }
}
