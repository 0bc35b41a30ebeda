public import VitrineFramePacing

/// A classifier that distinguishes wheels from trackpads by the deltas of a burst of events.
///
/// A burst is notched while all its deltas are whole, high-resolution while they are multiples of 1/120, and continuous
/// otherwise. The first other delta makes it continuous. After a short pause, several consecutive deltas that only a
/// wheel produces make it a wheel's again, because the user switched from the trackpad to the mouse. The first event of
/// a burst that could come from a wheel counts as the previous burst's device if that burst is recent.
public struct WheelClassifier: Hashable, Sendable {
  /// The pause that ends a burst.
  public static let burstPause = FrameDuration.milliseconds(400)
  /// The pause after which events may come from another device.
  public static let switchPause = FrameDuration.milliseconds(60)
  /// The pause after which the previous device is forgotten.
  public static let resetPause = FrameDuration.seconds(2)
  /// The number of consecutive deltas that identify a wheel: whole ones never, fine ones once in forty come from a
  /// trackpad.
  public static let wheelDeltas = (whole: 2, fine: 3)

  private var kind = WheelKind.notch
  private var last: FrameInstant?
  /// The number of consecutive deltas since a pause that could come from a wheel; 0 without such a pause.
  private var wheelDeltaCount = 0
  private var wheelDeltaKind = WheelKind.notch

  /// Creates a classifier without events.
  public init() {}

  /// Processes an event's deltas, in notches, and returns the kind of device of its burst as known so far.
  ///
  /// - Complexity: O(1).
  public mutating func classify(deltaX: Double, deltaY: Double, at instant: FrameInstant) -> WheelKind {
    let instant = ScrollLimits.bounded(instant)
    let pause = last.map { instant - $0 } ?? WheelClassifier.resetPause
    last = max(instant, last ?? instant)
    let eventKind = WheelClassifier.leastSpecific(WheelClassifier.kind(of: deltaX), WheelClassifier.kind(of: deltaY))
    if deltaX != 0 || deltaY != 0 { countWheelDelta(eventKind, after: pause) }
    if pause >= WheelClassifier.resetPause || (pause >= WheelClassifier.burstPause && kind != .continuous) {
      kind = eventKind
    } else {
      kind = WheelClassifier.leastSpecific(kind, eventKind)
    }
    let required = wheelDeltaKind == .notch ? WheelClassifier.wheelDeltas.whole : WheelClassifier.wheelDeltas.fine
    if kind == .continuous, wheelDeltaCount >= required { kind = wheelDeltaKind }
    return kind
  }

  private mutating func countWheelDelta(_ eventKind: WheelKind, after pause: FrameDuration) {
    if eventKind == .continuous {
      wheelDeltaCount = 0
    } else if pause >= WheelClassifier.switchPause, wheelDeltaCount == 0 {
      (wheelDeltaCount, wheelDeltaKind) = (1, eventKind)
    } else if wheelDeltaCount > 0 {
      (wheelDeltaCount, wheelDeltaKind) = (
        min(wheelDeltaCount + 1, 8), WheelClassifier.leastSpecific(wheelDeltaKind, eventKind)
      )
    }
  }

  private static func kind(of delta: Double) -> WheelKind {
    guard delta.isFinite else { return .notch }
    if (delta - delta.rounded()).magnitude < 1e-9 { return .notch }
    return (delta * 120 - (delta * 120).rounded()).magnitude < 120e-4 ? .highResolution : .continuous
  }

  private static func leastSpecific(_ left: WheelKind, _ right: WheelKind) -> WheelKind {
    switch (left, right) {
    case (.continuous, _), (_, .continuous): .continuous
    case (.highResolution, _), (_, .highResolution): .highResolution
    case (.notch, .notch): .notch
    }
  }
}

/// The kind of device that a burst of wheel events comes from.
public enum WheelKind: Hashable, Sendable {
  /// A wheel with notches, which reports whole numbers.
  case notch
  /// A wheel that reports fractions of a notch, in multiples of 1/120.
  case highResolution
  /// A trackpad, which reports arbitrary numbers.
  case continuous
}

/// A selector of the spring for a wheel notch, by the rhythm of the preceding notches.
///
/// The first notch has a faster spring than those within a series. When a series slows down, the content comes to rest
/// with the finger, not after it.
struct WheelCadence: Hashable, Sendable {
  /// The pause that starts a new series.
  static let pause = FrameDuration.milliseconds(120)
  /// The shortest gap that can indicate slowing.
  static let shortestSlowing = FrameDuration.milliseconds(12)
  /// The ratio of consecutive gaps that indicates slowing.
  static let slowingFactor = 1.3

  private var last: FrameInstant?
  private var gap: FrameDuration?

  /// Records a notch and returns the spring to use for it.
  mutating func spring(at instant: FrameInstant) -> SpringParameters {
    defer { last = instant }
    guard let last, instant - last < WheelCadence.pause else {
      gap = nil
      return .wheelBegin
    }
    let current = instant - last
    defer { gap = current }
    guard let gap, current >= WheelCadence.shortestSlowing else { return .wheel }
    return current.seconds >= WheelCadence.slowingFactor * gap.seconds ? .wheelSlowing : .wheel
  }
}

/// A filter that locks a burst of trackpad events to the axis on which it started, because fingers never move exactly
/// straight.
public struct AxisLatch: Hashable, Sendable {
  /// The pause that ends a burst.
  public static let pause = FrameDuration.milliseconds(200)

  private var isCrossAxis = false
  private var last: FrameInstant?

  /// Creates a latch without events.
  public init() {}

  /// Records a movement and returns whether its burst scrolls along the cross axis.
  ///
  /// - Parameters:
  ///   - mainDelta: The delta along the content's axis.
  ///   - crossDelta: The delta along the cross axis.
  ///   - instant: The time of the movement.
  /// - Complexity: O(1).
  public mutating func latchesCrossAxis(mainDelta: Double, crossDelta: Double, at instant: FrameInstant) -> Bool {
    let instant = ScrollLimits.bounded(instant)
    if last.map({ instant - $0 >= AxisLatch.pause }) ?? true {
      isCrossAxis = crossDelta.magnitude > mainDelta.magnitude
    }
    last = max(instant, last ?? instant)
    return isCrossAxis
  }
}
