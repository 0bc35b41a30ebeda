/// How stored pixels are turned to stand upright: EXIF's tag 0x0112, 1 to 8.
public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by half.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal.
  case leftMirrored = 5
  /// To be turned a quarter clockwise.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be turned a quarter anticlockwise.
  case left = 8

  /// Whether width and height change places.
  public var isTransposed: Bool { rawValue >= 5 }
}
