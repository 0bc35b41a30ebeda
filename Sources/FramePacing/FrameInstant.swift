/// A moment on the line of one frame clock, in nanoseconds.
///
/// Moments of two clocks do not compare.
public struct FrameInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's own zero.
  public var nanoseconds: Int64

  /// The clock's zero.
  public static let zero = FrameInstant(nanoseconds: 0)
  /// Before every moment.
  public static let distantPast = FrameInstant(nanoseconds: .min / 4)
  /// After every moment.
  public static let distantFuture = FrameInstant(nanoseconds: .max / 4)

  /// Makes a moment from its distance to the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The order in time.
  public static func < (left: FrameInstant, right: FrameInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment a while later.
  public static func + (instant: FrameInstant, duration: FrameDuration) -> FrameInstant {
    FrameInstant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
  }

  /// The moment a while earlier.
  public static func - (instant: FrameInstant, duration: FrameDuration) -> FrameInstant {
    FrameInstant(nanoseconds: instant.nanoseconds - duration.nanoseconds)
  }

  /// How long after another moment this one is; negative when it is earlier.
  public static func - (end: FrameInstant, start: FrameInstant) -> FrameDuration {
    FrameDuration(nanoseconds: end.nanoseconds - start.nanoseconds)
  }
}
