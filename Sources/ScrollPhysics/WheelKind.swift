/// What kind of device a burst of wheel events comes from.
public enum WheelKind: Hashable, Sendable {
  /// A wheel with notches: whole numbers.
  case notch
  /// A wheel that reports parts of a notch, in 1/120.
  case highResolution
  /// A trackpad: any number.
  case continuous
}
