/// How good a picture is, on the way from nothing to what was asked for.
public enum ImageRepresentation: UInt8, Hashable, Sendable, Comparable {
  /// A small picture that the file carries beside its own, such as a camera's, enlarged to the size asked: there at once,
  /// and not sharp.
  case embedded = 1
  /// The picture itself at the size asked.
  case full = 2

  /// The order from nothing to what was asked for.
  public static func < (left: ImageRepresentation, right: ImageRepresentation) -> Bool {
    left.rawValue < right.rawValue
  }
}
