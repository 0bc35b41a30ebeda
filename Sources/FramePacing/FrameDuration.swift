/// A length of time in nanoseconds, signed.
///
/// Eight bytes and one machine addition, where `Duration` takes sixteen and a call: frame records hold dozens of these.
public struct FrameDuration: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// No time.
  public static let zero = FrameDuration(nanoseconds: 0)

  /// Makes a length from nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Makes a length from microseconds.
  public static func microseconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000))
  }

  /// Makes a length from milliseconds.
  public static func milliseconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000_000))
  }

  /// Makes a length from seconds.
  public static func seconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000_000_000))
  }

  /// The length in microseconds.
  public var microseconds: Double { Double(nanoseconds) / 1_000 }
  /// The length in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
  /// The length in seconds.
  public var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

  /// The order by length.
  public static func < (left: FrameDuration, right: FrameDuration) -> Bool { left.nanoseconds < right.nanoseconds }
  /// Both, one after the other.
  public static func + (left: FrameDuration, right: FrameDuration) -> FrameDuration {
    FrameDuration(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
  /// What remains of the first.
  public static func - (left: FrameDuration, right: FrameDuration) -> FrameDuration {
    FrameDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
  /// Adds a length.
  public static func += (left: inout FrameDuration, right: FrameDuration) { left = left + right }
  /// A multiple.
  public static func * (duration: FrameDuration, factor: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(Double(duration.nanoseconds) * factor))
  }
}
