internal import FramePacing

/// The bounds within which every number of a scroll stays, so that no input makes an infinity or a NaN.
enum ScrollLimits {
  /// Points from the origin; a Double still tells eighths of a point apart there.
  static let position = 1e15
  /// Points a second.
  static let velocity = 1e9
  /// Points a second below which what reaches an end does not bounce: it would move by less than a pixel.
  static let leastBounceSpeed = 10.0
  /// Viewports that a hand may pull beyond an end before it pulls in vain: nine tenths of one are shown by then.
  static let longestPull = 20.0
  /// Seconds that one motion may take: as nanoseconds they fit an instant with room to spare.
  static let seconds = 1e9

  /// An instant that can be subtracted from any other without overflow.
  static func bounded(_ instant: FrameInstant) -> FrameInstant {
    min(max(instant, .distantPast), .distantFuture)
  }

  /// The instant a number of seconds later, never later than the distant future.
  static func instant(_ seconds: Double, after start: FrameInstant) -> FrameInstant {
    let nanoseconds = (seconds.bounded(by: ScrollLimits.seconds) * 1e9).rounded(.up)
    return bounded(start + FrameDuration(nanoseconds: Int64(nanoseconds)))
  }
}
