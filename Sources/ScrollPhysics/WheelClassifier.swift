public import FramePacing

/// Tells wheels from trackpads by the numbers of a burst of events.
///
/// A burst is notched while all its deltas are whole, high-resolution while they are multiples of 1/120, and continuous
/// otherwise; within a burst it only ever goes that way. The first event of a trackpad may happen to be a whole number
/// and be taken for a notch.
public struct WheelClassifier: Hashable, Sendable {
  /// A pause this long ends a burst.
  public static let burstPause = FrameDuration.milliseconds(400)

  private var kind = WheelKind.notch
  private var last: FrameInstant?

  /// Makes a classifier that has seen nothing.
  public init() {}

  /// Takes an event's deltas in notches and returns what its burst comes from, as far as is known by now.
  ///
  /// - Complexity: O(1).
  public mutating func classify(deltaX: Double, deltaY: Double, at instant: FrameInstant) -> WheelKind {
    let instant = ScrollLimits.bounded(instant)
    if let last, instant - last < WheelClassifier.burstPause {
      kind = WheelClassifier.looser(kind, WheelClassifier.kind(of: deltaX))
    } else {
      kind = WheelClassifier.kind(of: deltaX)
    }
    kind = WheelClassifier.looser(kind, WheelClassifier.kind(of: deltaY))
    last = max(instant, last ?? instant)
    return kind
  }

  private static func kind(of delta: Double) -> WheelKind {
    guard delta.isFinite else { return .notch }
    if (delta - delta.rounded()).magnitude < 1e-9 { return .notch }
    return (delta * 120 - (delta * 120).rounded()).magnitude < 120e-4 ? .highResolution : .continuous
  }

  private static func looser(_ left: WheelKind, _ right: WheelKind) -> WheelKind {
    switch (left, right) {
    case (.continuous, _), (_, .continuous): .continuous
    case (.highResolution, _), (_, .highResolution): .highResolution
    case (.notch, .notch): .notch
    }
  }
}
