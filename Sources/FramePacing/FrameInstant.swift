/// A point in time on a frame clock, in nanoseconds.
///
/// Instants of different clocks cannot be compared.
public struct FrameInstant: Hashable, Comparable, Sendable {
  /// The nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// The clock's zero.
  public static let zero = FrameInstant(nanoseconds: 0)
  /// An instant before all others.
  public static let distantPast = FrameInstant(nanoseconds: .min / 4)
  /// An instant after all others.
  public static let distantFuture = FrameInstant(nanoseconds: .max / 4)

  /// Creates an instant from the nanoseconds since the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns whether the first instant is earlier than the second.
  public static func < (left: FrameInstant, right: FrameInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the instant a duration later.
  public static func + (instant: FrameInstant, duration: FrameDuration) -> FrameInstant {
    FrameInstant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
  }

  /// Returns the instant a duration earlier.
  public static func - (instant: FrameInstant, duration: FrameDuration) -> FrameInstant {
    FrameInstant(nanoseconds: instant.nanoseconds - duration.nanoseconds)
  }

  /// Returns the duration between two instants; negative if the first one is earlier.
  public static func - (end: FrameInstant, start: FrameInstant) -> FrameDuration {
    FrameDuration(nanoseconds: end.nanoseconds - start.nanoseconds)
  }
}

/// A signed duration in nanoseconds.
///
/// Eight bytes and one machine addition, where `Duration` takes sixteen bytes and a call: frame records contain dozens
/// of them.
public struct FrameDuration: Hashable, Comparable, Sendable {
  /// The duration in nanoseconds.
  public var nanoseconds: Int64

  /// The zero duration.
  public static let zero = FrameDuration(nanoseconds: 0)

  /// Creates a duration from nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a duration from microseconds.
  public static func microseconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000))
  }

  /// Creates a duration from milliseconds.
  public static func milliseconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000_000))
  }

  /// Creates a duration from seconds.
  public static func seconds(_ count: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(count * 1_000_000_000))
  }

  /// The duration in microseconds.
  public var microseconds: Double { Double(nanoseconds) / 1_000 }
  /// The duration in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
  /// The duration in seconds.
  public var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

  /// Returns whether the first duration is shorter than the second.
  public static func < (left: FrameDuration, right: FrameDuration) -> Bool { left.nanoseconds < right.nanoseconds }
  /// Returns the sum of two durations.
  public static func + (left: FrameDuration, right: FrameDuration) -> FrameDuration {
    FrameDuration(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
  /// Returns the difference of two durations.
  public static func - (left: FrameDuration, right: FrameDuration) -> FrameDuration {
    FrameDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
  /// Adds a duration to another.
  public static func += (left: inout FrameDuration, right: FrameDuration) { left = left + right }
  /// Returns a multiple of a duration.
  public static func * (duration: FrameDuration, factor: Double) -> FrameDuration {
    FrameDuration(nanoseconds: Int64(Double(duration.nanoseconds) * factor))
  }
}

// MARK: - Retries

/// The pauses between attempts at something that fails for a while: each is twice the last, up to a maximum.
///
/// The owner of a policy counts the failures, and decides how often to try.
public struct RetryPolicy: Hashable, Sendable {
  /// The pause after the first failure.
  public var firstPause: FrameDuration
  /// The longest pause.
  public var maximumPause: FrameDuration

  /// Creates a policy.
  public init(firstPause: FrameDuration, maximumPause: FrameDuration) {
    self.firstPause = firstPause
    self.maximumPause = maximumPause
  }

  /// Returns the pause after a number of consecutive failures.
  ///
  /// - Parameters:
  ///   - failures: The number of failures, at least 1.
  ///   - share: The jitter, from 0 to 1: 0 returns half of the pause, 1 all of it. Default: 1.
  public func pause(after failures: Int, share: Double = 1) -> FrameDuration {
    min(firstPause * Double(1 << min(max(failures - 1, 0), 16)), maximumPause) * (0.5 + share / 2)
  }
}
