public import VitrineFramePacing

/// A key that scrolls while it is pressed: one step at first, then a constant speed.
///
/// The key repeat rate of the system does not matter, so the speed is the same on every desktop.
public struct HeldKey: Hashable, Sendable {
  /// The time until a pressed key scrolls continuously.
  public static let repeatDelay = FrameDuration.milliseconds(300)
  /// The speed of continuous scrolling in rows per second.
  public static let rowsPerSecond = 12.0

  /// Whether the key scrolls to larger offsets.
  public let isForward: Bool
  /// The instant at which continuous scrolling starts.
  public let due: FrameInstant
  /// Whether continuous scrolling has started.
  public private(set) var isRunning = false

  /// Creates the state of a key that was pressed at an instant.
  public init(isForward: Bool, at instant: FrameInstant) {
    self.isForward = isForward
    due = ScrollLimits.bounded(instant) + HeldKey.repeatDelay
  }

  /// Returns the event that starts continuous scrolling, once, when it is due.
  ///
  /// - Parameters:
  ///   - instant: The presentation time of a frame.
  ///   - row: The height of a row in points.
  /// - Returns: The event, or nil before the due time and after the first one.
  public mutating func advance(to instant: FrameInstant, row: Double) -> ScrollEvent? {
    guard !isRunning, instant >= due else { return nil }
    isRunning = true
    return .glide(velocity: (isForward ? 1 : -1) * HeldKey.rowsPerSecond * row)
  }
}

/// The speed of content during autoscroll, while the pointer is away from where the wheel was pressed.
public enum Autoscroll {
  /// The distance in points from the origin within which the content does not move.
  public static let deadZone = 10.0
  /// The maximum speed in points per second.
  public static let maximumSpeed = 40_000.0

  /// Returns the velocity in points per second for a distance in points; it grows with the square of the distance.
  ///
  /// - Complexity: O(1).
  public static func velocity(at distance: Double) -> Double {
    let excess = distance.bounded(by: 1e6).magnitude - deadZone
    guard excess > 0 else { return 0 }
    let speed = min(maximumSpeed, excess * 4 + excess * excess / 4)
    return distance < 0 ? -speed : speed
  }
}
