/// What became of a picture.
public enum PictureEnd: Hashable, Sendable {
  /// It is shown.
  case shown(width: Int, height: Int, orientation: Int, isDamaged: Bool)
  /// It is not, and why.
  case refused(String)
  /// It is not, and its decoding process was lost with it.
  case fatal(String)
}
