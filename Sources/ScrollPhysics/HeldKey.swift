public import FramePacing

/// A key that moves content while it is held: a step when it goes down, then at a constant speed.
///
/// How often the system repeats a key means nothing: the speed is the same on every desktop.
public struct HeldKey: Hashable, Sendable {
  /// How long a key is held until the content goes on by itself.
  public static let patience = FrameDuration.milliseconds(300)
  /// Rows a second at which it does.
  public static let rowsPerSecond = 12.0

  /// Whether it leads to larger offsets.
  public let isForward: Bool
  /// When the content goes on by itself.
  public let due: FrameInstant
  /// Whether it does.
  public private(set) var isRunning = false

  /// A key went down.
  public init(isForward: Bool, at instant: FrameInstant) {
    self.isForward = isForward
    due = ScrollLimits.bounded(instant) + HeldKey.patience
  }

  /// What becomes of it at an instant: the event with which the content goes on, once.
  ///
  /// - Parameters:
  ///   - instant: when a frame is shown.
  ///   - row: the distance from row to row in points.
  public mutating func advance(to instant: FrameInstant, row: Double) -> ScrollEvent? {
    guard !isRunning, instant >= due else { return nil }
    isRunning = true
    return .glide(velocity: (isForward ? 1 : -1) * HeldKey.rowsPerSecond * row)
  }
}
