import FramePacing

/// When a picture should be there, as a deadline for the image scheduler: what is seen comes before what will be.
///
/// Deadlines are compared and nothing else, so that what is on screen stands before the clock's zero, by its place alone:
/// its order does not depend on the frame in which it was asked for.
struct ThumbnailDeadline {
  /// Longer than anything waits in the row of those that will be seen.
  private static let horizon = FrameDuration.seconds(30)
  /// What an item farther away counts as in time: so little that of two frames' requests the nearer ones come first, and
  /// up to 160 items may pass by in a frame.
  private static let timePerItem = FrameDuration.microseconds(100)

  /// The deadline of a picture on screen, by its place there.
  static func deadline(onScreenAt place: Int64) -> FrameInstant {
    FrameInstant(nanoseconds: .min / 2 + place)
  }

  /// The deadline of a picture that so many others separate from the screen's edge.
  static func deadline(aheadAt instant: FrameInstant, distance: Int) -> FrameInstant {
    instant + min(timePerItem * Double(distance), horizon)
  }

  /// The deadline of a picture that was on screen and may be again: after those that will be.
  static func deadline(behindAt instant: FrameInstant) -> FrameInstant { instant + horizon * 2 }
}
