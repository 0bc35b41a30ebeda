public import FramePacing

/// Tells wheels from trackpads by the numbers of a burst of events.
///
/// A burst is notched while all its deltas are whole, high-resolution while they are multiples of 1/120, and continuous
/// otherwise. It becomes continuous with the first other delta, and a wheel's again when several in a row, after a little
/// pause, could only be one's: somebody's hand went from the pad to the mouse. The first event of a burst that could be a
/// wheel's is taken for the device of the burst before, where that is not long ago.
public struct WheelClassifier: Hashable, Sendable {
  /// A pause this long ends a burst.
  public static let burstPause = FrameDuration.milliseconds(400)
  /// A pause this long begins what may be another device's.
  public static let switchPause = FrameDuration.milliseconds(60)
  /// After a pause this long nobody remembers which device it was.
  public static let memory = FrameDuration.seconds(2)
  /// How many deltas in a row are a wheel's that a trackpad never makes, and may make once in forty.
  public static let wheelDeltas = (whole: 2, fine: 3)

  private var kind = WheelKind.notch
  private var last: FrameInstant?
  /// The deltas in a row that could be a wheel's, since a pause; none where there was no such pause.
  private var row = 0
  private var rowKind = WheelKind.notch

  /// Makes a classifier that has seen nothing.
  public init() {}

  /// Takes an event's deltas in notches and returns what its burst comes from, as far as is known by now.
  ///
  /// - Complexity: O(1).
  public mutating func classify(deltaX: Double, deltaY: Double, at instant: FrameInstant) -> WheelKind {
    let instant = ScrollLimits.bounded(instant)
    let pause = last.map { instant - $0 } ?? WheelClassifier.memory
    last = max(instant, last ?? instant)
    let own = WheelClassifier.looser(WheelClassifier.kind(of: deltaX), WheelClassifier.kind(of: deltaY))
    if deltaX != 0 || deltaY != 0 { count(own, after: pause) }
    if pause >= WheelClassifier.memory || (pause >= WheelClassifier.burstPause && kind != .continuous) {
      kind = own
    } else {
      kind = WheelClassifier.looser(kind, own)
    }
    let enough = rowKind == .notch ? WheelClassifier.wheelDeltas.whole : WheelClassifier.wheelDeltas.fine
    if kind == .continuous, row >= enough { kind = rowKind }
    return kind
  }

  private mutating func count(_ own: WheelKind, after pause: FrameDuration) {
    if own == .continuous {
      row = 0
    } else if pause >= WheelClassifier.switchPause, row == 0 {
      (row, rowKind) = (1, own)
    } else if row > 0 {
      (row, rowKind) = (min(row + 1, 8), WheelClassifier.looser(rowKind, own))
    }
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
